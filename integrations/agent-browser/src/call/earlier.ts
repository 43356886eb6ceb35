import type { Frame } from 'playwright-core';
import type { Tab } from '../browser/tab/tab.js';
import { KnownPage, keysIn } from '../diff/known-page.js';
import { compare, type EarlierChanges, isFaint } from '../diff/page-view.js';
import { logged } from '../results/errors.js';
import type { Action } from './action.js';
import type { ToolDefinition, ToolInput } from './define.js';

/** Milliseconds that a page may take to answer whether it has changed: one that hangs must not hold up the call. */
const ASK_AGE_MS = 500;
/** Milliseconds that a capture before an action may take. */
const EARLIER_TIMEOUT_MS = 2_000;
const MOST_WATCHED_FRAMES = 8;

/**
 * Reads what has changed since the agent last read the page, before a call acts: a later capture would mix it with the
 * effects of the call. Undefined where nothing has, or where the page cannot be read now.
 */
export async function changesBefore(
  { policy }: ToolDefinition,
  action: Action,
  input: ToolInput,
): Promise<EarlierChanges | undefined> {
  const { tab, session, signal } = action;
  const { known } = tab;
  const { changesPage = false } = policy;
  const isReported = typeof changesPage === 'function' ? changesPage(input) : changesPage;
  // What a wait sees has all come since the last result.
  if (!isReported || policy.watches || known === undefined || session.owner.config.snapshot.afterAction === 'none')
    return undefined;
  if (tab.state !== 'alive' || tab.navigation !== undefined) return undefined;
  const at = performance.now();
  const age = await ageOfChanges(action);
  if (age === undefined && tab.capturedRoots === known.page.roots) return undefined;
  try {
    const { page, changes } = await compare(tab, { timeout: EARLIER_TIMEOUT_MS, signal, isAside: true });
    if (changes === undefined) return undefined;
    if (age !== undefined && changes.some(change => !isFaint(change))) tab.lateness.came(at - age);
    const keys = keysIn(page.roots);
    return { page: new KnownPage(page, [], known, key => keys.has(key)), changes };
  } catch (error) {
    if (signal.aborted) throw error;
    return logged(session, 'page could not be read before an action')(error);
  }
}

/** Milliseconds since the first change after the latest capture, in any document; undefined where there was none. */
export async function ageOfChanges(action: Action): Promise<number | undefined> {
  const { engine } = action.tab;
  const limits = { timeout: ASK_AGE_MS, signal: action.signal };
  const asked = framesWatched(action.tab).map(frame => engine.call(frame, 'changedFor', {}, limits));
  // A frame that is loading or hangs is read with the page.
  const ages = (await Promise.allSettled(asked)).flatMap(each => (each.status === 'fulfilled' && each.value) || []);
  return ages.length === 0 ? undefined : Math.max(...ages);
}

/** The main frame, given frames, and others that have an engine. */
export function framesWatched({ page, engine }: Tab, ...first: readonly Frame[]): Frame[] {
  const known = page.frames().filter(frame => engine.lines.has(frame));
  return [...new Set([page.mainFrame(), ...first, ...known])].slice(0, MOST_WATCHED_FRAMES);
}
