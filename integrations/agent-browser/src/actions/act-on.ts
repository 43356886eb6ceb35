import type { Locator } from 'playwright-core';
import type { Purpose } from '#page-engine/protocol.js';
import type { Limits } from '../browser/tab/engine.js';
import type { Action } from '../call/action.js';
import { describeEntry, type RefEntry } from '../refs/registry.js';
import { isTimeout, ToolError } from '../results/errors.js';
import { Approach } from './approach.js';

type Perform<T> = (locator: Locator, limits: Limits) => Promise<T>;

/**
 * Lets Playwright act on the element of a ref, which is checked at each of Playwright's tries. When it is gone and one
 * element has provably replaced it, the action continues there, and the result reports that.
 */
export async function actOn<T>(
  action: Action,
  ref: string,
  perform: Perform<T>,
  purpose?: Purpose,
): Promise<{ entry: RefEntry; value: T }> {
  return action.reach(ref, async entry => ({ entry, value: await attempt(action, entry, perform, purpose) }));
}

/** Lets Playwright act on an element, and reports what keeps it from doing so. */
async function attempt<T>(action: Action, entry: RefEntry, perform: Perform<T>, purpose?: Purpose): Promise<T> {
  const target = action.session.refs.target(entry);
  const locator = action.tab.engine.locator(entry.node.document.frame, target, purpose && { purpose });
  const { timeout, signal, timings } = action;
  const first = await untilLate(perform(locator, { timeout: Math.min(timings.firstTry, timeout), signal }));
  if ('value' in first) return first.value;
  const approach = new Approach(action, entry);
  await approach.check({ isPatient: true });
  const second = await untilLate(perform(locator, action.limits));
  if ('value' in second) return second.value;
  await approach.check({ isPatient: false });
  throw new ToolError('timeout', `${describeEntry(entry)} did not become actionable within ${timeout} ms.`, {
    cause: second.late,
  });
}

/** The value of a promise, or Playwright's timeout error. Throws any other error. */
async function untilLate<T>(running: Promise<T>): Promise<{ value: T } | { late: Error }> {
  try {
    return { value: await running };
  } catch (error) {
    if (error instanceof Error && isTimeout(error)) return { late: error };
    throw error;
  }
}
