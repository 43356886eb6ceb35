import type { Session } from '../browser/session.js';
import { forgetOldest } from '../limits.js';
import { anyElement } from '../page/protocol.js';
import type { Approval, BrowserAction, ValueKind } from '../policy/approval.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { logged, plainMessage, ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import { SUSPENDED, type ToolRun } from './action.js';
import type { ToolDefinition, ToolInput } from './define.js';
import { failure, toToolError } from './failure.js';
import { meantInput } from './meant-input.js';
import { type EnteredValue, NO_RISK } from './risk.js';

/** Verdicts kept until their calls come, and calls kept until their runs are resumed. */
export const MOST_APPROVALS = 1_000;

interface Verdict {
  isNeeded: boolean;
  identity: string;
  action: BrowserAction;
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

  constructor(readonly approval: Approval) {}

  /** Called by Mastra's agent loop before it calls a tool. */
  async isNeeded(tool: ToolDefinition, input: ToolInput, session: Session): Promise<boolean> {
    const verdict = await this.#judge(tool, input, session);
    const call = callNameOf(tool, input, session);
    this.#answered.delete(call);
    this.#answered.set(call, verdict);
    forgetOldest(this.#answered, MOST_APPROVALS);
    return verdict.isNeeded;
  }

  /** Resolves to whether the call may act; if not, its run is suspended. Throws when it is refused. */
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
    const asked = this.#waiting.get(waiting);
    this.#waiting.delete(waiting);
    // The element of a ref is compared when it is pressed. What is at a point is what was approved, or asked about again.
    const wasWaiting = asked !== undefined && (asked.action.ref !== undefined || isSameVerdict(asked, verdict));
    if (decision === false) throw refused(verdict.action, 'It was not approved.');
    // A model can write resume data into its call, but not into a suspended one. A workflow's resume data is its own.
    if (wasWaiting && (decision || run.toolCallId !== undefined)) return true;
    if (run.isWorkflow && decision) return true;
    if (run.suspend === undefined)
      throw refused(verdict.action, 'Nobody can be asked here: the call did not come from an agent or workflow run.');
    this.#waiting.set(waiting, verdict);
    forgetOldest(this.#waiting, MOST_APPROVALS);
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

/** Identifies a call by its parsed input: models write the same input in several ways. */
function callNameOf({ id, input: schema }: ToolDefinition, input: ToolInput, { threadId }: Session): string {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const parsed = schema.safeParse(given);
  return `${threadId} ${id} ${JSON.stringify(parsed.data ?? given)}`;
}

/** The approval was for the same elements with the same descriptions. */
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

interface JudgedCall {
  action: BrowserAction;
  /** Equal as long as the call acts on the same elements with the same descriptions. */
  identity: string;
}

/** The coming action of a call, as its tool declares it; the page is asked only about a point. */
async function browserAction(tool: ToolDefinition, input: ToolInput, session: Session): Promise<JudgedCall> {
  const { secrets } = session.owner;
  const url = session.activeTab?.url;
  const risk = tool.risk === 'none' ? NO_RISK : await tool.risk(session, input);
  const { entry, classes } = risk;
  // The question of a dialog that is accepted in advance is not known yet.
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

/** An action that a person decides about, and where it would act. */
export interface ActionPreview extends BrowserAction {
  /** Box of the element, in CSS pixels of the viewport; absent where it cannot be seen. */
  box?: { x: number; y: number; width: number; height: number };
}

/** Milliseconds that a page may take to tell where an element is. */
const BOX_MS = 1_000;

/** Describes a call without making it. Undefined for input that the tool does not take. */
export async function previewOf(
  tool: ToolDefinition,
  input: unknown,
  session: Session,
): Promise<ActionPreview | undefined> {
  const given = tool.input.safeParse(meantInput(tool.input, input ?? {}));
  if (!given.success) return undefined;
  const { action } = await browserAction(tool, given.data as ToolInput, session);
  const box = action.ref === undefined ? undefined : await boxOfRef(session, action.ref);
  return { ...action, ...(box && { box }) };
}

async function boxOfRef(session: Session, ref: string): Promise<ActionPreview['box']> {
  const { activeTab: tab, refs } = session;
  const lookup = refs.find(ref);
  if (tab === undefined || tab.dialog !== undefined || !('found' in lookup)) return undefined;
  const { document, id } = lookup.found.node;
  const locator = tab.engine.locator(document.frame, anyElement(document.doc, id));
  const untold = logged(session, 'an element does not tell where it is');
  return (await locator.boundingBox({ timeout: BOX_MS }).catch(untold)) ?? undefined;
}

/** The result of a call that must wait, or must not act at all; undefined when it may act. */
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
