/** The messages between a window and its server on the one socket that all event streams of the window share. */

import { z } from 'zod';

/** A part of a path: `.` and `..` would lead elsewhere. */
const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\.{1,2}$)/);

/** What can be followed: a thread of an agent (Mastra's chunks), a run of the browser agent (`RunEvent`), the list of runs (`RunListEvent`), or which threads of an agent wait (`WaitingEvent`). */
export const followed = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('thread'), agentId: name, threadId: name }),
  z.strictObject({ kind: z.literal('run'), runId: name }),
  z.strictObject({ kind: z.literal('runs') }),
  z.strictObject({ kind: z.literal('waiting'), agentId: name }),
]);
export type Followed = z.output<typeof followed>;

/** Chosen by the window, another one for each stream that it follows. */
const streamId = z.int().min(1);

export const windowMessage = z.discriminatedUnion('type', [
  // Checked by itself: what cannot be followed is refused under its id.
  z.strictObject({ type: z.literal('open'), id: streamId, of: z.unknown() }),
  z.strictObject({ type: z.literal('close'), id: streamId }),
]);

export type WindowMessage =
  | { readonly type: 'open'; readonly id: number; readonly of: Followed }
  /** Nothing more is told under this id. */
  | { readonly type: 'close'; readonly id: number };

export type ServerMessage =
  /** Nothing is missed from here on. */
  | { readonly type: 'open'; readonly id: number }
  | { readonly type: 'event'; readonly id: number; readonly event: unknown }
  /** It cannot be followed, or no longer; the status is one of HTTP. */
  | { readonly type: 'refused'; readonly id: number; readonly status: number; readonly message: string }
  | { readonly type: 'ended'; readonly id: number };
