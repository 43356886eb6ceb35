import { unlessAborted, within } from '@browser-toolset/core/waiting';
import type { Session } from '../browser/session.js';
import { stopLoading, until } from '../browser/tab/settle.js';
import type { Tab } from '../browser/tab/tab.js';
import { offeredNames } from '../browser/tab/web-mcp.js';
import { inTraceGroup } from '../browser/trace.js';
import { changesText, hasChanged, type PageReading, UNCHANGED } from '../diff/page-view.js';
import type { ParentSpan } from '../observe/observation.js';
import { effectWords } from '../results/effects.js';
import { isTimeout, logged, ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import { Action, type PressGrant, SUSPENDED } from './action.js';
import { type Following, follow, keepPrinted, readAfter } from './aftermath.js';
import { type Approvals, heldForApproval, Suspension } from './approvals.js';
import type { TablessCall, ToolDefinition, ToolInput } from './define.js';
import { changesBefore } from './earlier.js';
import { aborted, describeIssues, dialogOpen, endedBy, failure, toToolError } from './failure.js';
import { meantInput } from './meant-input.js';
import { ViewerEvents, WatchedCall } from './reporting.js';

export interface Call extends TablessCall {
  /** Requests approval where it is needed; left out for calls that need none. */
  approvals?: Approvals;
  /** The span that the call is part of, when it is traced. */
  span?: ParentSpan;
}

export interface CallOptions {
  /** Cancels the running call; its result has the code `aborted`. */
  signal?: AbortSignal;
}

/** Time for a cancelled action to end. */
const CANCEL_GRACE_MS = 2_000;

/** Works until the caller, or the owner of the session, ends the call, which then returns at once. */
async function untilCancelled(
  { session, signal: caller }: Pick<Call, 'session' | 'signal'>,
  work: (signal: AbortSignal) => Promise<CommonResult>,
): Promise<CommonResult> {
  const ending = new AbortController();
  const { signal } = ending;
  const onAbort = (): void => ending.abort(aborted());
  if (caller?.aborted) onAbort();
  caller?.addEventListener('abort', onAbort);
  const stopListening = session.events.on('interrupted', () =>
    ending.abort(new ToolError('browser_closed', 'The browser was closed while the call was running or waiting.')),
  );
  try {
    return await unlessAborted(work(signal), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const { activeTab } = session;
    return { ...failure(endedBy(signal)), ...(activeTab && { url: activeTab.url }) };
  } finally {
    caller?.removeEventListener('abort', onAbort);
    stopListening();
  }
}

/** Calls back when a page does not respond after `patience` milliseconds: the call will not end by itself. */
function onSilence(tab: Tab, patience: number, listener: () => void): () => void {
  let isStopped = false;
  const ask = async (): Promise<void> => {
    const isAlive = await tab.probe();
    if (isStopped) return;
    if (isAlive) timer = setTimeout(ask, patience);
    else listener();
  };
  let timer = setTimeout(ask, patience);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Milliseconds of silence beyond any wait that an action allows a page. */
function patienceWith({ owner: { config } }: Session, { timeout }: ToolInput): number {
  return config.timeout + config.navigationTimeout + (typeof timeout === 'number' ? timeout * 1000 : 0);
}

/** Races an action against what would hold it up for ever: a dialog, a crash, the end of the browser. */
async function untilInterrupted(
  { policy }: ToolDefinition,
  action: Action,
  { run, patience }: { run: Promise<Record<string, unknown>>; patience: number },
): Promise<Record<string, unknown>> {
  const { session, tab, signal } = action;
  const stops: (() => void)[] = [];
  const interruption = new Promise<Record<string, unknown>>((resolve, reject) => {
    stops.push(
      session.events.on('dialog', of => {
        if (of !== tab && of !== session.activeTab) return;
        // Its error is logged below, and the page shows its outcome.
        session.heldAction = run.then(
          () => action,
          () => action,
        );
        // A reader has nothing to read; an action is in progress.
        if (policy.readOnly) reject(dialogOpen(of));
        else resolve({});
      }),
      session.events.on('lost', () =>
        reject(new ToolError('browser_closed', 'The browser exited while the call was running.')),
      ),
      session.events.on('tabGone', (of, how) => {
        // A page that is being left is replaced.
        if ((of === tab || of === session.activeTab) && how === 'crashed' && of.leaving === undefined)
          reject(new ToolError('page_crashed', `The page crashed while the call was running: ${of.url}`));
      }),
    );
    const seconds = Math.round(patience / 1000);
    stops.push(
      onSilence(tab, patience, () =>
        reject(new ToolError('timeout', `The page has been unresponsive for ${seconds} s.`)),
      ),
    );
  });
  const ended = run.then(() => undefined, logged(session, 'action ended with an error'));
  try {
    return await unlessAborted(Promise.race([run, interruption]), signal);
  } finally {
    for (const stop of stops) stop();
    // The caller has its answer; the next call must not meet what this one still has to end, such as a load.
    if (signal.aborted && tab.dialog === undefined) await within(CANCEL_GRACE_MS, ended);
  }
}

/** Failures after which another reading of the page helps. */
const CAPTURED_AGAIN = new Set([
  'stale_ref',
  'ref_changed',
  'invalid_ref',
  'element_not_found',
  'element_blocked',
  'element_not_visible',
  'element_disabled',
]);

function urlAndTitle({ activeTab }: Session): Pick<CommonResult, 'url' | 'title'> {
  return activeTab === undefined ? {} : { url: activeTab.url, title: activeTab.title };
}

function success(action: Action, facts: Record<string, unknown>, reading: PageReading | undefined): CommonResult {
  const { session, tab, recovered, hasEffectBeside, isKnownUnchanged } = action;
  const effects = takeEffects(session);
  // Each effect that happened is a change, and so is another active tab; what came before the action is none.
  const own = effectWords({ ...effects, humanActions: undefined, recovered: undefined });
  const isBeside = session.activeTab !== tab || own.length > 0 || hasEffectBeside;
  return {
    success: true,
    ...urlAndTitle(session),
    ...effects,
    ...(recovered !== undefined && { recovered }),
    ...(reading !== undefined && changeFields(reading, isBeside)),
    ...(isKnownUnchanged && { changes: changesText(UNCHANGED, { isBeside }) }),
    ...facts,
  };
}

function changeFields(
  reading: PageReading,
  isBeside = false,
): Pick<CommonResult, 'changes' | 'changeCounts' | 'wholePage'> {
  const { counts, isWhole } = reading;
  const changes = changesText(reading, { isBeside });
  return { changes, ...(counts && { changeCounts: counts }), ...(isWhole && { wholePage: true }) };
}

function takeEffects(session: Session): ReturnType<Session['effects']['take']> & Pick<CommonResult, 'humanActions'> {
  const humanActions = session.person.takeReport();
  const effects = session.effects.take();
  // The current URLs: new tabs open empty.
  for (const opened of effects.newTabs ?? [effects.newTab ?? []].flat())
    opened.url = session.tab(opened.tab)?.address ?? opened.url;
  return { ...effects, ...(humanActions !== undefined && { humanActions }) };
}

interface Failing extends Pick<Running, 'session' | 'signal'> {
  tab?: Tab;
  action?: Action;
}

async function failed({ session, tab, action, signal }: Failing, error: unknown): Promise<CommonResult> {
  const reason = signal.aborted ? endedBy(signal) : toToolError(error);
  // The next navigation has to know whether the page still answers.
  if (reason.code === 'timeout' && tab?.isReachable && tab.navigation === undefined) await tab.probe();
  const active = session.activeTab;
  const result: CommonResult = { ...failure(reason), ...(active !== undefined && { url: active.url }) };
  const mayHaveEffects = CAPTURED_AGAIN.has(reason.code) || action?.hasBegun;
  // Finding its element or focusing it may have changed the page, such as opened a calendar.
  const mayHaveStirred = mayHaveEffects || (action?.acted !== undefined && active?.state !== 'silent');
  if (mayHaveStirred && active?.isReachable && !signal.aborted) {
    const earlier = active === action?.tab ? action.earlier : undefined;
    const reading = action?.reading ?? (await readAfter(session, active, { signal, earlier }).catch(() => undefined));
    const isNew = reading !== undefined && (hasChanged(reading) || reading.earlier !== undefined);
    // A search for what is not there changes nothing, and need not be reported.
    const isExpected = mayHaveEffects && reason.code !== 'element_not_found';
    if (reading !== undefined && (isNew || isExpected)) Object.assign(result, changeFields(reading));
  }
  return { ...action?.facts, ...takeEffects(session), ...result };
}

/** Milliseconds after which a page that has not answered is not known to have been reached. */
const CONTACT_MS = 30_000;
/** The end of a browser is reported within this time after the end of its pages. */
const LOSS_REPORT_MS = 200;

/** Detects a browser or page that had died before a call reached it, so that the call can run again. */
class FirstContact {
  #isLost = false;
  #isReached = false;
  readonly #loss = Promise.withResolvers<void>();
  readonly #stops: (() => void)[];

  constructor(session: Session) {
    const lost = (): void => {
      this.#isLost = true;
      this.#loss.resolve();
    };
    this.#stops = [
      session.events.on('lost', lost),
      session.events.on('tabGone', (tab, how) => {
        if (how === 'crashed' && tab === session.activeTab) lost();
      }),
    ];
  }

  /** Whether the call can run again. Its error may arrive a moment before the event that explains it. */
  async hasFailed(error: unknown): Promise<boolean> {
    if (this.#isReached) return false;
    if (!this.#isLost && !(error instanceof ToolError) && !isTimeout(error))
      await within(LOSS_REPORT_MS, this.#loss.promise);
    return this.#isLost;
  }

  /** Asks the page for a sign of life before the call sends anything. The answer is not awaited. */
  seek(tab: Tab): void {
    void tab.probe({ timeout: CONTACT_MS }).then(isAlive => {
      this.#isReached ||= isAlive === true;
    });
  }

  end(): void {
    for (const stop of this.#stops) stop();
  }
}

/** Rejects the name of a secret wherever its value would go into a URL, a dialog or a list of options, or nowhere. */
function misplacedSecrets({ policy }: ToolDefinition, input: ToolInput, session: Session): ToolError | undefined {
  const { secrets } = session.owner;
  if (secrets.areNone || policy.readOnly || policy.needsTab === false) return undefined;
  const asked = secrets.asked(JSON.stringify(policy.takesSecrets ? (input.onDialog ?? '') : input));
  const known = asked.filter(name => secrets.names.includes(name));
  if (known.length === 0) return undefined;
  return new ToolError(
    'secret_not_allowed',
    `The secret ${known.join(', ')} can only be typed into text fields. Nothing was done.`,
  );
}

/**
 * Lets a call act when it is its turn in the session and no person has control. Calls that only read run beside a
 * person; the others wait in front of the queue, so that they block nothing.
 */
async function inTurn(
  { policy }: ToolDefinition,
  { session, signal }: Pick<Running, 'session' | 'signal'>,
  act: () => Promise<CommonResult>,
): Promise<CommonResult> {
  const { queue, person } = session;
  if ((policy.readOnly && !policy.scrolls) || policy.watches) return queue.run(act);
  const { control } = person;
  const { onAction, timeout } = session.owner.config.humanControl;
  const began = performance.now();
  for (;;) {
    // A single action of a person is soon over; control by a person may last.
    const isRefused = onAction === 'refuse' && control.isHeld;
    const left = timeout === undefined ? undefined : Math.max(0, began + timeout - performance.now());
    // Free control is not awaited, so that calls keep their order.
    if (!control.isFree && (isRefused || !(await control.agentMayAct({ timeout: left, signal }))))
      return inControl(session, isRefused ? 0 : performance.now() - began);
    const result = await queue.run(async () => {
      const leave = control.enterAsAgent();
      return leave === undefined ? undefined : act().finally(leave);
    });
    if (result !== undefined) return result;
  }
}

function inControl(session: Session, waited: number): CommonResult {
  const patience = waited === 0 ? '' : ` and did not give it back within ${Math.round(waited / 1000)} s`;
  const error = new ToolError('human_in_control', `A person has control of this browser${patience}.`);
  const { activeTab } = session;
  return { ...failure(error), ...(activeTab !== undefined && { url: activeTab.url }) };
}

/** Lets a call act while no other process works in the thread, and records the session's state after it. */
async function recorded(
  { policy }: ToolDefinition,
  session: Session,
  act: () => Promise<CommonResult>,
): Promise<CommonResult> {
  if (session.owner.record === undefined || policy.needsTab === false) return act();
  try {
    await session.begin();
  } catch (error) {
    return failure(toToolError(error));
  }
  const result = await act();
  try {
    await session.end();
    return result;
  } catch (error) {
    return { ...(result.url !== undefined && { url: result.url }), ...failure(toToolError(error)) };
  }
}

/** Waits for a navigation that an earlier call left, and stops one that stalls: it blocks the previous page. */
async function arrival({ session, tab, signal, timeout }: Action): Promise<void> {
  if (!tab.isNavigationStalled) return;
  const url = tab.navigation?.url();
  const left = tab.navigationLeft(session.owner.config.navigationTimeout);
  const hasCome = await until(tab, () => tab.navigation === undefined, { timeout: Math.min(timeout, left), signal });
  if (signal.aborted) throw endedBy(signal);
  if (hasCome || !tab.isNavigationStalled) return;
  if (!(await stopLoading(tab))) return;
  session.effects.recovered(`${url} did not respond`, 'gave up; the previous page is still there');
}

/** Runs a tool for a session: checks the input, waits for its turn, acts and reports the outcome. Never throws. */
export async function runTool(tool: ToolDefinition, input: unknown, call: Call): Promise<CommonResult> {
  const { session, run } = call;
  // The first call was checked before; Mastra repairs input when it calls, not when it resumes.
  const isResumed = tool.suspends !== undefined && run?.resumeData !== undefined;
  const parsed = isResumed
    ? { success: true as const, data: input }
    : tool.input.safeParse(meantInput(tool.input, input ?? {}));
  const watched = new WatchedCall(tool.id, session, call.span);
  const events = ViewerEvents.of(tool, session, (parsed.data ?? {}) as ToolInput);
  if (run !== undefined) session.person.noteRun({ runId: run.id, runThread: run.threadId });
  const refused = parsed.success
    ? misplacedSecrets(tool, parsed.data as ToolInput, session)
    : new ToolError('invalid_input', describeIssues(tool.id, parsed.error.issues));
  const work = (signal: AbortSignal): Promise<CommonResult> =>
    inTurn(tool, { session, signal }, async () => {
      const judged = await heldForApproval(tool, parsed.data as ToolInput, call);
      if ('held' in judged) return judged.held;
      watched.started();
      events?.started();
      const acting = { ...call, ...judged, signal, events, watched };
      return recorded(tool, session, () => perform(tool, parsed.data as ToolInput, acting));
    });
  const whole = refused === undefined ? await untilCancelled(call, work) : failure(refused);
  // Invariant: content of pages leaves only here, whatever the caller and the outcome.
  const result = session.owner.secrets.hideIn(whole);
  if (result !== SUSPENDED || tool.suspends !== undefined) events?.ended(result);
  else events?.suspended();
  watched.ended(result);
  return result;
}

interface Running extends Call {
  signal: AbortSignal;
  grant?: PressGrant;
  events?: ViewerEvents;
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
    // Only reads can always be repeated; a tool that asks the page first learns by that whether it responds.
    if (!tool.policy.readOnly && !tool.policy.asksFirst) contact.seek(tab);
    if (tab.dialog !== undefined && !tool.policy.worksInDialog) throw dialogOpen(tab);
    if (signal.aborted) throw endedBy(signal);
    action = new Action(session, tab, signal, session.owner.config.timeout);
    action.run = call.run;
    action.grant = call.grant;
    if (!tool.policy.allowedDuringNavigation) await arrival(action);
    call.events?.follow(action);
    call.watched.follow(action);
    session.dialogAnswer = input.onDialog;
    session.effects.isActing = !tool.policy.readOnly;
    const { readOnly, worksInDialog, watches } = tool.policy;
    if (!readOnly && !worksInDialog && !watches) tab.alertEndedAt = undefined;
    const running = action;
    // A page that crashes ends this as well: it answers nothing any more.
    const begin = async () => {
      running.earlier = await changesBefore(tool, running, input);
      return (await tool.run?.(running, input)) ?? {};
    };
    const acting = () => untilInterrupted(tool, running, { run: begin(), patience: patienceWith(session, input) });
    const facts = await watch
      .time('acting', () => traced(tool, input, running, acting))
      .catch(error => closedByAction(tool, running, error));
    return await succeeded(tool, running, { input, facts, since: began, watch });
  } catch (error) {
    if (error instanceof Suspension) return SUSPENDED;
    const hasTime = performance.now() - began < session.owner.config.navigationTimeout;
    if (hasTime && !call.isRerun && !signal.aborted && !action?.wasAnswered && (await contact.hasFailed(error)))
      return perform(tool, input, { ...call, isRerun: true });
    await action?.releaseInput();
    return failed({ session, tab, action, signal }, error);
  } finally {
    session.effects.isActing = false;
    session.dialogAnswer = undefined;
    if (tab?.crashed === false) tab.reopened = undefined;
    contact.end();
  }
}

async function succeeded(
  tool: ToolDefinition,
  action: Action,
  { facts, ...done }: Following & { facts: Record<string, unknown> },
): Promise<CommonResult> {
  const { session } = action;
  const { input, since, watch } = done;
  const { reading, ...left } = await watch.time('reading', () => follow(tool, action, done));
  await session.downloads.settled(since, action.limits);
  await keepPrinted(session);
  await noteOffers(tool, session);
  const report = tool.report?.(action, input, { ...left, page: reading?.page, shown: reading?.shown });
  const { validation } = left;
  const fields = {
    ...action.facts,
    ...facts,
    ...report,
    ...(validation && { validation }),
    ...(tool.policy.timed && timing(session, reading, since)),
  };
  return success(action, fields, reading);
}

/** Reports the tools that a newly opened page offers. A call that only reads has opened none. */
async function noteOffers({ policy }: ToolDefinition, { owner, effects, activeTab }: Session): Promise<void> {
  if (!owner.config.webMcp || policy.readOnly || !effects.current.navigated) return;
  if (activeTab === undefined || !activeTab.isReachable) return;
  const pageTools = await offeredNames(activeTab);
  if (pageTools.length > 0) effects.note({ pageTools });
}

async function withoutTab(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const facts = await tool.runWithoutTab?.(call, input);
  return facts === SUSPENDED ? SUSPENDED : { success: true, ...urlAndTitle(call.session), ...facts };
}

/** Groups the steps of an action under the name of its tool in a trace. */
function traced<T>(
  tool: ToolDefinition,
  { ref }: ToolInput,
  { session, tab }: Action,
  act: () => Promise<T>,
): Promise<T> {
  const name = typeof ref === 'string' ? `${tool.id} ${ref}` : tool.id;
  return inTraceGroup({ context: tab.page.context(), threadId: session.threadId, owner: session.owner }, name, act);
}

/** The timing of a click. Whether a page changed is unknown when it could not be read. */
function timing(session: Session, reading: PageReading | undefined, began: number): Record<string, unknown> {
  const { navigated, closedTabs, dialog } = session.effects.current;
  const elsewhere = navigated ?? (closedTabs !== undefined || dialog !== undefined);
  const pageChanged = reading?.changed || elsewhere || undefined;
  return {
    ...((reading !== undefined || pageChanged) && { pageChanged: pageChanged ?? false }),
    executionTime: Math.round(performance.now() - began) / 1000,
  };
}

/** Input that makes a page close itself ends the action, whose effects are reported. */
function closedByAction(tool: ToolDefinition, { session, tab }: Action, error: unknown): Record<string, unknown> {
  const isEffect = tool.policy.sendsInput && tab.page.isClosed() && session.isOpen && !(error instanceof ToolError);
  if (!isEffect) throw error;
  return {};
}
