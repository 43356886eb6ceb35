import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@browser-toolset/core/waiting';
import type { Frame, Locator } from 'playwright-core';
import { withCdp } from '../browser/chromium/cdp.js';
import type { Limits } from '../browser/tab/engine.js';
import { onEmptyStack } from '../browser/tab/engine-line.js';
import { departed } from '../browser/tab/settle.js';
import { type Action, framesAround, readGuardReport, rested, taken } from '../call/action.js';
import { outerPoint } from '../call/point.js';
import { changed, fullOfOthers, movedAway } from '../call/refusals.js';
import { capture } from '../diff/page-view.js';
import type { Point } from '../page/geometry.js';
import { type AimAnswer, anyElement, type Missed, type Probe, type Purpose } from '../page/protocol.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { isTimeout, plainMessage, ToolError } from '../results/errors.js';
import { everyNode } from '../snapshot/tree.js';
import { elementState } from './wait-for.js';
export interface ClickManner {
  button?: 'left' | 'right' | 'middle';
  clickCount?: number;
  modifiers?: ('Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift')[];
}

/** Milliseconds in which a document that is being replaced must be gone. */
const DEPARTURE_MS = 1_000;
/** Milliseconds after which a click counts as received by a busy page, so that it is not repeated. */
const TAKEN_MS = 1_500;

/**
 * Clicks an element that is uncovered, in view and still, without the frames that Playwright waits for to see that.
 * Returns false when it is not, or when it moved before the press, which the guard then kept from the page, and
 * `unheard` when the press reached nothing because another page was in front.
 *
 * Invariant: once the press has reached the page it is not repeated.
 */
async function dispatchClick(
  action: Action,
  entry: RefEntry,
  { click, aim }: { click?: ClickManner; aim: AimAnswer },
): Promise<boolean | 'unheard'> {
  if (click === undefined || aim.point === undefined) return false;
  const point = await pointInPage(action, entry, { aim: aim.point, click });
  if (point === undefined) return false;
  const began = performance.now();
  const clicked = onEmptyStack(() => mouseClick(action, point, click)).then(() => true);
  if (!(await within(TAKEN_MS, clicked))) {
    if (!action.wasIntrudedOn) return true;
    // Chromium holds back the remaining events until the page is in front.
    await within(TAKEN_MS, action.tab.page.bringToFront());
    if (!(await within(TAKEN_MS, clicked))) return true;
  }
  const rest = rested(action);
  // The error goes to the caller that awaits `action.rest`.
  rest.catch(() => undefined);
  const report = await readGuardReport(action);
  const { landed, blocked, missed = await interceptedInParentFrame(action, entry, landed), leaving } = report;
  if (blocked !== undefined) throw changed(action.session, entry, { now: blocked, was: action.acted?.was });
  if (missed?.begun || missed?.elsewhere || missed?.unclicked) throw movedAway(action.session, entry, missed);
  const isUnheard = report.acted !== undefined && !landed && missed === undefined;
  if (isUnheard) {
    // Playwright reports a new page later than Chromium shows it.
    await action.session.popups?.arrived(action.limits);
    if (action.wasIntrudedOn) return 'unheard';
  }
  if (leaving) await departed(action.tab, began, { timeout: DEPARTURE_MS, signal: action.signal });
  if (missed === undefined) action.rest = rest;
  return missed === undefined;
}

/** The press that a cover over the element's frame took: the outer documents keep presses for the frame. */
async function interceptedInParentFrame(
  action: Action,
  { node }: RefEntry,
  landed: boolean | undefined,
): Promise<Missed | undefined> {
  if (landed) return undefined;
  const around = framesAround(node.document.frame);
  const { limits } = action;
  const asked = around.map(frame => action.tab.engine.call(frame, 'guard', {}, limits));
  const reports = await Promise.allSettled(asked);
  const kept = reports.flatMap(report => (report.status === 'fulfilled' && report.value.missed) || []);
  return kept[0] && { ...kept[0], elsewhere: true };
}

