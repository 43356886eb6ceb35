import type { Session } from '../browser/session.js';
import { isRestless, settle } from '../browser/settle.js';
import type { Tab } from '../browser/tab.js';
import { isTimeout, plainMessage, ToolError } from '../outcome/errors.js';
import type { ElementFacts, GuardReport } from '../page/protocol.js';
import { type Reading, type ReadOptions, readChanges } from '../snapshot/reading.js';
import type { Action } from './action.js';
import { changed, movedAway } from './changed.js';
import type { ToolDefinition } from './define.js';
import { endedBy } from './failure.js';

/** How long a page may take to be read after an action, in milliseconds. */
const READ_TIMEOUT = 8_000;
/** How long the document of the element acted on may take to say what came of it. */
const LOOK_BACK_TIMEOUT = 1_000;
/** How long a page that an action opened may take to be a tab. */
const POPUP_TIMEOUT = 2_000;

/** What an action left behind. */
export interface After {
  reading?: Reading;
  /** The element acted on, while it is still there. */
  acted?: ElementFacts;
}

/** Waits for what the action set in motion, then reads what changed. */
export async function follow(tool: ToolDefinition, action: Action, since: number): Promise<After> {
  const { session, signal } = action;
  const { navigationTimeout, snapshot } = session.owner.config;
  if (!tool.policy.changesPage) return {};
  let tab = session.activeTab;
  if (tab === undefined || tab.dialog !== undefined) return {};
  if (tool.policy.sendsInput) await session.popupsArrived({ timeout: POPUP_TIMEOUT, signal });
  let settledAt = since;
  const settled = async (): Promise<boolean> => {
    if (session.activeTab !== action.tab || action.isHasty || !isRestless(action.tab, settledAt)) return false;
    await settle(action.tab, settledAt, { timeout: action.timeout, signal, navigationTimeout });
    settledAt = performance.now();
    return true;
  };
  await settled();
  tab = session.activeTab;
  if (tab === undefined || tab.dialog !== undefined || tab.page.isClosed()) return {};
  const reading = snapshot.afterAction === 'none' ? undefined : await readAfter(session, tab, { signal, settled });
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
export async function readAfter(
  session: Session,
  tab: Tab,
  options: Omit<ReadOptions, 'timeout'> & { signal: AbortSignal },
): Promise<Reading | undefined> {
  const { signal } = options;
  const timeout = Math.min(READ_TIMEOUT, session.owner.config.timeout);
  try {
    return await readChanges(session, tab, { ...options, timeout });
  } catch (error) {
    if (signal.aborted) throw endedBy(signal);
    if (error instanceof ToolError) throw error;
    if (isTimeout(error)) tab.unresponsive = true;
    session.owner.log.debug('page could not be read after an action', {
      threadId: session.threadId,
      error: plainMessage(error),
    });
    return undefined;
  }
}
