/** The messages between the page and its server, besides Mastra's own API and the live view. */

import type { Effect } from '../demo/effects.js';
import type { CallLine, CallWords } from './call-words.js';

export type { Effect, EffectKind } from '../demo/effects.js';

export interface StudioState {
  readonly agents: readonly StudioAgent[];
  readonly demo: { readonly url: string; readonly tasks: readonly SuggestedTask[] };
  /** By package. */
  readonly versions: Readonly<Record<string, string>>;
  /** Which build of the page is served. */
  readonly page: string;
}

export interface StudioAgent {
  readonly id: string;
  readonly name: string;
  /** `chat`: a Mastra agent with the tools. `browser`: does whole tasks by itself, in runs. */
  readonly kind: 'chat' | 'browser';
  /** A Mastra model router id; left out for an agent that follows scripts. */
  readonly model?: string;
}

export interface SuggestedTask {
  readonly id: string;
  readonly title: string;
  readonly shows: string;
  readonly prompt: string;
}

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export interface ToolInfo {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** A call of a tool, by an agent or by hand. */
export interface ActionSummary {
  /** The id of the tool call, where an agent made it. */
  readonly id: string;
  readonly threadId: string;
  readonly tool: string;
  readonly by: 'agent' | 'hand';
  /** Changes nothing anywhere. */
  readonly isReadOnly: boolean;
  readonly status: 'running' | 'waiting' | 'done' | 'failed';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly milliseconds?: number;
  /** Of the text that the model reads, in o200k_base. */
  readonly tokens?: number;
  readonly effects: readonly Effect[];
  /** What a person did in the browser before it ended, a line each. */
  readonly person?: readonly string[];
  /** The input on one line: elements by their names. */
  readonly gist: string;
}

export interface ActionDetail extends ActionSummary {
  readonly input: unknown;
  /** The input in a person's words. */
  readonly words: CallWords;
  readonly output?: unknown;
  /** The exact text for the model. */
  readonly text?: string;
  /** The pictures for the model, as data urls. */
  readonly pictures: readonly string[];
}

/** `approval`: it may run only if a person lets it. `question`: it asks. */
export type WaitingKind = 'approval' | 'question';

/** A thread in which a call waits for a person. */
export interface WaitingThread {
  readonly threadId: string;
  readonly kind: WaitingKind;
}

/** What a page that shows the list of threads is told: all that wait, at first and whenever they are others. */
export interface WaitingEvent {
  readonly type: 'waiting';
  readonly threads: readonly WaitingThread[];
}

/** A call of an agent that waits for a person. */
export interface WaitingCall {
  readonly toolCallId: string;
  readonly kind: WaitingKind;
  /** What a tool that asks has said. */
  readonly suspendPayload?: unknown;
}

/** What a call is about to do. */
export interface CallPreview {
  /** Such as `Fill in 4 fields, then press button "Confirm card" on shop.example`. */
  readonly sentence: string;
  /** All else that the call holds, a line each; what is pressed is the last. */
  readonly lines: readonly CallLine[];
  /** What it may do beyond the page, such as `may pay`. */
  readonly effects: readonly string[];
  /** The input on one line: elements by their names. */
  readonly gist: string;
  /** Where it acts. */
  readonly places: readonly CallPlace[];
  /** Left out for a call that cannot be approved with others. */
  readonly kind?: CallKind;
  /** The person has approved all of its kind, so that it needs no answer. */
  readonly isAllowed?: boolean;
}

/** An element or a point that a call is about. */
export interface CallPlace {
  readonly ref?: string;
  /** In CSS pixels of the viewport. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Calls of one tool that may do the same on one site. */
export interface CallKind {
  readonly key: string;
  /** Such as `click on shop.example (may pay)`. */
  readonly words: string;
}

/** What a person decides of a call that waits. */
export type Decision =
  | {
      readonly kind: 'approval';
      readonly toolCallId: string;
      readonly approved: boolean;
      /** The key of its kind: all calls of that kind are approved for the rest of the run. */
      readonly allOfKind?: string | undefined;
      /** What the agent is told of why it was declined. */
      readonly reason?: string | undefined;
    }
  | { readonly kind: 'question'; readonly toolCallId: string; readonly answer: string };

export interface ModelState {
  /** What keeps the model from answering, in a sentence; left out where nothing is known to. */
  readonly problem?: string | undefined;
}

/** A program and its arguments, as a client starts it. */
export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface McpState {
  readonly path: string;
  /** What starts a server of its own for a client. */
  readonly command: McpCommand;
  readonly clients: readonly { readonly name: string; readonly threadId: string; readonly lastUsed: number }[];
}

export interface ToolRun {
  readonly action: ActionDetail;
  /** By the path of the field, such as `fields.0.ref`; what is wrong with the whole stands under the empty path. */
  readonly fieldErrors: Readonly<Record<string, string>>;
}
