import { z } from 'zod/v4';
import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { DialogAnswer } from '../browser/tab/tab.js';
import type { ElementFacts } from '../page/protocol.js';
import type { CommonResult } from '../results/result.js';
import type { PageSnapshot } from '../snapshot/tree.js';
import type { Action, ToolRun } from './action.js';
import type { EnteredValue, Risk } from './risk.js';

/** The rights of a tool, enforced by the one runner and visible in MCP annotations. */
export interface ToolPolicy {
  /** Works on the session as a whole and starts no browser. */
  needsTab?: false;
  /** Works while a dialog waits for its answer. */
  worksInDialog?: true;
  /** It can change the page, with this input: its result tells what changed. */
  changesPage?: true | ((input: ToolInput) => boolean);
  /** Presses, types or moves the mouse: whatever the page does upon it, closing itself included, is its effect. */
  sendsInput?: true;
  /** Puts values into fields, and its result says what they hold. */
  fills?: true;
  /** Needs no page while the tab waits for the answer of a server. */
  allowedDuringNavigation?: true;
  /** Asks the page about the element before it does anything. */
  asksFirst?: true;
  /** Changes nothing anywhere. */
  readOnly?: true;
  /** Leaves the page as it is, and goes on while a person drives. */
  watches?: true;
  /** Moves the page under the hand of a person who drives. */
  scrolls?: true;
  /** Its text for a success is in the toolset's own words, and those of its user. */
  trustedOutput?: true;
  /** Its description says what the lines around a page's text mean. */
  describesContentBoundaries?: true;
  /** Its texts may name secrets. */
  takesSecrets?: true;
  /** Is there only when the options ask for it by name, or when the option named here is set. */
  optIn?: true | 'allowEvaluate' | 'webMcp';
  /** The result says how long it took and whether the page changed. */
  timed?: true;
}

/** An input as far as the runner itself reads it. */
export type ToolInput = Record<string, unknown> & { onDialog?: DialogAnswer };

/** The state after an action, for the fields of a result that can only be known then. */
interface Aftermath {
  /** Facts of the element acted on, while it is still there. */
  acted?: ElementFacts;
  page?: PageSnapshot;
  /** Fields that were refused. */
  validation?: CommonResult['validation'];
}

/** The arguments of a tool that needs no tab. */
interface TablessCall {
  session: Session;
  sessions: Sessions;
  signal?: AbortSignal;
  run?: ToolRun;
}

/** One tool: all that is special about it, in one place. */
export interface ToolDefinition<
  Id extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodRawShape = z.ZodRawShape,
> {
  readonly id: Id;
  /** The text that a model reads to choose the tool. */
  readonly description: string;
  readonly input: Input;
  /** Fields of a success beyond the common ones; all optional. */
  readonly output: Output;
  readonly policy: ToolPolicy;
  /** The coming action of a call, for whoever approves it. The input is as it came. */
  readonly risk: 'none' | ((session: Session, input: ToolInput) => Risk | Promise<Risk>);
  /** The values that a call puts into the page, for whoever approves it; viewers are not told those of fields that show dots. */
  readonly enters: 'nothing' | ((input: ToolInput) => readonly EnteredValue[]);
  /** Does it. Throws a `ToolError` for what the agent should know; contains no `try`. */
  run(action: Action, input: z.output<Input>): Promise<ResultFields<Output>>;
  /** For a tool that needs no tab. */
  runWithoutTab?(call: TablessCall, input: z.output<Input>): Promise<ResultFields<Output>>;
  /** The data that a run is suspended with, and resumed with. */
  suspends?: { suspendSchema: z.ZodType; resumeSchema: z.ZodType };
  /** Fields that are known once the page was read after the action. */
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
