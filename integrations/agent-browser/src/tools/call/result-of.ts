import type { Session } from '../../browser/session.js';
import type { Tab } from '../../browser/tab/tab.js';
import type { CommonResult } from '../../outcome/result.js';
import type { Reading } from '../../snapshot/reading.js';
import type { Action } from './action.js';
import { readAfter } from './aftermath.js';
import { endedBy, failure, toToolError } from './failure.js';

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

/** Where a session is, when it is anywhere. */
export function whereIs({ activeTab }: Session): Pick<CommonResult, 'url' | 'title'> {
  return activeTab === undefined ? {} : { url: activeTab.url, title: activeTab.title };
}

/** The result of a call that has done what it was to do. */
export function success(
  { session, recovered }: Action,
  facts: Record<string, unknown>,
  reading: Reading | undefined,
): CommonResult {
  const effects = takeEffects(session);
  return {
    success: true,
    ...whereIs(session),
    ...effects,
    ...(recovered !== undefined && { recovered }),
    ...(reading !== undefined && told(reading)),
    ...facts,
  };
}

function told({ changes, counts, isWhole }: Reading): Pick<CommonResult, 'changes' | 'changeCounts' | 'wholePage'> {
  return { changes, ...(counts && { changeCounts: counts }), ...(isWhole && { wholePage: true }) };
}

function takeEffects(session: Session): ReturnType<Session['effects']['take']> & Pick<CommonResult, 'humanActions'> {
  const humanActions = session.person.tell();
  const effects = session.effects.take();
  // Where they are now: they open empty.
  for (const opened of effects.newTabs ?? [effects.newTab ?? []].flat())
    opened.url = session.tab(opened.tab)?.address ?? opened.url;
  return { ...effects, ...(humanActions !== undefined && { humanActions }) };
}

/** The facts of a call that has failed. */
interface Failing {
  session: Session;
  tab?: Tab;
  action?: Action;
  signal: AbortSignal;
}

/** The result of a call that has failed, with what it had done by then. */
export async function failed({ session, tab, action, signal }: Failing, error: unknown): Promise<CommonResult> {
  const reason = signal.aborted ? endedBy(signal) : toToolError(error);
  if (reason.code === 'timeout' && tab !== undefined && tab.navigation === undefined) await checkAnswers(tab);
  const active = session.activeTab;
  const result: CommonResult = { ...failure(reason), ...(active !== undefined && { url: active.url }) };
  const isWorthALook = LOOK_AGAIN.has(reason.code) || action?.hasBegun;
  if (isWorthALook && active !== undefined && !active.isMute && !signal.aborted) {
    const reading = await readAfter(session, active, signal).catch(() => undefined);
    if (reading !== undefined) Object.assign(result, told(reading));
  }
  return { ...action?.facts, ...takeEffects(session), ...result };
}

/** Notes whether the page still runs, so that the next navigation knows. */
async function checkAnswers(tab: Tab): Promise<void> {
  const answer = tab.engine.ask(tab.page.mainFrame(), { do: 'ping' }, { timeout: 1_000 });
  tab.unresponsive = await answer.then(
    () => false,
    () => true,
  );
}