export async function mouseClick(
  { tab: { page } }: Action,
  { x, y }: Point,
  { modifiers = [], ...how }: ClickManner,
): Promise<void> {
  for (const key of modifiers) await page.keyboard.down(key);
  try {
    await page.mouse.click(x, y, how);
  } finally {
    for (const key of modifiers) await page.keyboard.up(key);
  }
}

/** The point to press directly; undefined where Playwright should, which holds modifiers and knows unwarped frames. */
async function pointInPage(
  action: Action,
  { node: { document } }: RefEntry,
  { aim, click }: { aim: Point; click: ClickManner },
): Promise<Point | undefined> {
  const { frame } = document;
  if (frame.parentFrame() === null) return (click.modifiers ?? []).length === 0 ? aim : undefined;
  const at = await outerPoint(action, frame, aim);
  return at?.isWarped && at.isFree ? at : undefined;
}

/** What keeps an action from its element: it moves, only a part of it is uncovered, or an error for the agent. */
type ActionabilityFailure = 'moving' | { freeAt: { x: number; y: number } } | (() => Promise<ToolError>);

interface ActionabilityOptions {
  mustBeEnabled: boolean;
  /** Waits for a cover that looks as if it will disappear by itself. */
  patient: boolean;
  canBeChased?: boolean;
}

interface CoveredTarget extends Pick<Probe, 'coveredBy' | 'passing' | 'wayOutId'> {
  /** The document of `wayOutId`, where it is not the element's. */
  wayOutIn?: string;
}

const PROBE_TIMEOUT_MS = 1_000;
/** Milliseconds after which a moving element has another box. */
const BLINK_MS = 80;

/** Asks the page what keeps an action from an element; undefined when it knows nothing, or does not answer. */
async function actionabilityFailure(
  action: Action,
  entry: RefEntry,
  { mustBeEnabled, patient, canBeChased = false }: ActionabilityOptions,
): Promise<ActionabilityFailure | undefined> {
  const probe = await probeOf(action, entry);
  // Playwright notices itself when the element is gone.
  if (probe === undefined || !probe.connected) return undefined;
  const what = `${entry.ref} (${describeRef(entry.told)})`;
  if (mustBeEnabled && probe.disabled) return async () => new ToolError('element_disabled', `${what} is disabled.`);
  if (!probe.visible) return async () => new ToolError('element_not_visible', `${what} is not visible.`);
  const cover = probe.coveredBy === undefined ? await coverOfFrame(action, entry, probe) : probe;
  if (probe.letsThrough)
    return async () => new ToolError('element_blocked', `${what} does not react to the mouse (pointer-events: none).`);
  if (probe.free !== undefined) return { freeAt: probe.free };
  if (cover?.coveredBy !== undefined) {
    if (patient && cover.passing) return undefined;
    return async () => blockedError(action, entry, cover);
  }
  return canBeChased && (await hasMovedSince(action, entry, probe)) ? 'moving' : undefined;
}

function probeOf({ tab, signal }: Action, entry: RefEntry): Promise<Probe | undefined> {
  const { document, id } = entry.node;
  return tab.engine.call(document.frame, 'probe', { id }, { timeout: PROBE_TIMEOUT_MS, signal }).catch(() => undefined);
}

async function hasMovedSince(action: Action, entry: RefEntry, before: Probe): Promise<boolean> {
  await delay(BLINK_MS, undefined, { signal: action.signal });
  const after = await probeOf(action, entry);
  return after?.box?.some((edge, index) => edge !== before.box?.[index]) ?? false;
}

