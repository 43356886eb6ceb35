import type { AskOptions } from '../../browser/tab/ask-options.js';
import type { Action } from './action.js';

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
