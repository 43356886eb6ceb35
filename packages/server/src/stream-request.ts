import { CLIENT_MESSAGES } from '@browser-toolset/core/protocol';
import { z } from 'zod/v4';
import { Refusal } from './requests.js';
import type { FrameForm, ViewerSettings } from './viewer.js';

/** The settings of a viewer in the url of its stream. */
export interface StreamRequest {
  threadId: string | undefined;
  frames: FrameForm;
  settings: ViewerSettings;
}

/** Longest thread id, in characters. */
const LONGEST_THREAD = 500;

export const threadIdSchema = z
  .string()
  .max(LONGEST_THREAD)
  .optional()
  .transform(threadId => threadId || undefined);

const framesSchema = z.enum(['text', 'binary', 'video']).default('text');
const SETTINGS = ['maxFps', 'quality', 'maxWidth'] as const;

/** Reads the query of a stream; throws a `Refusal` that names what does not fit. */
export function readStreamRequest({ searchParams }: URL): StreamRequest {
  const numbers = SETTINGS.filter(name => searchParams.has(name)).map(name => [name, numberIn(searchParams, name)]);
  const { type: _, ...settings } = parsed(CLIENT_MESSAGES.settings, Object.fromEntries(numbers));
  return {
    threadId: parsed(threadIdSchema, searchParams.get('threadId') ?? undefined),
    frames: parsed(framesSchema, searchParams.get('frames') ?? undefined),
    settings,
  };
}

/** The value as the schema has it; throws a `Refusal` that says what does not fit. */
export function parsed<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal('invalid_request', z.prettifyError(result.error));
}

function numberIn(searchParams: URLSearchParams, name: string): number {
  const text = searchParams.get(name);
  return text ? Number(text) : Number.NaN;
}
