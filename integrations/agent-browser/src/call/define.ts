import { z } from 'zod/v4';
import type { ElementFacts } from '#page-engine/protocol.js';
import type { Session } from '../browser/session.js';
import type { DialogAnswer } from '../browser/tab/tab.js';
import type { CommonResult } from '../results/result.js';
import type { PageSnapshot, SnapshotNode } from '../snapshot/tree.js';
import type { Action, ToolRun } from './action.js';
import type { EnteredValue, Risk } from './risk.js';

/** The capabilities of a tool, enforced by the one runner and visible in MCP annotations. */
export interface ToolPolicy {
  /** Works on the session as a whole, and starts no browser. */
  needsTab?: false;
  worksInDialog?: true;
  /** Can change the page with this input: its result reports what changed. */
  changesPage?: true | ((input: ToolInput) => boolean);
  /** Sends input events: whatever the page does in response, closing itself included, is its effect. */
  sendsInput?: true;
  /** Puts values into fields, and reports the values that they hold. */
  fills?: true;
  /** Needs no page while the tab awaits a server. */
  allowedDuringNavigation?: true;
  /** Asks the page about the element before it does anything. */
  asksFirst?: true;
  readOnly?: true;
  /** Leaves the page as it is, and works while a person has control. */
  watches?: true;
  /** Scrolls the page, which disturbs a person who has control. */
  scrolls?: true;
  /** Its text for a success contains only words of the toolset and its user. */
  trustedOutput?: true;
  /** Its description explains the content boundaries around the text of a page. */
  describesContentBoundaries?: true;
  /** Its texts may contain names of secrets. */
  takesSecrets?: true;
  /** Available only when the options list it by name, or set the option named here. */
  optIn?: true | 'allowEvaluate' | 'webMcp';
  /** Its result reports the duration, and whether the page changed. */
  timed?: true;
}

/** The part of an input that the runner itself reads. */
export type ToolInput = Record<string, unknown> & { onDialog?: DialogAnswer };

/** The state after an action, for result fields that are known only then. */
export interface Aftermath {
  /** The element acted on, while it exists. */
  acted?: ElementFacts;
  page?: PageSnapshot;
  /** Nodes whose lines are in the changes. */
  shown?: readonly SnapshotNode[];
  validation?: CommonResult['validation'];
}

export interface TablessCall {
  session: Session;
  signal?: AbortSignal;
  run?: ToolRun;
}

/** All that is specific to one tool. */
export interface ToolDefinition<
  Id extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodRawShape = z.ZodRawShape,
> {
  readonly id: Id;
  readonly description: string;
  readonly input: Input;
  /** Result fields of a success beyond the common ones; all optional. */
  readonly output: Output;
  readonly policy: ToolPolicy;
  /** The coming action of a call, for its approval. An agent asks before the input is parsed. */
  readonly risk: 'none' | ((session: Session, input: ToolInput) => Risk | Promise<Risk>);
  /** The values that a call puts into the page, for its approval; viewers do not get those of masked fields. */
  readonly enters: 'nothing' | ((input: ToolInput) => readonly EnteredValue[]);
  /** Performs the call in a tab. Throws a `ToolError` for what the agent should know; contains no `try`. */
  run?(action: Action, input: z.output<Input>): Promise<ResultFields<Output>>;
  runWithoutTab?(call: TablessCall, input: z.output<Input>): Promise<ResultFields<Output>>;
  /** Schemas of the data that a run is suspended and resumed with. */
  suspends?: { suspendSchema: z.ZodType; resumeSchema: z.ZodType };
  /** Result fields that are known once the page was read after the action. */
  report?(action: Action, input: z.output<Input>, aftermath: Aftermath): ResultFields<Output>;
  /** The action in a few words, for the model. */
  headline(result: CommonResult & ResultFields<Output>): string;
}

export type ResultFields<Output extends z.ZodRawShape> = Partial<z.output<z.ZodObject<Output>>>;

export function defineTool<const Id extends string, Input extends z.ZodObject, Output extends z.ZodRawShape>(
  definition: ToolDefinition<Id, Input, Output>,
): ToolDefinition<Id, Input, Output> {
  return definition;
}

export const refField = z.string().min(1).max(40).describe('Ref from the snapshot, such as @e12');

export const onDialogField = z
  .strictObject({ accept: z.boolean(), text: z.string().max(10_000).optional() })
  .optional()
  .describe('How to answer a dialog that this opens');

export const pointField = z.number().min(0).max(100_000);

/** The lines of a headline that are not empty. */
export function headlineOf(...lines: readonly (string | false | undefined)[]): string {
  return lines.filter(Boolean).join('\n');
}
