import type { Session } from '../../browser/session.js';
import type { Tab } from '../../browser/tab/tab.js';
import { inTraceGroup } from '../../browser/trace.js';
import { ToolError } from '../../outcome/errors.js';
import type { CommonResult } from '../../outcome/result.js';
import type { Reading } from '../../snapshot/reading.js';
import type { ToolDefinition, ToolInput } from '../define.js';
import { offeredNames } from '../page-tools.js';
import { Action } from './action.js';
import { follow, keepPrinted } from './aftermath.js';
import { heldForApproval } from './approvals.js';
import type { Call } from './call.js';
import { SUSPENDED } from './calling-run.js';
import { describeIssues, dialogOpen, endedBy, failure } from './failure.js';
import { FirstContact } from './first-contact.js';
import { arrival, inTurn, misplacedSecrets, recorded } from './gates.js';
import { patienceWith, untilCancelled, untilInterrupted } from './interruption.js';
import { failed, success, whereIs } from './result-of.js';
import { ToldAction } from './told-action.js';
import { WatchedCall } from './watched-call.js';

/** Runs a tool for a session: checks the input, waits for the session's turn, acts, and tells what came of it. Never throws. */
export async function runTool(tool: ToolDefinition, input: unknown, call: Call): Promise<CommonResult> {
  const { session, run } = call;
  // The first call was checked before; Mastra repairs input when it asks, not when it goes on.
  const isResumed = tool.suspends !== undefined && run?.resumeData !== undefined;
  const parsed = isResumed ? { success: true as const, data: input } : tool.input.safeParse(input ?? {});
  const watched = new WatchedCall(tool.id, session, call.span);
  const told = ToldAction.of(tool, session, (parsed.data ?? {}) as ToolInput);
  if (run !== undefined) session.person.noteRun({ runId: run.id, runThread: run.threadId });
  const refused = parsed.success
    ? misplacedSecrets(tool, parsed.data as ToolInput, session)
    : new ToolError('invalid_input', describeIssues(tool.id, parsed.error.issues));
  const work = (signal: AbortSignal): Promise<CommonResult> =>
    inTurn(tool, { session, signal }, async () => {
      const held = await heldForApproval(tool, parsed.data as ToolInput, call);
      if (held !== undefined) return held;
      watched.started();
      told?.started();
      const acting = { ...call, signal, told, watched };
      return recorded(tool, session, () => perform(tool, parsed.data as ToolInput, acting));
    });
  const whole = refused === undefined ? await untilCancelled(call, work) : failure(refused);
  // Invariant: this is the one way out for what pages say, whoever called and whatever became of it.
  const result = session.owner.secrets.hideIn(whole);
  if (result !== SUSPENDED || tool.suspends !== undefined) told?.ended(result);
  watched.ended(result);
  return result;
}

interface Running extends Call {
  signal: AbortSignal;
  told?: ToldAction;
  watched: WatchedCall;
  /** The browser of the first run had died. */
  isRerun?: true;
}

