import type { z } from 'zod/v4';
import type { Sessions } from '../../browser/sessions.js';
import type { CommonResult } from '../../outcome/result.js';
import { type ExtractAction, typedExtract } from '../content/extract-typed.js';
import type { ResultFields, ToolDefinition } from '../define.js';
import { extract } from '../extract.js';
import { ALL_TOOLS } from '../index.js';
import type { Call, CallOptions } from './call.js';
import { runTool } from './run.js';

type AnyTool = (typeof ALL_TOOLS)[number];
type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;
type ActionName<Id extends string> = Id extends `browser_${infer Name}` ? Camel<Name> : never;
type ToolOf<Id> = Extract<AnyTool, { id: Id }>;

/** The result of a tool in plain code. */
export type ResultOf<Id extends AnyTool['id']> =
  ToolOf<Id> extends ToolDefinition<string, infer _Input, infer Output> ? CommonResult & ResultFields<Output> : never;

/** The input of a tool in plain code. */
export type InputOf<Id extends AnyTool['id']> = z.input<ToolOf<Id>['input']>;

type ActionOf<Id extends AnyTool['id']> =
  Record<never, never> extends InputOf<Id>
    ? (input?: InputOf<Id>, options?: CallOptions) => Promise<ResultOf<Id>>
    : (input: InputOf<Id>, options?: CallOptions) => Promise<ResultOf<Id>>;

/** The tools as methods: `browser_fill_form` is `fillForm`. Each is the tool's own run. */
export type SessionActions = {
  [Id in Exclude<AnyTool['id'], 'browser_extract'> as ActionName<Id>]: ActionOf<Id>;
} & { extract: ExtractAction };

/** A session for plain code: the tools as methods with typed results. */
export type BrowserSession = SessionActions & {
  readonly threadId: string;
};

/** `browser_fill_form` → `fillForm`. */
export function actionName(id: string): string {
  return id.replace(/^browser_/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** All tools of a session as methods. */
function sessionActions(call: Omit<Call, 'signal'>): SessionActions {
  // Tools without the prefix `browser_` need the run of an agent or a workflow.
  const tools = ALL_TOOLS.filter(({ id }) => id.startsWith('browser_'));
  const runOf =
    (tool: ToolDefinition) =>
    (input: unknown, options: CallOptions = {}) =>
      runTool(tool, input, { ...call, signal: options.signal });
  const actions = tools.map(tool => [actionName(tool.id), runOf(tool)]);
  return { ...Object.fromEntries(actions), extract: typedExtract(runOf(extract)) } as SessionActions;
}

/** The session of a thread as plain code has it. */
export function sessionHandle(sessions: Sessions, threadId: string): BrowserSession {
  const call = {
    sessions,
    // Looked up at each call: a session that was not used for long may have been forgotten.
    get session() {
      return sessions.get(threadId);
    },
  };
  return Object.freeze({ threadId: sessions.get(threadId).threadId, ...sessionActions(call) });
}
