import type { MastraModelConfig } from '@mastra/core/llm';
import { z } from 'zod/v4';

export const storagePath = z
  .custom<string | ((thread: { threadId: string }) => string)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'a folder, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string | (({ threadId }) => string)' });

type UploadRoots = (thread: { threadId: string }) => readonly string[] | Promise<readonly string[]>;

export const uploadRoots = z
  .custom<readonly string[] | UploadRoots>(
    value =>
      typeof value === 'function' ||
      (Array.isArray(value) && value.every(each => typeof each === 'string' && each !== '')),
    'a list of folders, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string[] | (({ threadId }) => string[] | Promise<string[]>)' });

export const extract = z.strictObject({
  model: z
    .custom<MastraModelConfig>(
      value => (typeof value === 'string' && value.includes('/')) || (typeof value === 'object' && value !== null),
      'a model id such as provider/name, or a model',
    )
    .optional()
    .meta({ typeText: 'string | LanguageModel' })
    .describe(
      'The model that `browser_extract` asks: an id of Mastra (`provider/name`) or a model object. Default: that of the agent which calls, where the toolset is in its `browser` slot or a Mastra instance knows it.',
    ),
});
