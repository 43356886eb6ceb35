import type { Frame, Locator } from 'playwright-core';
import type { Limits } from '../browser/engine.js';
import { isTimeout, ToolError } from '../outcome/errors.js';
import type { AreaAnswer, GuardReport, Purpose } from '../page/protocol.js';
import { describeTold, type RefEntry } from '../refs/registry.js';
import { type Action, framesAround } from './action.js';
import { changed, movedAway } from './changed.js';
import { clickAtOnce, type PlainClick } from './click-at-once.js';
import { type Hindrance, hindrance } from './hindrance.js';

/** What Playwright is told at each try. */
export interface TryLimits extends Limits {
  /** Does not wait until the element stands still. */
  force?: true;
  /** Where to aim, from the corner of the element's padding box; else its middle. */
  position?: { x: number; y: number };
}

/** How an action reaches an element. */
export interface Attempt<T> {
  perform(locator: Locator, limits: TryLimits): Promise<T>;
  /** What the element must be fit for. */
  purpose?: Purpose;
  /** It is a click of the middle with nothing held down. */
  plainClick?: PlainClick;
}

/** After so many milliseconds without success the page is asked what is in the way. */
const FIRST_TRY = 1_500;
/** How often something that moves is aimed at anew. */
const CHASES = 3;

/** Lets Playwright act on an element, and says why when it does not get there. */
export async function attempt<T>(action: Action, entry: RefEntry, { perform, purpose }: Attempt<T>): Promise<T> {
  const locator = locate(action, entry, { purpose });
  const first = await untilLate(perform(locator, firstLimits(action)));
  if ('value' in first) return first.value;
  const found = await hindrance(action, entry, { mustBeEnabled: purpose !== undefined, patient: true });
  if (typeof found === 'function') throw await found();
  const second = await untilLate(perform(locator, { ...action.limits, ...aimAt(found) }));
  if ('value' in second) return second.value;
  throw await notInTime(action, entry, second.late);
}

/**
 * Lets Playwright press an element.
 * Invariant: once the press has reached the page it is not made again, however long the page takes over it.
 */
export async function pressAttempt(action: Action, entry: RefEntry, way: Attempt<void>): Promise<void> {
  const { perform, purpose } = way;
  await shieldFrames(action, entry.node.document.frame);
  if (entry.node.tag === 'area') return pressArea(action, entry, way);
  if (await clickAtOnce(action, entry, way)) return;
  const locator = locate(action, entry, { purpose, guard: true });
  const first = await untilLate(perform(locator, firstLimits(action)));
  if ('value' in first || hasPressed(first.late)) return;
  // The mouse reaches what is in a frame through the documents around it, which no guard of the frame sees.
  const canBeChased = entry.node.document.frame.parentFrame() === null;
  const found = await hindrance(action, entry, { mustBeEnabled: true, patient: true, canBeChased });
  if (found === 'moving') return chase(action, entry, way);
  if (typeof found === 'function') throw await found();
  const second = await untilLate(perform(locator, { ...action.limits, ...aimAt(found) }));
  if ('value' in second || hasPressed(second.late)) return;
  throw await notInTime(action, entry, second.late);
}

/** A person hits what is free of an element whose middle is covered. */
function aimAt(found: Hindrance | undefined): Pick<TryLimits, 'position'> {
  return typeof found === 'object' ? { position: found.freeAt } : {};
}

/** The mouse reaches what is in a frame through the documents around it, and may hit what lies over the frame there. */
async function shieldFrames(action: Action, frame: Frame): Promise<void> {
  await Promise.all(framesAround(frame).map(around => action.ask(around, { do: 'shield' })));
}

/** An area of an image has no box that Playwright could aim at: the image is pressed where the area is. */
async function pressArea(action: Action, entry: RefEntry, { perform }: Attempt<void>): Promise<void> {
  const { frame, doc } = entry.node.document;
  const target = action.session.refs.target(entry);
  const { image, position } = await action.ask<AreaAnswer>(frame, { do: 'area', target });
  const shown = { doc, id: image, fingerprint: 0, lastId: 0 };
  const locator = action.tab.engine.locator(frame, { do: 'element', target: shown });
  await perform(locator, { ...action.limits, force: true, position });
}

/** Presses where the element is at the moment; a press that would hit anything else is kept from the page. */
async function chase(action: Action, entry: RefEntry, { perform, purpose }: Attempt<void>): Promise<void> {
  const { frame } = entry.node.document;
  for (let tries = 0; tries < CHASES; tries++) {
    await perform(locate(action, entry, { purpose, guard: true }), { ...action.limits, force: true });
    const { missed, blocked } = await action.ask<GuardReport>(frame, { do: 'guard' });
    if (blocked !== undefined) throw changed(action.session, entry, { now: blocked });
    if (!missed) return;
  }
  throw movedAway(entry);
}

/**
 * Whether Playwright had pressed the mouse when its time was over: it goes on waiting for the page that the press asked
 * for, while Chromium answers no questions. Playwright tells in the log of its error alone.
 */
function hasPressed(error: Error): boolean {
  const pressed = error.message.lastIndexOf('performing click action');
  return pressed >= 0 && !error.message.includes('retrying click action', pressed);
}

/** What a promise is fulfilled with, or Playwright's error that the time was over. Throws any other error. */
async function untilLate<T>(running: Promise<T>): Promise<{ value: T } | { late: Error }> {
  try {
    return { value: await running };
  } catch (error) {
    if (error instanceof Error && isTimeout(error)) return { late: error };
    throw error;
  }
}

async function notInTime(action: Action, entry: RefEntry, cause: Error): Promise<ToolError> {
  const found = await hindrance(action, entry, { mustBeEnabled: true, patient: false });
  if (typeof found === 'function') return found();
  const what = `${entry.ref} (${describeTold(entry.told)})`;
  return new ToolError('timeout', `${what} did not take the action within ${action.timeout} ms.`, { cause });
}

function locate(action: Action, entry: RefEntry, way: { purpose?: Purpose; guard?: true }): Locator {
  const target = action.session.refs.target(entry);
  return action.tab.engine.locator(entry.node.document.frame, { do: 'element', target, ...way });
}

function firstLimits({ timeout, signal }: Action): Limits {
  return { timeout: Math.min(FIRST_TRY, timeout), signal };
}
