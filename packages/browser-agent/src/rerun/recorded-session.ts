import type { BrowserToolsetLike } from '@browser-toolset/core';
import type { z } from 'zod/v4';
import { elementRecord } from '../actions/action-result.js';
import { ELEMENT_FIELDS } from '../actions/elements.js';
import { recordedContext } from './recorded-context.js';
import { takeAgain } from './rerun.js';

/** Takes recorded actions in one browser, as a rerun does: what `toCode` writes for Mastra calls it. */
export interface RecordedSession {
  /**
   * Takes an action. Where its input names elements (`ref`, `from`, `to`, `submit`) they stand as they were recorded, and are
   * found by the same proof as in a rerun.
   *
   * @throws What was looked for and what was found, or why the action failed.
   */
  take(action: string, input: RecordedInput, options?: TakeOptions): Promise<void>;
}

/** The input of an action, with records of elements in the place of refs. */
export type RecordedInput = Readonly<Record<string, unknown>>;

export interface TakeOptions {
  /** Milliseconds that it took when it was recorded: its elements are waited for twice as long, and at least five seconds. */
  took?: number;
}

/** @param threadId of the session of the toolset */
export function recordedSession(
  browser: BrowserToolsetLike<unknown>,
  threadId: string,
  signal: AbortSignal = new AbortController().signal,
): RecordedSession {
  const context = recordedContext({ browser, threadId, own: [], searchUrl: undefined });
  let step = 0;
  return {
    take: async (action, input, { took = 0 } = {}) => {
      const elements = Object.fromEntries(recordsIn(input));
      const recorded = { step: ++step, action, input: { ...input }, elements, goal: '', took };
      const { success, text } = await takeAgain(recorded, context, signal);
      if (!success) throw new Error(`${action}: ${text}`);
    },
  };
}

/** Alone of its kind, where nothing else is said. */
const writtenElement = elementRecord.extend({
  index: elementRecord.shape.index.default(0),
  count: elementRecord.shape.count.default(1),
});

/** The records of elements in an input, each with the path of its field. */
function* recordsIn(input: unknown, path = ''): Generator<[path: string, element: z.output<typeof writtenElement>]> {
  if (typeof input !== 'object' || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (ELEMENT_FIELDS.has(key) && typeof value === 'object' && value !== null) yield [at, writtenElement.parse(value)];
    else yield* recordsIn(value, at);
  }
}
