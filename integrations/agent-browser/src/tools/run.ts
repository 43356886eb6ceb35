import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import { settle } from '../browser/settle.js';
import type { Tab } from '../browser/tab.js';
import { isTimeout, plainMessage, ToolError } from '../outcome/errors.js';
import type { CommonResult } from '../outcome/result.js';
import type { ElementFacts, GuardReport } from '../page/protocol.js';
import { type Reading, readChanges } from '../snapshot/reading.js';
import { Action } from './action.js';
import { changed, movedAway } from './changed.js';
import type { ToolDefinition, ToolInput } from './define.js';
import { FirstContact } from './first-contact.js';

/** How long a page may take to be read after an action, in milliseconds. */
const READ_TIMEOUT = 8_000;
/** How long the document of the element acted on may take to say what came of it. */
const LOOK_BACK_TIMEOUT = 1_000;
/** How long a page that an action opened may take to be a tab. */
const POPUP_TIMEOUT = 2_000;
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

/** A call of a tool. */
export interface Call {
  sessions: Sessions;
  session: Session;
  signal?: AbortSignal;
}

/** Runs a tool for a session: checks the input, waits for the session's turn, acts, and tells what came of it. Never throws. */
export async function runTool(tool: ToolDefinition, input: unknown, call: Call): Promise<CommonResult> {
  const parsed = tool.input.safeParse(input ?? {});
  if (!parsed.success) return failure(new ToolError('invalid_input', describeIssues(tool.id, parsed.error.issues)));
  const { session } = call;
  const { signal, stop } = endOf(call);
  const turn = session.queue.run(() => perform(tool, parsed.data as ToolInput, { ...call, signal }));
  try {
    return await Promise.race([turn, cancelled(signal)]);
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
  /** What the call first ran on had died before. */
  isRerun?: true;
}

async function perform(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const { session, signal } = call;
  const began = performance.now();
  const contact = new FirstContact(session);
  let tab: Tab | undefined;
  try {
    if (signal.aborted) throw endedBy(signal);
    if (tool.policy.needsTab === false) return await withoutTab(tool, input, call);
    tab = await session.ready(signal);
    // What only reads can always be done again.
    if (!tool.policy.readOnly) contact.seek(tab);
    if (tab.dialog !== undefined && !tool.policy.worksInDialog) throw dialogOpen(tab);
    if (signal.aborted) throw endedBy(signal);
    const action = new Action(session, tab, signal, session.owner.config.timeout);
    session.dialogAnswer = input.onDialog;
    const facts = await untilInterrupted(tool.run(action, input), action).catch(error =>
      closedByAction(tool, action, error),
    );
    const { reading, acted } = await follow(tool, action, began);
    const report = tool.report?.(action, input, { acted, page: reading?.page });
    const told = { ...action.facts, ...facts, ...report, ...(tool.policy.timed && timing(session, reading, began)) };
    return success(session, told, reading, action.recovered);
  } catch (error) {
    if (!call.isRerun && !signal.aborted && (await contact.hasFailed(error)))
      return perform(tool, input, { ...call, isRerun: true });
    return failed(session, tab, error, signal);
  } finally {
    session.dialogAnswer = undefined;
    contact.end();
  }
}

async function withoutTab(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const facts = await tool.runWithoutTab?.(call, input);
  return { success: true, ...facts };
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

/** Races an action against what would hold it up for ever: a dialog, a crash, the end of the browser. */
async function untilInterrupted(
  run: Promise<Record<string, unknown>>,
  action: Action,
): Promise<Record<string, unknown>> {
  const { session, tab, signal } = action;
  const stops: (() => void)[] = [];
  const interruption = new Promise<Record<string, unknown>>((resolve, reject) => {
    stops.push(
      session.events.on('dialog', of => {
        if (of !== tab) return;
        session.heldAction = run;
        resolve({});
      }),
      session.events.on('lost', () => reject(new ToolError('browser_closed', 'The browser ended while the call ran.'))),
      session.events.on('tabGone', (of, how) => {
        if (of === tab && how === 'crashed')
          reject(new ToolError('page_crashed', `The page crashed while the call ran: ${tab.url}`));
      }),
    );
    const onAbort = (): void => reject(endedBy(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    stops.push(() => signal.removeEventListener('abort', onAbort));
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

/** What an action left behind. */
interface After {
  reading?: Reading;
  /** The element acted on, while it is still there. */
  acted?: ElementFacts;
}

/** Waits for what the action set in motion, then reads what changed. */
async function follow(tool: ToolDefinition, action: Action, since: number): Promise<After> {
  const { session, signal } = action;
  const { navigationTimeout, snapshot } = session.owner.config;
  if (!tool.policy.changesPage) return {};
  let tab = session.activeTab;
  if (tab === undefined || tab.dialog !== undefined) return {};
  if (tool.policy.sendsInput) await session.popupsArrived({ timeout: POPUP_TIMEOUT, signal });
  if (tab === action.tab && !action.isHasty)
    await settle(tab, since, { timeout: action.timeout, signal, navigationTimeout });
  tab = session.activeTab;
  if (tab === undefined || tab.dialog !== undefined || tab.page.isClosed()) return {};
  const reading = snapshot.afterAction === 'none' ? undefined : await readAfter(session, tab, signal);
  const { blocked, missed, acted } = reading === undefined ? await lookBack(action) : actedIn(reading, action);
  if (blocked !== undefined && action.acted !== undefined)
    throw changed(session, action.acted.entry, { now: blocked, was: action.acted.was });
  if (missed && action.acted !== undefined) throw movedAway(action.acted.entry);
  return { reading, acted };
}

function actedIn({ page }: Reading, { acted }: Action): GuardReport {
  return {
    blocked: page.blocked,
    ...(page.missed && { missed: true }),
    acted: acted && page.acted.get(acted.entry.node.document.frame),
  };
}

/** Asks for what a reading of the page would have told of the element acted on. */
async function lookBack({ acted, tab, signal }: Action): Promise<GuardReport> {
  if (acted === undefined || tab.page.isClosed()) return {};
  const { frame } = acted.entry.node.document;
  return tab.engine
    .ask<GuardReport>(frame, { do: 'guard' }, { timeout: LOOK_BACK_TIMEOUT, signal })
    .catch((): GuardReport => ({}));
}

/** Reading what came of an action is no part of it: a page that cannot be read now does not make it fail. */
async function readAfter(session: Session, tab: Tab, signal: AbortSignal): Promise<Reading | undefined> {
  try {
    return await readChanges(session, tab, { timeout: Math.min(READ_TIMEOUT, session.owner.config.timeout), signal });
  } catch (error) {
    if (signal.aborted) throw endedBy(signal);
    if (isTimeout(error)) tab.unresponsive = true;
    session.owner.log.debug('page could not be read after an action', {
      threadId: session.threadId,
      error: plainMessage(error),
    });
    return undefined;
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

function takeEffects(session: Session): ReturnType<Session['effects']['take']> {
  const effects = session.effects.take();
  const opened = effects.newTab === undefined ? undefined : session.tab(effects.newTab.tab);
  if (opened !== undefined) effects.newTab = { tab: opened.id, url: opened.url };
  return effects;
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
    const reading = await readAfter(session, active, signal).catch(() => undefined);
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

/** A failure as the agent reads it. */
export function failure(error: ToolError): CommonResult {
  const hint = error.recoveryHint;
  return {
    success: false,
    code: error.code,
    message: error.message,
    ...(hint !== undefined && { recoveryHint: hint }),
    canRetry: error.canRetry,
  };
}

function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  if (isTimeout(error))
    return new ToolError('timeout', `The page did not answer in time: ${plainMessage(error)}`, { cause: error });
  return new ToolError('browser_error', plainMessage(error), { cause: error });
}

function endedBy(signal: AbortSignal): ToolError {
  return signal.reason instanceof ToolError ? signal.reason : aborted();
}

function aborted(): ToolError {
  return new ToolError('aborted', 'The call was cancelled.');
}

function dialogOpen(tab: Tab): ToolError {
  const dialog = tab.dialog;
  return new ToolError(
    'dialog_open',
    `A ${dialog?.type()} dialog is open: ${JSON.stringify(dialog?.message().slice(0, 200))}`,
  );
}

function describeIssues(id: string, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const fields = issues.map(issue => `- ${issue.path.map(String).join('.') || 'input'}: ${issue.message}`);
  return `${id} cannot take this input:\n${fields.join('\n')}`;
}
