import type { Frame, Locator } from 'playwright-core';
import { withCdp } from '../../browser/chromium/cdp.js';
import type { Limits } from '../../browser/tab/engine.js';
import { isTimeout, plainMessage, ToolError } from '../../outcome/errors.js';
import type { AimAnswer, AreaAnswer } from '../../page/answers.js';
import type { GuardReport, Purpose } from '../../page/protocol.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { describeTold } from '../../refs/told.js';
import { changed, fullOfOthers, movedAway } from '../element/changed.js';
import { type ClickManner, clickAtOnce } from '../element/click-at-once.js';
import { elementState } from '../element/wait-for.js';
import { type Action, framesAround } from './action.js';
import { type Hindrance, hindrance } from './hindrance.js';
import { taken } from './page-waits.js';

/** The options of each try. */
export interface TryLimits extends Limits {
  /** Does not wait until the element stands still. */
  force?: true;
  /** Where to aim, from the corner of the element's padding box; else its middle. */
  position?: { x: number; y: number };
}

/** How an action reaches an element. */
interface Attempt<T> {
  perform(locator: Locator, limits: TryLimits): Promise<T>;
  /** The coming action that the element must be fit for. */
  purpose?: Purpose;
  /** It is a click of the middle. */
  click?: ClickManner;
}

/** A frame that is not acted on may take so many milliseconds to keep presses out. */
const SHIELDING = 500;
/** How often a press is made that comes nowhere because pages open in front of it. */
const PRESSES = 5;
/** How often something that moves is aimed at anew. */
const CHASES = 10;

/** Roles of elements that hold a value or a choice, and send nothing when they are pressed. */
const FIELD_ROLES = new Set(
  `checkbox combobox listbox menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox
  treeitem`.split(/\s+/),
);

/**
 * Lets Playwright act on the element of a ref. The element is checked again at each of Playwright's tries; when it is gone
 * and one element has provably taken its place, the action goes on there and the result says so.
 */
export async function actOn<T>(
  action: Action,
  ref: string,
  perform: Attempt<T>['perform'],
  purpose?: Purpose,
): Promise<{ entry: RefEntry; value: T }> {
  return action.reach(ref, async entry => ({ entry, value: await attempt(action, entry, { perform, purpose }) }));
}

/** Lets Playwright press the element of a ref, which must be what the agent was told until the press lands. */
export async function pressElement(action: Action, ref: string, way: Attempt<void>): Promise<RefEntry> {
  return action.reach(ref, async entry => {
    action.mayHaveSent ||= !FIELD_ROLES.has(entry.told.role);
    await pressAttempt(action, entry, { purpose: { to: 'click' }, ...way });
    action.hasBegun = true;
    return entry;
  });
}

/** Clicks the middle of the element of a ref, which must be what the agent was told until the press lands. */
export async function clickElement(action: Action, ref: string, manner: ClickManner = {}): Promise<RefEntry> {
  const perform: Attempt<void>['perform'] = (locator, limits) => locator.click({ ...manner, ...limits });
  return onceEnabled(action, ref, () => pressElement(action, ref, { perform, click: manner }));
}

/** Presses an element; one that is disabled gets a moment to become enabled. */
async function onceEnabled<T>(action: Action, ref: string, press: () => Promise<T>): Promise<T> {
  try {
    return await press();
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'element_disabled') throw error;
    const { signal, timings } = action;
    await elementState(action, ref, { state: 'enabled', timeout: timings.enabled, signal }).catch(late => {
      throw isTimeout(late) ? error : late;
    });
    return press();
  }
}

