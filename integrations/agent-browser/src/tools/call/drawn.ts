import type { Action } from './action.js';

/** Longest wait for the page to draw itself, in milliseconds. */
const DRAWN = 200;

/**
 * Resolves when the page has drawn itself anew: only then has it sent a form, or asked for what a scroll brought into
 * view. A page that is leaving, or does not draw, is not waited for.
 */
export async function drawn({ tab, signal }: Action): Promise<void> {
  try {
    await tab.engine.drawn(tab.page.mainFrame(), { timeout: DRAWN, signal });
  } catch (error) {
    // The document that was there may be gone by now, or too busy: what was done is done.
    if (signal.aborted || tab.page.isClosed()) throw error;
  }
}
