import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { Tab } from '../browser/tab.js';
import { plainMessage, ToolError } from '../outcome/errors.js';
import type { CommonResult } from '../outcome/result.js';
import type { Reading } from '../snapshot/reading.js';
import { Action } from './action.js';
import { follow, readAfter } from './aftermath.js';
import type { Approvals } from './approvals.js';
import type { Run, ToolDefinition, ToolInput } from './define.js';
import { aborted, describeIssues, dialogOpen, endedBy, failure, toToolError } from './failure.js';
import { FirstContact } from './first-contact.js';
import { misplacedSecrets } from './misplaced-secrets.js';
import { onSilence } from './silence.js';
import { SUSPENDED } from './suspended.js';
import { ToldAction } from './told-action.js';
import { inTurn } from './turn.js';

/** Failures after which a fresh look at the page helps. */
const LOOK_AGAIN = new Set([
  'stale_ref',
  'ref_changed',
  'invalid_ref',
  'element_not_found',
  'element_blocked',
  'element_not_visible',
  'element_disabled',
]);

/** Of calls that nobody can cancel. */
const NEVER = new AbortController().signal;

/** A call of a tool. */
export interface Call {
  sessions: Sessions;
  session: Session;
  signal?: AbortSignal;
  run?: Run;
  /** Asks for approval where it is needed; left out for calls that nobody has to approve. */
  approvals?: Approvals;
}

/** Runs a tool for a session: checks the input, waits for the session's turn, acts, and tells what came of it. Never throws. */
export async function runTool(tool: ToolDefinition, input: unknown, call: Call): Promise<CommonResult> {
  const { session, run } = call;
  // What was asked was checked before; Mastra repairs input when it asks, not when it goes on.
  const isResumed = tool.suspends !== undefined && run?.resumeData !== undefined;
  const parsed = isResumed ? { success: true as const, data: input } : tool.input.safeParse(input ?? {});
  const told = ToldAction.of(tool, session, (parsed.data ?? {}) as ToolInput);
  if (run !== undefined) session.person.noteRun({ runId: run.id, runThread: run.threadId });
  const refused = parsed.success
    ? misplacedSecrets(tool, parsed.data as ToolInput, session)
    : new ToolError('invalid_input', describeIssues(tool.id, parsed.error.issues));
  const work = (signal: AbortSignal): Promise<CommonResult> =>
    inTurn(tool, { session, signal }, async () => {
      const held = await heldForApproval(tool, parsed.data as ToolInput, call);
      if (held !== undefined) return held;
      told?.started();
      return perform(tool, parsed.data as ToolInput, { ...call, signal, told });
    });
  const whole = refused === undefined ? await untilCancelled(call, work) : failure(refused);
  // Invariant: this is the one way out for what pages say, whoever called and whatever became of it.
  const result = session.owner.secrets.hideIn(whole);
  if (result !== SUSPENDED || tool.suspends !== undefined) told?.ended(result);
  return result;
}

/** The result of a call that must not act yet, or not at all. */
async function heldForApproval(tool: ToolDefinition, input: ToolInput, call: Call): Promise<CommonResult | undefined> {
  const { approvals, session, run = {} } = call;
  if (approvals === undefined || tool.policy.readOnly) return undefined;
  try {
    return (await approvals.mayAct(tool, input, { session, run })) ? undefined : SUSPENDED;
  } catch (error) {
    return failed(session, undefined, error, call.signal ?? NEVER);
  }
}

async function untilCancelled(call: Call, work: (signal: AbortSignal) => Promise<CommonResult>): Promise<CommonResult> {
  const { signal, stop } = endOf(call);
  try {
    return await Promise.race([work(signal), cancelled(signal)]);
  } finally {
    stop();
  }
}

/** A signal for what ends a call early: its caller, or the owner of its session. */
function endOf({ session, signal }: Call): { signal: AbortSignal; stop: () => void } {
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(aborted());
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  const stopListening = session.events.on('interrupted', () =>
    ending.abort(new ToolError('browser_closed', 'The browser was closed while the call ran or waited.')),
  );
  const stop = (): void => {
    signal?.removeEventListener('abort', onAbort);
    stopListening();
  };
  return { signal: ending.signal, stop };
}