/** The cover of a frame is visible only to the document around it. */
async function coverOfFrame(action: Action, entry: RefEntry, probe: Probe): Promise<CoveredTarget | undefined> {
  const { frame } = entry.node.document;
  if (frame.parentFrame() === null || probe.box === undefined) return undefined;
  const { engine, page } = action.tab;
  const limits = { timeout: PROBE_TIMEOUT_MS, signal: action.signal };
  const [x, y, width, height] = probe.box;
  const middle = await outerPoint(action, frame, { x: x + width / 2, y: y + height / 2 }).catch(() => undefined);
  if (middle === undefined) return undefined;
  const hit = await engine.call(page.mainFrame(), 'at', { x: middle.x, y: middle.y }, limits).catch(() => undefined);
  if (hit == null || hit.inner !== undefined) return undefined;
  const wayOutId = await engine.call(page.mainFrame(), 'wayOut', { id: hit.id }, limits).catch(() => null);
  const coveredBy = `<${hit.tag}> ${describeRef({ ...hit, row: '' })}`;
  return { coveredBy, wayOutIn: hit.doc, ...(wayOutId !== null && { wayOutId }) };
}

/** Names the cover of the element and, if the page knows one, the element to press to dismiss it. */
async function blockedError(
  action: Action,
  entry: RefEntry,
  { coveredBy, wayOutId, wayOutIn = entry.node.document.doc }: CoveredTarget,
): Promise<ToolError> {
  const wayOut = wayOutId === undefined ? undefined : await refFor(action, wayOutIn, wayOutId);
  const what = `${entry.ref} (${describeRef(entry.told)})`;
  const hint = wayOut && `To dismiss it, try ${wayOut.ref} (${describeRef({ ...wayOut.told, row: '' })}).`;
  return new ToolError('element_blocked', `${what} is covered by ${coveredBy}.`, { hint });
}

/** The ref of an element that may have appeared since the agent last read the page. */
async function refFor(action: Action, doc: string, id: number): Promise<RefEntry | undefined> {
  const { session, tab, limits } = action;
  const page = await capture(tab, limits);
  session.refs.replace(page, false);
  for (const node of everyNode(page.roots)) {
    if (node.id === id && node.document.doc === doc) session.refs.refOf(node);
  }
  return session.refs.entryOf(doc, id);
}

export interface TryLimits extends Limits {
  /** Does not wait until the element is stable. */
  force?: true;
  /** Where to press, from the corner of the element's padding box; its middle when left out. */
  position?: { x: number; y: number };
}

interface PressAttempt<T> {
  perform(locator: Locator, limits: TryLimits): Promise<T>;
  purpose?: Purpose;
  /** Set for a click on the middle of the element. */
  click?: ClickManner;
}

/** Milliseconds that a frame other than the element's may take to keep presses out. */
const SHIELDING_MS = 500;
/** Attempts at a press that reaches nothing because pages open in front. */
const MOST_PRESSES = 5;
const CHASES = 10;

/** Roles of elements that hold a value or a choice, and submit nothing when they are pressed. */
const LABELLED_CONTROL_ROLES = new Set(
  `checkbox combobox listbox menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox
  treeitem`.split(/\s+/),
);

/**
 * Lets Playwright act on the element of a ref, which is checked at each of Playwright's tries. When it is gone and one
 * element has provably replaced it, the action continues there, and the result reports that.
 */
export async function actOn<T>(
  action: Action,
  ref: string,
  perform: PressAttempt<T>['perform'],
  purpose?: Purpose,
): Promise<{ entry: RefEntry; value: T }> {
  return action.reach(ref, async entry => ({ entry, value: await attempt(action, entry, { perform, purpose }) }));
}

/** Lets Playwright press the element of a ref, whose description must not change until the press lands. */
export async function pressElement(action: Action, ref: string, way: PressAttempt<void>): Promise<RefEntry> {
  return action.reach(ref, async entry => {
    action.mayHaveSent ||= !LABELLED_CONTROL_ROLES.has(entry.told.role);
    await pressAttempt(action, entry, { purpose: { to: 'click' }, ...way });
    action.hasBegun = true;
    return entry;
  });
}

/** Clicks the middle of the element of a ref, whose description must not change until the press lands. */
export async function clickElement(action: Action, ref: string, manner: ClickManner = {}): Promise<RefEntry> {
  const perform: PressAttempt<void>['perform'] = (locator, limits) => locator.click({ ...manner, ...limits });
  return onceEnabled(action, ref, () => pressElement(action, ref, { perform, click: manner }));
}

