import { inTime } from '@browser-toolset/core/waiting';
import type { AskOptions } from '../browser/tab/engine-line.js';
import type { GuardReport } from '../page/protocol.js';
import { ToolError } from '../results/errors.js';
import type { Action } from './action.js';

/**
 * Ends the wait for what Playwright waits for without end, such as that the page takes an event of mouse or keyboard,
 * when the time of the action is over. `extra` milliseconds are added where there is much to do; `late` says what did
 * not happen then.
 */
export function taken<T>(
  action: Action,
  work: Promise<T>,
  { extra = 0, late = 'The page did not take the input' }: { extra?: number; late?: string } = {},
): Promise<T> {
  const milliseconds = action.timeout + extra;
  return inTime(milliseconds, work, () => new ToolError('timeout', `${late} within ${milliseconds} ms.`));
}

/** Longest wait for the page to draw itself, in milliseconds. */
const DRAWN = 200;

/**
 * Resolves when the page has drawn itself anew: only then has it sent a form, or asked for what a scroll brought into
 * view. A page that is leaving, or does not draw, is not waited for.
 */
export async function drawn(action: Action): Promise<void> {
  const { engine, page } = action.tab;
  await unlessGone(action, limits => engine.drawn(page.mainFrame(), limits));
}

/** Resolves when the page has done what it had put off for a moment. A page that is leaving, or busy, is not waited for. */
export async function rested(action: Action): Promise<void> {
  const { engine, page } = action.tab;
  await unlessGone(action, limits => engine.rested(page.mainFrame(), limits));
}

async function unlessGone({ tab, signal }: Action, wait: (limits: AskOptions) => Promise<void>): Promise<void> {
  try {
    await wait({ timeout: DRAWN, signal });
  } catch (error) {
    // The document that was there may be gone by now, or too busy: what was done is done.
    if (signal.aborted || tab.page.isClosed()) throw error;
  }
}

/** How long the document of the element acted on may take to say what came of it, in milliseconds. */
const LOOK_BACK_TIMEOUT = 1_000;

/** Asks the document of the element acted on what came of it. One that the action left, or keeps busy, says nothing. */
export async function readGuardReport({ acted, tab, signal }: Action): Promise<GuardReport> {
  if (acted === undefined || tab.crashed || tab.page.isClosed()) return {};
  const { frame } = acted.entry.node.document;
  return tab.engine
    .ask<GuardReport>(frame, { do: 'guard' }, { timeout: LOOK_BACK_TIMEOUT, signal })
    .catch((): GuardReport => ({}));
}
