import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import { settle } from '../browser/settle.js';
import type { Tab } from '../browser/tab.js';
import { plainMessage, ToolError } from '../outcome/errors.js';
import type { CommonResult } from '../outcome/result.js';
import { type Reading, readChanges } from '../snapshot/reading.js';
import { Action, changed, isTimeout } from './action.js';
import type { ToolDefinition, ToolInput } from './define.js';

/** How long a page may take to be read after an action, in milliseconds. */
const READ_TIMEOUT = 8_000;
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
  const { session, sessions } = call;
  const signal = call.signal ?? new AbortController().signal;
  const turn = session.queue.run(async () => {
    if (signal.aborted) return failure(aborted());
    try {
      return await perform(tool, parsed.data as ToolInput, { ...call, signal });
    } finally {
      sessions.used(session);
    }
  });
  return Promise.race([turn, cancelled(signal, turn)]);
}

/** A call that waits for its turn ends as soon as it is cancelled; one that runs ends by itself then. */
function cancelled(signal: AbortSignal, turn: Promise<unknown>): Promise<CommonResult> {
  return new Promise(resolve => {
    const onAbort = (): void => resolve(failure(aborted()));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const done = (): void => signal.removeEventListener('abort', onAbort);
    turn.then(done, done);
  });
}

interface Running extends Call {
  signal: AbortSignal;
}

async function perform(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const { session, sessions, signal } = call;
  const began = performance.now();
  let tab: Tab | undefined;
  try {
    if (tool.policy.needsTab === false) return await withoutTab(tool, input, call);
    await sessions.makeRoom(session);
    tab = await session.ready();
    if (tab.dialog !== undefined && !tool.policy.worksInDialog) throw dialogOpen(tab);
    if (signal.aborted) throw aborted();
    const action = new Action(session, tab, signal, session.owner.config.timeout);
    session.dialogAnswer = input.onDialog;
    const facts = await untilInterrupted(tool.run(action, input), action);
    const reading = await follow(tool, action, began);
    const aftermath = { acted: reading?.page.acted, page: reading?.page };
    const report = tool.report?.(action, input, aftermath);
    const told = { ...action.facts, ...facts, ...report, ...changeFacts(tool, reading, began) };
    return success(session, told, reading, action.recovered);
  } catch (error) {
    return failed(session, tab, error, signal);
  } finally {
    session.dialogAnswer = undefined;
  }
}

async function withoutTab(tool: ToolDefinition, input: ToolInput, call: Running): Promise<CommonResult> {
  const facts = await tool.runWithoutTab?.(call, input);
  return { success: true, ...facts };
}

/** What is told of a click beside its effects. */
function changeFacts(tool: ToolDefinition, reading: Reading | undefined, began: number): Record<string, unknown> {
  if (!tool.policy.timed) return {};
  return { pageChanged: reading?.changed ?? true, executionTime: Math.round(performance.now() - began) / 1000 };
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
    const onAbort = (): void => reject(aborted());
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

/** Waits for what the action set in motion, then reads what changed. */
async function follow(tool: ToolDefinition, action: Action, since: number): Promise<Reading | undefined> {
  const { session, signal } = action;
  const { navigationTimeout, snapshot } = session.owner.config;
  if (!tool.policy.changesPage) return undefined;
  let tab = session.activeTab;
  if (tab === undefined || tab.dialog !== undefined) return undefined;
  if (tab === action.tab) await settle(tab, since, { timeout: action.timeout, signal, navigationTimeout });
  tab = session.activeTab;
  if (tab === undefined || tab.dialog !== undefined || tab.page.isClosed()) return undefined;
  if (snapshot.afterAction === 'none') return undefined;
  const reading = await readAfter(session, tab, signal);
  const blocked = reading?.page.blocked;
  const element = action.facts.element as { ref: string } | undefined;
  if (blocked !== undefined && element !== undefined) throw changed(session, action.entry(element.ref), blocked);
  return reading;
}

/** Reading what came of an action is no part of it: a page that cannot be read now does not make it fail. */
async function readAfter(session: Session, tab: Tab, signal: AbortSignal): Promise<Reading | undefined> {
  try {
    return await readChanges(session, tab, { timeout: Math.min(READ_TIMEOUT, session.owner.config.timeout), signal });
  } catch (error) {
    if (signal.aborted) throw aborted();
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
  const reason = signal.aborted ? aborted() : toToolError(error);
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
