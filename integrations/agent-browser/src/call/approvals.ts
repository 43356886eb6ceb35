import { type DefaultAction, MASK, type Missed } from '#page-engine/protocol.js';
import type { Session } from '../browser/session.js';
import { forgetOldest } from '../limits.js';
import {
  ACTION_CLASSES,
  type ActionField,
  type Approval,
  type BrowserAction,
  type ValueKind,
} from '../policy/approval.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { plainMessage, ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import { type PressGoal, type PressGrant, SUSPENDED, type ToolRun } from './action.js';
import type { ToolDefinition, ToolInput } from './define.js';
import { failure, toToolError } from './failure.js';
import { type EnteredValue, NO_RISK, type Risk, refEntryOf, riskOfElement } from './risk.js';

/** Verdicts kept until their calls come, and calls kept until their runs are resumed. */
export const MOST_APPROVALS = 1_000;

interface Verdict extends JudgedCall {
  isNeeded: boolean;
}

/** A call, and who is asked about it. */
interface AskedCall {
  tool: ToolDefinition;
  input: ToolInput;
  session: Session;
  run: ToolRun;
}

/**
 * Decides whether a person has to approve a call, and enforces it.
 * Invariant: a call that needs approval acts only after Mastra's agent loop asked for it and went on, or after a run
 * that was suspended for this very call was resumed with `approved: true`.
 */
export class Approvals {
  /** Verdicts given to the agent loop, by call; it executes a call only once that was approved, where necessary. */
  readonly #answered = new Map<string, Verdict>();
  /** Calls whose runs were suspended here; a forgotten one is asked about again when its run is resumed. */
  readonly #waiting = new Map<string, Verdict>();
  /** What calls turned out to do when they pressed; a forgotten one turns out again. */
  readonly #grown = new Map<string, Risk>();

  constructor(readonly approval: Approval) {}