/** A call that waits for its turn ends as soon as it is cancelled; one that runs ends by itself then. */
function cancelled(signal: AbortSignal): Promise<CommonResult> {
  return new Promise(resolve => {
    const onAbort = (): void => resolve(failure(endedBy(signal)));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

interface Running extends Call {
  signal: AbortSignal;
  told?: ToldAction;
  /** What the call first ran on had died before. */
  isRerun?: true;
}

async function perform(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const { session, signal } = call;
  const began = performance.now();
  const contact = new FirstContact(session);
  const downloads = session.downloads.underWay;
  let tab: Tab | undefined;
  let action: Action | undefined;
  try {
    if (signal.aborted) throw endedBy(signal);
    if (tool.policy.needsTab === false) return await withoutTab(tool, input, call);
    tab = await session.ready(signal);
    // What only reads can always be done again; what asks the page first learns by that whether it is there.
    if (!tool.policy.readOnly && !tool.policy.asksFirst) contact.seek(tab);
    if (tab.dialog !== undefined && !tool.policy.worksInDialog) throw dialogOpen(tab);
    if (signal.aborted) throw endedBy(signal);
    action = new Action(session, tab, signal, session.owner.config.timeout);
    call.told?.follow(action);
    session.dialogAnswer = input.onDialog;
    const running = action;
    const facts = await untilInterrupted(tool.run(action, input), action, patienceWith(session, input)).catch(error =>
      closedByAction(tool, running, error),
    );
    const { reading, acted } = await follow(tool, action, began);
    await session.downloads.settled(downloads, action.limits);
    const report = tool.report?.(action, input, { acted, page: reading?.page });
    const told = { ...action.facts, ...facts, ...report, ...(tool.policy.timed && timing(session, reading, began)) };
    return success(session, told, reading, action.recovered);
  } catch (error) {
    if (!call.isRerun && !signal.aborted && !action?.wasAnswered && (await contact.hasFailed(error)))
      return perform(tool, input, { ...call, isRerun: true });
    await action?.letGo();
    return failed(session, tab, error, signal);
  } finally {
    session.dialogAnswer = undefined;
    contact.end();
  }
}

async function withoutTab(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const facts = await tool.runWithoutTab?.(call, input);
  return facts === SUSPENDED ? SUSPENDED : { success: true, ...facts };
}

/** What is told of a click beside its effects. Whether a page changed that could not be read, nobody knows. */
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

/** So many milliseconds of silence are more than any page needs that an action waits for. */
function patienceWith({ owner: { config } }: Session, { timeout }: ToolInput): number {
  return config.timeout + config.navigationTimeout + (typeof timeout === 'number' ? timeout * 1000 : 0);
}

/** Races an action against what would hold it up for ever: a dialog, a crash, the end of the browser. */
async function untilInterrupted(
  run: Promise<Record<string, unknown>>,
  action: Action,
  patience: number,
): Promise<Record<string, unknown>> {
  const { session, tab, signal } = action;
  const stops: (() => void)[] = [];
  const interruption = new Promise<Record<string, unknown>>((resolve, reject) => {
    stops.push(
      session.events.on('dialog', of => {
        if (of !== tab && of !== session.activeTab) return;
        session.heldAction = run;
        resolve({});
      }),
      session.events.on('lost', () => reject(new ToolError('browser_closed', 'The browser ended while the call ran.'))),
      session.events.on('tabGone', (of, how) => {
        if ((of === tab || of === session.activeTab) && how === 'crashed')
          reject(new ToolError('page_crashed', `The page crashed while the call ran: ${of.url}`));
      }),
    );
    const onAbort = (): void => reject(endedBy(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    const silent = new ToolError('timeout', `The page has not reacted for ${Math.round(patience / 1000)} s.`);
    stops.push(
      () => signal.removeEventListener('abort', onAbort),
      onSilence(tab, patience, () => reject(silent)),
    );
  });
  run.catch(error =>
    session.owner.log.debug('action ended with an error', { threadId: session.threadId, error: plainMessage(error) }),
  );
  try {
    return await Promise.race([run, interruption]);
  } finally {
    for (const stop of stops) stop();
  }
}

function success(
  session: Session,
  facts: Record<string, unknown>,
  reading: Reading | undefined,
  recovered?: CommonResult['recovered'],
): CommonResult {
  const tab = session.activeTab;
  const effects = takeEffects(session);
  return {
    success: true,
    ...(tab !== undefined && { url: tab.url, title: tab.title }),
    ...effects,
    ...(recovered !== undefined && { recovered }),
    ...(reading?.changes !== undefined && { changes: reading.changes }),
    ...facts,
  };
}

function takeEffects(session: Session): ReturnType<Session['effects']['take']> & Pick<CommonResult, 'humanActions'> {
  const humanActions = session.person.tell();
  const effects = session.effects.take();
  const opened = effects.newTab === undefined ? undefined : session.tab(effects.newTab.tab);
  if (opened !== undefined) effects.newTab = { tab: opened.id, url: opened.url };
  return { ...effects, ...(humanActions !== undefined && { humanActions }) };
}

async function failed(
  session: Session,
  tab: Tab | undefined,
  error: unknown,
  signal: AbortSignal,
): Promise<CommonResult> {
  const reason = signal.aborted ? endedBy(signal) : toToolError(error);
  if (reason.code === 'timeout' && tab !== undefined) await checkAnswers(tab);
  const active = session.activeTab;
  const result: CommonResult = { ...failure(reason), ...(active !== undefined && { url: active.url }) };
  if (LOOK_AGAIN.has(reason.code) && active !== undefined && active.dialog === undefined && !signal.aborted) {
    const reading = await readAfter(session, active, { signal }).catch(() => undefined);
    if (reading?.changes !== undefined) result.changes = reading.changes;
  }
  return { ...takeEffects(session), ...result };
}

/** Notes whether the page still runs, so that the next navigation knows. */
async function checkAnswers(tab: Tab): Promise<void> {
  const answer = tab.engine.ask(tab.page.mainFrame(), { do: 'ping' }, { timeout: 1_000 });
  tab.unresponsive = await answer.then(
    () => false,
    () => true,
  );
}
