import { isMastraStorage, type MastraStorageLike } from '@browser-toolset/core';
import type { MastraModelConfig } from '@mastra/core/llm';
import { z } from 'zod/v4';
import type { RemoteEndpoint } from './browser/chromium/endpoint.js';
import { isRecordStore, type RecordStore } from './browser/storage/record-store.js';

export const milliseconds = z.number().int().positive();

export const snapshot = z.strictObject({
  maxTokens: z
    .number()
    .int()
    .min(100)
    .default(6000)
    .describe('Budget of a snapshot in estimated tokens; what does not fit is folded or left to `next`.'),
  afterAction: z
    .enum(['diff', 'full', 'none'])
    .default('diff')
    .describe('What an action tells of the page afterwards: what changed, a whole snapshot, or nothing.'),
  changeTokens: z
    .number()
    .int()
    .min(40)
    .default(200)
    .describe('Budget of the changes after an action, in estimated tokens.'),
  afterNavigation: z
    .number()
    .int()
    .min(100)
    .default(600)
    .describe(
      'Budget of what an action tells of a page that it went to, in estimated tokens. Header, menus, footer and what the agent has read on the page before take a line each.',
    ),
});

export const sessions = z.strictObject({
  max: z
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Open sessions at most; beyond that the one used longest ago hibernates.'),
  idleMs: milliseconds
    .default(600_000)
    .describe(
      'A session that was not used for so long hibernates: its tabs, cookies, storage and scroll come back with the next call.',
    ),
  maxTabs: z
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Tabs of a session at most; a page that opens more has them closed at once.'),
});

export const tools = z.strictObject({
  only: z.array(z.string()).optional().describe('Exactly these tools, by id. Cannot be combined with except or also.'),
  except: z.array(z.string()).optional().describe('All default tools but these.'),
  also: z.array(z.string()).optional().describe('These besides the default tools, such as `ask_user`.'),
});

export const humanControl = z.strictObject({
  onAction: z
    .enum(['wait', 'refuse'])
    .default('wait')
    .describe(
      'What an action of the agent does while a person has control: it waits until they give it back, or it answers `human_in_control` at once. Tools that only look (`browser_snapshot`, `browser_read`, `browser_screenshot`, `browser_wait`, `browser_extract`, `browser_pdf`, `browser_console`, `browser_network`) and `ask_user` go on.',
    ),
  timeout: milliseconds
    .optional()
    .describe(
      'How long an action waits for a person in milliseconds, before it answers `human_in_control`. Left out, it waits until they give control back, or until its call is aborted.',
    ),
});

export const prompt = z.strictObject({
  staleTokens: z
    .number()
    .int()
    .min(0)
    .default(500)
    .describe(
      "In what is sent to the model, results that are out of date become one line each, together once they make up so many estimated tokens. 0: each at once, which loses the provider's prompt cache with every step.",
    ),
  state: z
    .boolean()
    .default(true)
    .describe('A line in the prompt says what the browser shows and who drives, where no result has said it.'),
});

export const video = z.union([
  z.boolean(),
  z.strictObject({
    folder: z.string().min(1).optional().describe('Where videos go. Default: `downloadsPath`, else `videos`.'),
    maxWidth: z
      .number()
      .int()
      .min(160)
      .max(4096)
      .default(1280)
      .describe('Largest width and height of the picture in pixels. Smaller pages stay as they are.'),
    maxFps: z.number().min(1).max(30).default(10).describe('Pictures in a second at most.'),
    maxMegabytes: z
      .number()
      .min(1)
      .default(500)
      .describe('Largest size of a file. What comes after is not recorded, and the log says so.'),
  }),
]);

export const trace = z.union([
  z.boolean(),
  z.strictObject({
    folder: z.string().min(1).optional().describe('Where traces go. Default: `downloadsPath`, else `traces`.'),
    screenshots: z.boolean().default(true).describe('Pictures of the page over time.'),
    snapshots: z.boolean().default(true).describe('The DOM before and after each action.'),
  }),
]);

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

/** The argument of a function that finds DevTools endpoints. */
export interface ThreadRef {
  threadId: string;
  /** Where the thread's browser was the last time, here or in another process; it may be gone. */
  endpoint?: string;
}

type Endpoint = string | RemoteEndpoint;

export const endpoint = z
  .custom<string | ((thread: ThreadRef) => Endpoint | Promise<Endpoint>)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'a url, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string | (({ threadId, endpoint }) => string | { url, headers?, release? })' });

export const records = z
  .custom<RecordStore | MastraStorageLike>(
    value => typeof value === 'object' && value !== null && (isRecordStore(value) || isMastraStorage(value)),
    "Mastra's storage, or an object with get, set and delete",
  )
  .meta({ typeText: 'MastraStorage | { get, set, delete, replace? }' });