async function onceEnabled<T>(action: Action, ref: string, press: () => Promise<T>): Promise<T> {
  try {
    return await press();
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'element_disabled') throw error;
    await untilEnabled(action, ref);
    return press();
  }
}

/**
 * Gives a disabled element a moment to become enabled. As with a person's press, the field that has the focus is left
 * first: pages look at its value then.
 */
export async function untilEnabled(action: Action, ref: string): Promise<void> {
  const { signal, timings } = action;
  await action.ask(action.entry(ref).node.document.frame, 'leave', {});
  await elementState(action, ref, { state: 'enabled', timeout: timings.enabled, signal }).catch(error => {
    // Whatever acts on the element now finds out whether it is.
    if (!isTimeout(error)) throw error;
  });
}

/** Lets Playwright act on an element, and reports what keeps it from doing so. */
async function attempt<T>(action: Action, entry: RefEntry, { perform, purpose }: PressAttempt<T>): Promise<T> {
  const locator = locate(action, entry, { purpose });
  const first = await untilLate(perform(locator, firstLimits(action)));
  if ('value' in first) return first.value;
  const found = await actionabilityFailure(action, entry, { mustBeEnabled: purpose !== undefined, patient: true });
  if (typeof found === 'function') throw await found();
  const second = await untilLate(perform(locator, { ...action.limits, ...positionOf(found) }));
  if ('value' in second) return second.value;
  throw await notInTime(action, entry, second.late);
}

/** Lets Playwright press an element. Invariant: a press that has reached the page is not repeated. */
async function pressAttempt(action: Action, entry: RefEntry, way: PressAttempt<void>): Promise<void> {
  const others = await shieldOthers(action, entry);
  try {
    await pressGuarded(action, entry, way);
  } finally {
    for (const frame of others) lower(action, frame);
  }
}

async function pressGuarded(
  action: Action,
  entry: RefEntry,
  way: PressAttempt<void>,
  tries = MOST_PRESSES,
): Promise<void> {
  const { purpose } = way;
  if (entry.node.tag === 'area') return pressArea(action, entry, way);
  const aim = await aimFor(action, entry, way);
  let clicked = await dispatchClick(action, entry, { ...way, aim });
  // The mouse itself may have opened something at the point, and left another point uncovered.
  if (clicked === false && aim.point !== undefined) clicked = await retryClick(action, entry, way);
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
  // The mouse reaches a frame through the documents around it, which a guard in the frame cannot observe.
  const canBeChased = entry.node.document.frame.parentFrame() === null;
  const found = await actionabilityFailure(action, entry, { mustBeEnabled: true, patient: true, canBeChased });
  if (found === 'moving') return catchMoving(action, entry, { ...way, perform });
  if (typeof found === 'function') throw await found();
  // It may be still and uncovered by now, at a point that Playwright takes for covered.
  if ((await retryClick(action, entry, way)) === true) return;
  const second = await untilLate(perform(locator, { ...action.limits, ...positionOf(found) }));
  if ('value' in second || hasPressed(second.late)) return;
  throw await notInTime(action, entry, second.late);
}

/** The uncovered part of an element whose middle is covered, which a person would press. */
function positionOf(found: ActionabilityFailure | undefined): Pick<TryLimits, 'position'> {
  return typeof found === 'object' ? { position: found.freeAt } : {};
}

/**
 * Where to press the element. Playwright finds the point of an element in a frame, through the documents around it.
 * @throws ToolError `element_blocked` where a widget inside the element takes every press.
 */
async function aimFor(action: Action, entry: RefEntry, { purpose }: PressAttempt<void>): Promise<AimAnswer> {
  const target = action.session.refs.target(entry);
  const aim = await action.ask(entry.node.document.frame, 'aim', { target, purpose });
  if (aim.inner !== undefined) throw fullOfOthers(action.session, entry, aim.inner);
  return aim;
}

async function retryClick(action: Action, entry: RefEntry, way: PressAttempt<void>): ReturnType<typeof dispatchClick> {
  return dispatchClick(action, entry, { ...way, aim: await aimFor(action, entry, way) });
}