/** Lets Playwright act on an element, and says why when it does not get there. */
async function attempt<T>(action: Action, entry: RefEntry, { perform, purpose }: Attempt<T>): Promise<T> {
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
async function pressAttempt(action: Action, entry: RefEntry, way: Attempt<void>): Promise<void> {
  const others = await shieldOthers(action, entry);
  try {
    await pressGuarded(action, entry, way);
  } finally {
    for (const frame of others) lower(action, frame);
  }
}

async function pressGuarded(action: Action, entry: RefEntry, way: Attempt<void>, tries = PRESSES): Promise<void> {
  const { purpose } = way;
  if (entry.node.tag === 'area') return pressArea(action, entry, way);
  const aim = await aimFor(action, entry, way);
  let clicked = await clickAtOnce(action, entry, { ...way, aim });
  // The mouse itself may have brought something to where the press was to go, and left another place free.
  if (clicked === false && aim.point !== undefined) clicked = await clickAnew(action, entry, way);
  if (clicked === 'unheard' && tries > 1) {
    const { session, tab, limits } = action;
    await session.popups?.arrived(limits);
    await taken(action, tab.page.bringToFront(), { late: 'The tab did not come to the front' });
    return pressGuarded(action, entry, way, tries - 1);
  }
  if (clicked === true) return;
  const perform: typeof way.perform = (to, limits) => way.perform(to, { position: aim.position, ...limits });
  const locator = locate(action, entry, { purpose, guard: true });
  const first = await untilLate(perform(locator, firstLimits(action)));
  if ('value' in first || hasPressed(first.late)) return;
  // The mouse reaches what is in a frame through the documents around it, which no guard of the frame sees.
  const canBeChased = entry.node.document.frame.parentFrame() === null;
  const found = await hindrance(action, entry, { mustBeEnabled: true, patient: true, canBeChased });
  if (found === 'moving') return catchMoving(action, entry, { ...way, perform });
  if (typeof found === 'function') throw await found();
  // It may lie still and free by now, in a place that Playwright takes for a cover.
  if ((await clickAnew(action, entry, way)) === true) return;
  const second = await untilLate(perform(locator, { ...action.limits, ...aimAt(found) }));
  if ('value' in second || hasPressed(second.late)) return;
  throw await notInTime(action, entry, second.late);
}

/** A person hits what is free of an element whose middle is covered. */
function aimAt(found: Hindrance | undefined): Pick<TryLimits, 'position'> {
  return typeof found === 'object' ? { position: found.freeAt } : {};
}

/**
 * Where to press the element. What is in a frame is pressed as Playwright finds it, through the documents around it.
 * @throws ToolError `element_blocked` where all of it is something else to press.
 */
async function aimFor(action: Action, entry: RefEntry, { purpose }: Attempt<void>): Promise<AimAnswer> {
  const target = action.session.refs.target(entry);
  const aim = await action.ask<AimAnswer>(entry.node.document.frame, { do: 'aim', target, purpose });
  if (aim.inner !== undefined) throw fullOfOthers(action.session, entry, aim.inner);
  return aim;
}

async function clickAnew(action: Action, entry: RefEntry, way: Attempt<void>): ReturnType<typeof clickAtOnce> {
  return clickAtOnce(action, entry, { ...way, aim: await aimFor(action, entry, way) });
}

/**
 * Lets no press reach any other document. The mouse reaches what is in a frame through the documents around it, and may
 * hit what lies over the frame there; and a frame can come to lie under the mouse at any moment. Answers with the frames
 * that nobody looks back at.
 */
async function shieldOthers(action: Action, { node }: RefEntry): Promise<Frame[]> {
  const { frame } = node.document;
  const around = framesAround(frame);
  // A press of a frame is meant for the document in it.
  const isFrame = node.tag === 'iframe' || node.tag === 'frame';
  const others = isFrame ? [] : action.tab.page.frames().filter(other => other !== frame && !around.includes(other));
  await Promise.all([
    ...around.map(each => action.ask(each, { do: 'shield' })),
    // A frame that does not answer now takes no press before it does.
    ...others.map(each => quickly(action, each, { do: 'shield' })),
  ]);
  return others;
}

function lower(action: Action, frame: Frame): void {
  void quickly(action, frame, { do: 'guard' });
}

/** Asks a frame that the action does without. */
async function quickly({ tab, session }: Action, frame: Frame, request: { do: 'shield' | 'guard' }): Promise<void> {
  await tab.engine.ask(frame, request, { timeout: SHIELDING }).catch(error => {
    const { threadId, owner } = session;
    owner.log.debug('a frame could not be shielded', { threadId, error: plainMessage(error) });
  });
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

/**
 * Chases an element while the page's animations stand still: on a busy machine it would be elsewhere at each press.
 * They go on when the session ends.
 */
function catchMoving(action: Action, entry: RefEntry, way: Attempt<void>): Promise<void> {
  return withCdp(action.tab.page, async session => {
    await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await chase(action, entry, way);
  });
}

/** Presses where the element is at the moment; a press that would hit anything else is kept from the page. */
async function chase(action: Action, entry: RefEntry, { perform, purpose }: Attempt<void>): Promise<void> {
  const { frame } = entry.node.document;
  for (let tries = 0; tries < CHASES; tries++) {
    await perform(locate(action, entry, { purpose, guard: true }), { ...action.limits, force: true });
    const { missed, blocked } = await action.ask<GuardReport>(frame, { do: 'guard' });
    if (blocked !== undefined) throw changed(action.session, entry, { now: blocked });
    if (missed === undefined) return;
  }
  throw movedAway(action.session, entry);
}

/**
 * Whether Playwright had pressed the mouse when its time was over: it goes on waiting for the page that the press asked
 * for, while Chromium answers no questions. Playwright tells in the log of its error alone.
 */
function hasPressed(error: Error): boolean {
  const pressed = error.message.lastIndexOf('performing click action');
  return pressed >= 0 && !error.message.includes('retrying click action', pressed);
}

/** The value of a promise, or Playwright's error that the time was over. Throws any other error. */
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

function firstLimits({ timeout, signal, timings }: Action): Limits {
  return { timeout: Math.min(timings.firstTry, timeout), signal };
}