async function perform(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const { session, signal } = call;
  const { watch } = call.watched;
  const began = performance.now();
  const contact = new FirstContact(session);
  let tab: Tab | undefined;
  let action: Action | undefined;
  try {
    if (signal.aborted) throw endedBy(signal);
    if (tool.policy.needsTab === false) return await withoutTab(tool, input, call);
    tab = await watch.time('starting', () => session.ready(signal));
    // Only reads can always be repeated; a tool that asks the page first learns by that whether it is there.
    if (!tool.policy.readOnly && !tool.policy.asksFirst) contact.seek(tab);
    if (tab.dialog !== undefined && !tool.policy.worksInDialog) throw dialogOpen(tab);
    if (signal.aborted) throw endedBy(signal);
    action = new Action(session, tab, signal, session.owner.config.timeout);
    action.run = call.run;
    if (!tool.policy.worksWhileAwaited) await arrival(action);
    call.told?.follow(action);
    call.watched.follow(action);
    session.dialogAnswer = input.onDialog;
    session.effects.isActing = !tool.policy.readOnly;
    const running = action;
    const acting = () =>
      untilInterrupted(tool, running, { run: tool.run(running, input), patience: patienceWith(session, input) });
    const facts = await watch
      .time('acting', () => traced(tool, input, running, acting))
      .catch(error => closedByAction(tool, running, error));
    return await succeeded(tool, running, { input, facts, began, watch });
  } catch (error) {
    const hasTime = performance.now() - began < session.owner.config.navigationTimeout;
    if (hasTime && !call.isRerun && !signal.aborted && !action?.wasAnswered && (await contact.hasFailed(error)))
      return perform(tool, input, { ...call, isRerun: true });
    await action?.letGo();
    return failed({ session, tab, action, signal }, error);
  } finally {
    session.effects.isActing = false;
    session.dialogAnswer = undefined;
    contact.end();
  }
}

interface Done {
  input: ToolInput;
  facts: Record<string, unknown>;
  began: number;
  watch: WatchedCall['watch'];
}

/** Waits for what an action set in motion, and tells what came of it. */
async function succeeded(tool: ToolDefinition, action: Action, done: Done): Promise<CommonResult> {
  const { session } = action;
  const { input, facts, began, watch } = done;
  const { reading, ...left } = await watch.time('reading', () => follow(tool, action, { input, since: began, watch }));
  await session.downloads.settled(began, action.limits);
  await keepPrinted(session);
  await noteOffers(tool, session);
  const report = tool.report?.(action, input, { ...left, page: reading?.page });
  const { validation } = left;
  const told = {
    ...action.facts,
    ...facts,
    ...report,
    ...(validation && { validation }),
    ...(tool.policy.timed && timing(session, reading, began)),
  };
  return success(action, told, reading);
}

/** A page that the agent comes to says which tools it offers. Whoever only reads has not gone there. */
async function noteOffers({ policy }: ToolDefinition, { owner, effects, activeTab }: Session): Promise<void> {
  if (!owner.config.webMcp || policy.readOnly || !effects.current.navigated) return;
  if (activeTab === undefined || activeTab.isMute) return;
  const pageTools = await offeredNames(activeTab);
  if (pageTools.length > 0) effects.note({ pageTools });
}

async function withoutTab(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const facts = await tool.runWithoutTab?.(call, input);
  return facts === SUSPENDED ? SUSPENDED : { success: true, ...whereIs(call.session), ...facts };
}

/** In a trace the parts of an action stand under the name of its tool. */
function traced<T>(
  tool: ToolDefinition,
  { ref }: ToolInput,
  { session, tab }: Action,
  act: () => Promise<T>,
): Promise<T> {
  const name = typeof ref === 'string' ? `${tool.id} ${ref}` : tool.id;
  return inTraceGroup({ context: tab.page.context(), threadId: session.threadId, owner: session.owner }, name, act);
}

/** The timing of a click. Nobody knows whether a page changed that could not be read. */
function timing(session: Session, reading: Reading | undefined, began: number): Record<string, unknown> {
  const { navigated, closedTabs, dialog } = session.effects.current;
  const elsewhere = navigated ?? (closedTabs !== undefined || dialog !== undefined);
  const pageChanged = reading?.changed || elsewhere || undefined;
  return {
    ...((reading !== undefined || pageChanged) && { pageChanged: pageChanged ?? false }),
    executionTime: Math.round(performance.now() - began) / 1000,
  };
}

/** A page that closes itself when it is pressed or typed into ends the action: what came of it is told. */
function closedByAction(tool: ToolDefinition, { session, tab }: Action, error: unknown): Record<string, unknown> {
  const isEffect = tool.policy.sendsInput && tab.page.isClosed() && session.isOpen && !(error instanceof ToolError);
  if (!isEffect) throw error;
  return {};
}