/**
 * Keeps presses from all other documents. The mouse reaches a frame through the documents around it, and may hit a
 * cover over the frame there; any other frame can come under the mouse at any moment. Returns those other frames, whose
 * reports are not read.
 */
async function shieldOthers(action: Action, { node }: RefEntry): Promise<Frame[]> {
  const { frame } = node.document;
  const around = framesAround(frame);
  // A press of a frame is for the document in it.
  const isFrame = node.tag === 'iframe' || node.tag === 'frame';
  const others = isFrame ? [] : action.tab.page.frames().filter(other => other !== frame && !around.includes(other));
  await Promise.all([
    ...around.map(each => action.ask(each, 'shield', {})),
    // A frame that does not answer now takes no press before it does.
    ...others.map(each => quickly(action, each, 'shield')),
  ]);
  return others;
}

function lower(action: Action, frame: Frame): void {
  void quickly(action, frame, 'guard');
}

/** Calls a frame whose answer the action does not need. */
async function quickly({ tab, session }: Action, frame: Frame, name: 'shield' | 'guard'): Promise<void> {
  await tab.engine.call(frame, name, {}, { timeout: SHIELDING_MS }).catch(error => {
    const { threadId, owner } = session;
    owner.log.debug('a frame could not be shielded', { threadId, error: plainMessage(error) });
  });
}

/** An area of an image map has no box that Playwright could press: the image is pressed where the area is. */
async function pressArea(action: Action, entry: RefEntry, { perform }: PressAttempt<void>): Promise<void> {
  const { frame, doc } = entry.node.document;
  const target = action.session.refs.target(entry);
  const { image, position } = await action.ask(frame, 'area', { target });
  const locator = action.tab.engine.locator(frame, anyElement(doc, image));
  await perform(locator, { ...action.limits, force: true, position });
}

/**
 * Chases an element while the page's animations are paused: on a busy machine it would be elsewhere at each press. They
 * resume when the CDP session ends.
 */
function catchMoving(action: Action, entry: RefEntry, way: PressAttempt<void>): Promise<void> {
  return withCdp(action.tab.page, async session => {
    await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await chase(action, entry, way);
  });
}

/** Presses the element where it is now; a press that would hit anything else is kept from the page. */
async function chase(action: Action, entry: RefEntry, { perform, purpose }: PressAttempt<void>): Promise<void> {
  const { frame } = entry.node.document;
  for (let tries = 0; tries < CHASES; tries++) {
    await perform(locate(action, entry, { purpose, guard: true }), { ...action.limits, force: true });
    const { missed, blocked } = await action.ask(frame, 'guard', {});
    if (blocked !== undefined) throw changed(action.session, entry, { now: blocked });
    if (missed === undefined) return;
  }
  throw movedAway(action.session, entry);
}

/**
 * Whether Playwright had pressed the mouse before its timeout: it then waits for the page that the press requested,
 * while Chromium answers nothing. Playwright reports that only in the log of its error.
 */
function hasPressed(error: Error): boolean {
  const pressed = error.message.lastIndexOf('performing click action');
  return pressed >= 0 && !error.message.includes('retrying click action', pressed);
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

async function notInTime(action: Action, entry: RefEntry, cause: Error): Promise<ToolError> {
  const found = await actionabilityFailure(action, entry, { mustBeEnabled: true, patient: false });
  if (typeof found === 'function') return found();
  const what = `${entry.ref} (${describeRef(entry.told)})`;
  return new ToolError('timeout', `${what} did not become actionable within ${action.timeout} ms.`, { cause });
}

function locate(action: Action, entry: RefEntry, way: { purpose?: Purpose; guard?: true }): Locator {
  const target = action.session.refs.target(entry);
  return action.tab.engine.locator(entry.node.document.frame, target, way);
}

function firstLimits({ timeout, signal, timings }: Action): Limits {
  return { timeout: Math.min(timings.firstTry, timeout), signal };
}
