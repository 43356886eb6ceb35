import { unlessAborted, within } from '@browser-toolset/core/waiting';
import type { Session } from '../browser/session.js';
import type { Tab } from '../browser/tab/tab.js';
import { plainMessage, ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import type { Action } from './action.js';
import type { ToolDefinition, ToolInput } from './define.js';
import { aborted, dialogOpen, endedBy, failure } from './failure.js';

/** How long an action that was cancelled may take to end, in milliseconds. */
const CRASH_GRACE_MS = 2_000;
/** How long a page may take to give a sign of life, in milliseconds. */
const SIGN_TIME = 1_000;

/** Whose call it is, and what its caller cancels it with. */
interface Cancellable {
  session: Session;
  signal?: AbortSignal;
}

/** Works until the caller, or the owner of the session, ends the call; then it answers so at once. */
export async function untilCancelled(
  { session, signal: caller }: Cancellable,
  work: (signal: AbortSignal) => Promise<CommonResult>,
): Promise<CommonResult> {
  const ending = new AbortController();
  const { signal } = ending;
  const onAbort = (): void => ending.abort(aborted());
  if (caller?.aborted) onAbort();
  caller?.addEventListener('abort', onAbort);
  const stopListening = session.events.on('interrupted', () =>
    ending.abort(new ToolError('browser_closed', 'The browser was closed while the call ran or waited.')),
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

/**
 * Calls back when a page that has had so many milliseconds gives no sign of life: a call that still runs then will not
 * end by itself. Returns the way to stop.
 */
function onSilence(tab: Tab, patience: number, listener: () => void): () => void {
  let isStopped = false;
  const ask = async (): Promise<void> => {
    const answer = tab.page.evaluate('true').catch(() => false);
    const isAlive = await within(SIGN_TIME, answer);
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

/** So many milliseconds of silence are more than any page needs that an action waits for. */
export function patienceWith({ owner: { config } }: Session, { timeout }: ToolInput): number {
  return config.timeout + config.navigationTimeout + (typeof timeout === 'number' ? timeout * 1000 : 0);
}

/** Races an action against what would hold it up for ever: a dialog, a crash, the end of the browser. */
export async function untilInterrupted(
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
        session.heldAction = run;
        // A reader has nothing to read; an action is under way.
        if (policy.readOnly) reject(dialogOpen(of));
        else resolve({});
      }),
      session.events.on('lost', () => reject(new ToolError('browser_closed', 'The browser ended while the call ran.'))),
      session.events.on('tabGone', (of, how) => {
        if ((of === tab || of === session.activeTab) && how === 'crashed')
          reject(new ToolError('page_crashed', `The page crashed while the call ran: ${of.url}`));
      }),
    );
    const seconds = Math.round(patience / 1000);
    stops.push(
      onSilence(tab, patience, () => reject(new ToolError('timeout', `The page has not reacted for ${seconds} s.`))),
    );
  });
  const ended = run.then(
    () => undefined,
    error =>
      session.owner.log.debug('action ended with an error', { threadId: session.threadId, error: plainMessage(error) }),
  );
  try {
    return await unlessAborted(Promise.race([run, interruption]), signal);
  } finally {
    for (const stop of stops) stop();
    // Who cancelled it has been answered; the next call must not meet what it still does to end, such as to stop loading.
    if (signal.aborted && tab.dialog === undefined) await within(CRASH_GRACE_MS, ended);
  }
}