  /** Called by Mastra's agent loop before it calls a tool. */
  async isNeeded(tool: ToolDefinition, input: ToolInput, session: Session): Promise<boolean> {
    const verdict = await this.#judge({ tool, input, session });
    remember(this.#answered, callNameOf(tool, input, session), verdict);
    return verdict.isNeeded;
  }

  /** Resolves to what the call may do; undefined when its run is suspended. Throws when it is refused. */
  async mayAct(call: AskedCall): Promise<Grant | undefined> {
    const verdict = await this.#judge(call);
    return (await this.#isAllowed(call, verdict)) ? new Grant(this, call, verdict) : undefined;
  }

  /**
   * As {@link mayAct}, for a call that turned out to do more when it pressed. Its run's resume data was for less.
   * @param hasBegun It cannot be made again from its beginning.
   */
  async mayGoOn({ run, ...call }: AskedCall, risk: Risk, hasBegun: boolean): Promise<Grant | undefined> {
    const name = pressNameOf(call);
    const before = this.#grown.get(name);
    remember(this.#grown, name, { ...risk, classes: [...risk.classes, ...(before?.classes ?? [])] });
    const verdict = await this.#judge(call);
    if (verdict.isNeeded && hasBegun)
      throw refused(
        verdict.action,
        'That showed when it was pressed. Repeat the call to ask for approval.',
        'Only a part',
      );
    const { resumeData: _, ...asked } = run;
    return (await this.#isAllowed({ ...call, run: asked }, verdict))
      ? new Grant(this, { ...call, run }, verdict)
      : undefined;
  }

  async #isAllowed({ tool, input, session, run }: AskedCall, verdict: Verdict): Promise<boolean> {
    if (!verdict.isNeeded) return true;
    const call = callNameOf(tool, input, session);
    // The agent loop asks before each call, so an answer is for one.
    const answered = this.#answered.get(call);
    this.#answered.delete(call);
    if (run.toolCallId !== undefined && isSameVerdict(answered, verdict)) return true;
    const waiting = run.toolCallId === undefined ? call : `${run.toolCallId} ${call}`;
    const decision = decisionOf(run.resumeData);
    const asked = this.#waiting.get(waiting);
    this.#waiting.delete(waiting);
    // The element of a ref is compared when it is pressed. What is at a point is what was approved, or asked about again.
    const isAsAsked = asked?.action.ref !== undefined ? isCovered(asked, verdict) : isSameVerdict(asked, verdict);
    if (decision === false) throw refused(verdict.action, 'It was not approved.');
    // A model can write resume data into its call, but not into a suspended one.
    if (isAsAsked && decision) return true;
    // A workflow's resume data is its own, and may be for a call that another process asked about.
    if (run.isWorkflow && decision && asked === undefined) return true;
    if (run.suspend === undefined)
      throw refused(verdict.action, 'Nobody can be asked here: the call did not come from an agent or workflow run.');
    remember(this.#waiting, waiting, verdict);
    await run.suspend({ approval: verdict.action }, { requireToolApproval: true });
    return false;
  }

  async #judge({ tool, input, session }: Omit<AskedCall, 'run'>): Promise<Verdict> {
    const grown = this.#grown.get(pressNameOf({ tool, input, session }));
    const judged = await browserAction(tool, input, session, grown);
    try {
      return { ...judged, isNeeded: await this.approval(judged.action) };
    } catch (error) {
      const { owner, threadId } = session;
      owner.log.warn('approval failed and counts as needed', { threadId, tool: tool.id, error: plainMessage(error) });
      return { ...judged, isNeeded: true };
    }
  }
}

/** Ends a call whose run was suspended. */
export class Suspension extends Error {
  override readonly name = 'Suspension';
}

/** What a call that acts was judged by. A press that would do more is judged before it reaches the page. */
export class Grant implements PressGrant {
  constructor(
    readonly approvals: Approvals,
    readonly call: AskedCall,
    readonly verdict: Verdict,
  ) {}

  /** The default actions that were judged; undefined where a person approved of whatever it is. */
  get mayDo(): readonly DefaultAction[] | undefined {
    const { isNeeded, action } = this.verdict;
    return isNeeded && action.isUncertain ? undefined : DEFAULT_ACTIONS.filter(each => action.classes.includes(each));
  }

  /**
   * The grant for a press with this risk.
   * @throws ToolError `approval_required`, or Suspension
   */
  async covering(risk: Risk, hasBegun: boolean): Promise<Grant> {
    const { action, entry } = this.verdict;
    const isJudged = risk.entry !== undefined && risk.entry === entry;
    if (isJudged || this.mayDo === undefined || risk.classes.every(each => action.classes.includes(each))) return this;
    const { tool } = this.call;
    // Filling fields again changes nothing.
    const grown = await this.approvals.mayGoOn(this.call, risk, hasBegun && tool.policy.fills !== true);
    if (grown === undefined) throw new Suspension();
    return grown;
  }
}

/**
 * Lets a press do what its element does, as it was read, or what the page was about to do for it.
 * @throws ToolError `approval_required` where somebody has to be asked first and cannot be, or once a part was done.
 */
export async function judgePress(
  goal: Pick<PressGoal, 'action' | 'pressed' | 'entry'>,
  { does, begun }: Pick<Missed, 'does' | 'begun'> = {},
): Promise<void> {
  const { action } = goal;
  if (action.grant === undefined) return;
  const { pressed, entry } = goal;
  if (pressed === undefined) return;
  const risk =
    does === undefined
      ? { ...riskOfElement(action.session, pressed), ...(entry && { entry }) }
      : riskOfElement(action.session, { ...pressed, does });
  action.grant = await action.grant.covering(risk, begun === true || action.hasBegun);
}

const DEFAULT_ACTIONS = ['submit', 'download', 'upload'] as const satisfies readonly DefaultAction[];

/** Puts an entry last, and forgets the first of too many. */
function remember<Of>(map: Map<string, Of>, key: string, value: Of): void {
  map.delete(key);
  map.set(key, value);
  forgetOldest(map, MOST_APPROVALS);
}

/** Identifies a call by its parsed input: models write the same input in several ways. */
function callNameOf({ id, input: schema }: ToolDefinition, input: ToolInput, { threadId }: Session): string {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const parsed = schema.safeParse(given);
  return `${threadId} ${id} ${JSON.stringify(parsed.data ?? given)}`;
}

/** Identifies a call on one page: the same point of another page is something else. */
function pressNameOf({ tool, input, session }: Omit<AskedCall, 'run'>): string {
  return `${callNameOf(tool, input, session)} ${session.activeTab?.url ?? ''}`;
}

/** The approval was for the same elements with the same descriptions, which do no more than then. */
function isSameVerdict(asked: Verdict | undefined, now: Verdict): boolean {
  return asked?.isNeeded === true && asked.identity === now.identity && isCovered(asked, now);
}

function isCovered(asked: Verdict, { action }: Verdict): boolean {
  return action.classes.every(each => asked.action.classes.includes(each));
}

function decisionOf(resumeData: unknown): boolean | undefined {
  if (typeof resumeData === 'boolean') return resumeData;
  if (typeof resumeData !== 'object' || resumeData === null) return undefined;
  const { approved } = resumeData as { approved?: unknown };
  return typeof approved === 'boolean' ? approved : undefined;
}

function refused({ tool, element, classes }: BrowserAction, reason: string, done = 'Nothing'): ToolError {
  const what = element === undefined ? tool : `${tool} on ${describeRef(element)}`;
  const kinds = classes.length === 0 ? '' : ` (${classes.join(', ')})`;
  return new ToolError('approval_required', `${what}${kinds} needs approval. ${reason} ${done} was done.`);
}

interface JudgedCall {
  action: BrowserAction;
  /** What it acts on, by ref. */
  entry: RefEntry | undefined;
  /** Equal as long as the call acts on the same elements with the same descriptions. */
  identity: string;
}

/** The coming action of a call, as its tool declares it; the page is asked only about a point. */
export async function browserAction(
  tool: ToolDefinition,
  input: ToolInput,
  session: Session,
  grown: Risk = NO_RISK,
): Promise<JudgedCall> {
  const { secrets } = session.owner;
  const url = session.activeTab?.url;
  const expected = tool.risk === 'none' ? NO_RISK : await tool.risk(session, input);
  const { entry } = expected;
  const risk = { ...expected, ...(entry && grown.element && { element: grown.element }) };
  const classes = ACTION_CLASSES.filter(each => risk.classes.includes(each) || grown.classes.includes(each));
  // The question of a dialog that is accepted in advance is not known yet.
  const isUncertain = risk.isUncertain || input.onDialog?.accept === true;
  const element = risk.element ?? (entry && approvalElement(entry));
  const open = tool.id === 'browser_dialog' ? session.activeTab?.dialog : undefined;
  const entered = tool.enters === 'nothing' ? [] : tool.enters(input);
  const fields = entered.flatMap(({ into }) => fieldOf(refEntryOf(session, into?.ref), into?.value));
  const kindOf = ({ kind, texts }: EnteredValue): ValueKind =>
    kind === 'text' && texts.some(text => secrets.asked(text).length > 0) ? 'secret' : kind;
  const action: BrowserAction = {
    tool: tool.id,
    threadId: session.threadId,
    ...(url !== undefined && { url }),
    ...(entry !== undefined && { ref: entry.ref }),
    ...(element !== undefined && { element }),
    ...(open !== undefined && { dialog: { type: open.type(), message: open.message() } }),
    ...(fields.length > 0 && { fields }),
    values: [...new Set(entered.map(kindOf))],
    classes,
    isUncertain,
  };
  const identity = entry === undefined ? JSON.stringify(element ?? '') : `${entry.node.key} ${entry.shown.fingerprint}`;
  return { action: secrets.hideIn(action), entry, identity: `${identity} ${open?.message() ?? ''}` };
}

/** A text of names of secrets alone, whose values only the browser gets. */
const ONLY_SECRETS = /^\s*(?:<secret>[^<>]+<\/secret>\s*)+$/;

function fieldOf(entry: RefEntry | undefined, value = ''): ActionField[] {
  if (entry === undefined) return [];
  const { role, name, row } = entry.shown;
  const isHidden = value !== '' && entry.node.isSecret && !ONLY_SECRETS.test(value);
  return [{ ref: entry.ref, role, name, row, value: isHidden ? MASK : value }];
}

function approvalElement({ shown, node }: RefEntry): BrowserAction['element'] {
  const { role, name, row } = shown;
  return { role, name, row, ...(node.tag !== undefined && { tag: node.tag }) };
}

/** The result of a call that must wait, or must not act at all; else what it may do, where that is judged. */
export async function heldForApproval(
  tool: ToolDefinition,
  input: ToolInput,
  { approvals, session, run = {} }: { approvals?: Approvals; session: Session; run?: ToolRun },
): Promise<{ held: CommonResult } | { grant?: Grant }> {
  if (approvals === undefined || tool.policy.readOnly) return {};
  try {
    const grant = await approvals.mayAct({ tool, input, session, run });
    return grant === undefined ? { held: SUSPENDED } : { grant };
  } catch (error) {
    const { activeTab } = session;
    return { held: { ...failure(toToolError(error)), ...(activeTab !== undefined && { url: activeTab.url }) } };
  }
}
