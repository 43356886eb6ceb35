import type { Session } from '../browser/session.js';
import type { Approval, BrowserAction, ValueKind } from '../policy/approval.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { plainMessage, ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import { SUSPENDED, type ToolRun } from './action.js';
import type { ToolDefinition, ToolInput } from './define.js';
import { failure, toToolError } from './failure.js';
import { type EnteredValue, NO_RISK } from './risk.js';

/** So many answers are remembered until their calls come, and so many calls until their runs are resumed. */
export const MOST_APPROVALS = 1_000;

interface Verdict {
  isNeeded: boolean;
  identity: string;
  action: BrowserAction;
}

/**
 * Asks whether a person has to approve a call, and sees to it that they did.
 * Invariant: a call that needs approval acts only after Mastra's agent loop asked for it and went on, or after a run that
 * was suspended for this very call was resumed with `approved: true`.
 */
export class Approvals {
  /** The agent loop's answers, by call; it executes a call only once that was approved, where it had to be. */
  readonly #answered = new Map<string, Verdict>();
  /** Calls whose runs were suspended here; one that is forgotten is asked about again when its run is resumed. */
  readonly #waiting = new Set<string>();

  constructor(readonly approval: Approval) {}

  /** For Mastra's agent loop, before it calls a tool. */
  async isNeeded(tool: ToolDefinition, input: ToolInput, session: Session): Promise<boolean> {
    const verdict = await this.#judge(tool, input, session);
    const call = callNameOf(tool, input, session);
    this.#answered.delete(call);
    this.#answered.set(call, verdict);
    forgetOldest(this.#answered);
    return verdict.isNeeded;
  }

  /** Resolves to whether the call may act; else its run is suspended. Throws when it was refused or nobody can be asked. */
  async mayAct(
    tool: ToolDefinition,
    input: ToolInput,
    { session, run }: { session: Session; run: ToolRun },
  ): Promise<boolean> {
    const verdict = await this.#judge(tool, input, session);
    if (!verdict.isNeeded) return true;
    const call = callNameOf(tool, input, session);
    if (run.toolCallId !== undefined && isSameVerdict(this.#answered.get(call), verdict)) return true;
    const waiting = run.toolCallId === undefined ? call : `${run.toolCallId} ${call}`;
    const decision = decisionOf(run.resumeData);
    const wasWaiting = this.#waiting.delete(waiting);
    if (decision === false) throw refused(verdict.action, 'It was not approved.');
    // A model can write resume data into its call, but not into one that waits. What a workflow was resumed with is its own.
    if (wasWaiting && (decision || run.toolCallId !== undefined)) return true;
    if (run.isWorkflow && decision) return true;
    if (run.suspend === undefined)
      throw refused(verdict.action, 'Nobody can be asked here: the call did not come from an agent or workflow run.');
    this.#waiting.add(waiting);
    forgetOldest(this.#waiting);
    await run.suspend({ approval: verdict.action }, { requireToolApproval: true });
    return false;
  }

  async #judge(tool: ToolDefinition, input: ToolInput, session: Session): Promise<Verdict> {
    const { action, identity } = await browserAction(tool, input, session);
    try {
      return { isNeeded: await this.approval(action), identity, action };
    } catch (error) {
      const { owner, threadId } = session;
      owner.log.warn('approval failed and counts as needed', { threadId, tool: tool.id, error: plainMessage(error) });
      return { isNeeded: true, identity, action };
    }
  }
}

function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_APPROVALS) return;
    kept.delete(oldest);
  }
}

/** A call by what it says, as it is read: models write the same in several ways. */
function callNameOf({ id, input: schema }: ToolDefinition, input: ToolInput, { threadId }: Session): string {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const parsed = schema.safeParse(given);
  return `${threadId} ${id} ${JSON.stringify(parsed.data ?? given)}`;
}

/** The approval was for this: the same elements, which say the same. */
function isSameVerdict(asked: Verdict | undefined, now: Verdict): boolean {
  return asked?.isNeeded === true && asked.identity === now.identity;
}

function decisionOf(resumeData: unknown): boolean | undefined {
  if (typeof resumeData === 'boolean') return resumeData;
  if (typeof resumeData !== 'object' || resumeData === null) return undefined;
  const { approved } = resumeData as { approved?: unknown };
  return typeof approved === 'boolean' ? approved : undefined;
}

function refused({ tool, element, classes }: BrowserAction, reason: string): ToolError {
  const what = element === undefined ? tool : `${tool} on ${describeRef(element)}`;
  const kinds = classes.length === 0 ? '' : ` (${classes.join(', ')})`;
  return new ToolError('approval_required', `${what}${kinds} needs approval. ${reason} Nothing was done.`);
}

/** A call as it is judged, and which elements it names. */
interface JudgedCall {
  action: BrowserAction;
  /** The same as long as the call acts on the same elements, and they say the same. */
  identity: string;
}

/** The coming action of a call, as its tool states it; the page is asked only about a point. */
async function browserAction(tool: ToolDefinition, input: ToolInput, session: Session): Promise<JudgedCall> {
  const { secrets } = session.owner;
  const url = session.activeTab?.url;
  const risk = tool.risk === 'none' ? NO_RISK : await tool.risk(session, input);
  const { entry, classes } = risk;
  // Nobody knows yet what a dialog asks that is accepted before it is there.
  const isUncertain = risk.isUncertain || input.onDialog?.accept === true;
  const element = risk.element ?? (entry && approvalElement(entry));
  const open = tool.id === 'browser_dialog' ? session.activeTab?.dialog : undefined;
  const kindOf = ({ kind, texts }: EnteredValue): ValueKind =>
    kind === 'text' && texts.some(text => secrets.asked(text).length > 0) ? 'secret' : kind;
  const action: BrowserAction = {
    tool: tool.id,
    threadId: session.threadId,
    ...(url !== undefined && { url }),
    ...(entry !== undefined && { ref: entry.ref }),
    ...(element !== undefined && { element }),
    ...(open !== undefined && { dialog: { type: open.type(), message: open.message() } }),
    values: [...new Set(tool.enters === 'nothing' ? [] : tool.enters(input).map(kindOf))],
    classes,
    isUncertain,
  };
  const identity = entry === undefined ? JSON.stringify(element ?? '') : `${entry.node.key} ${entry.told.fingerprint}`;
  return { action: secrets.hideIn(action), identity: `${identity} ${open?.message() ?? ''}` };
}

function approvalElement({ told, node }: RefEntry): BrowserAction['element'] {
  const { role, name, row } = told;
  return { role, name, row, ...(node.tag !== undefined && { tag: node.tag }) };
}

/** The result of a call that must not act yet, or not at all; undefined when it may. */
export async function heldForApproval(
  tool: ToolDefinition,
  input: ToolInput,
  { approvals, session, run = {} }: { approvals?: Approvals; session: Session; run?: ToolRun },
): Promise<CommonResult | undefined> {
  if (approvals === undefined || tool.policy.readOnly) return undefined;
  try {
    return (await approvals.mayAct(tool, input, { session, run })) ? undefined : SUSPENDED;
  } catch (error) {
    const { activeTab } = session;
    return { ...failure(toToolError(error)), ...(activeTab !== undefined && { url: activeTab.url }) };
  }
}
