import { within } from '@browser-toolset/core/waiting';
import type { Frame, Page } from 'playwright-core';
import type { Point } from '#page-engine/dom/geometry.js';
import type { GuardReport, Missed } from '#page-engine/protocol.js';
import { onEmptyStack } from '../browser/tab/engine-line.js';
import { departed } from '../browser/tab/settle.js';
import { type Action, framesAround, type PressGoal, readGuardReport, untilQuiet, withTimeout } from '../call/action.js';
import { judgePress } from '../call/approvals.js';
import type { RefEntry } from '../refs/registry.js';
import { isTimeout, logged, ToolError } from '../results/errors.js';
import { Approach, type PointGoal } from './approach.js';
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

/** Milliseconds that a frame other than the element's may take to keep presses out. */
const SHIELDING_MS = 500;
/** Presses that reach nothing because pages open in front. */
const MOST_UNHEARD = 5;
/** Presses that the guard keeps from the page because the element is elsewhere by then. */
const MOST_KEPT_PRESSES = 10;

/** Roles of elements that hold a value or a choice, and submit nothing when they are pressed. */
const LABELLED_CONTROL_ROLES = new Set(
  `checkbox combobox listbox menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox
  treeitem`.split(/\s+/),
);

/**
 * Presses the element of a ref, whose description must not change until the press lands: `press` does it, where the
 * approach finds the element.
 */
export async function pressElement(
  action: Action,
  ref: string,
  press: (approach: Approach) => Promise<void>,
): Promise<RefEntry> {
  return action.reach(ref, async entry => {
    const approach = new Approach(action, entry, { to: 'click' });
    await pressAlone(approach, entry.shown.role, () => press(approach));
    return entry;
  });
}

/** Presses a point, where there must be the same until the press lands. */
export async function pressPoint(goal: PointGoal, press: () => Promise<void>): Promise<void> {
  goal.action.pointGoal = goal;
  await pressAlone(goal, goal.element?.role ?? '', press);
  goal.noteLanded();
}

/** Clicks a point, where there must be the same until the press lands. */
export async function clickPoint(goal: PointGoal, manner: ClickManner = {}): Promise<void> {
  return pressPoint(goal, () => clickUntilLanded(goal, manner));
}

/** Keeps the press from all documents but that of its goal. */
async function pressAlone(goal: PressGoal, role: string, press: () => Promise<void>): Promise<void> {
  const { action } = goal;
  action.mayHaveSent ||= !LABELLED_CONTROL_ROLES.has(role);
  const others = await shieldOthers(goal);
  try {
    await press();
  } finally {
    goal.end?.();
    for (const frame of [...others, ...framesAround(goal.frame)]) void quickly(action, frame, 'guard');
  }
  action.hasBegun = true;
}

/** Clicks the element of a ref, whose description must not change until the press lands. */
export async function clickElement(action: Action, ref: string, manner: ClickManner = {}): Promise<RefEntry> {
  const click = () => pressElement(action, ref, approach => clickUntilLanded(approach, manner));
  try {
    return await click();
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'element_disabled') throw error;
    await untilEnabled(action, ref);
    return click();
  }
}

/**
 * Gives a disabled element a moment to become enabled. As with a person's press, the field that has the focus is left
 * first: pages read its value then.
 */
export async function untilEnabled(action: Action, ref: string): Promise<void> {
  const { signal, timings } = action;
  await action.ask(action.entry(ref).node.document.frame, 'leave', {});
  await elementState(action, ref, 'enabled', { timeout: timings.enabled, signal }).catch(error => {
    // Whatever acts on the element now finds out whether it is.
    if (!isTimeout(error)) throw error;
  });
}

/** Invariant: once a press has reached the page it is not repeated. */
async function clickUntilLanded(goal: PressGoal, manner: ClickManner): Promise<void> {
  const { action } = goal;
  const { session, tab, limits } = action;
  await judgePress(goal);
  let unheard = 0;
  for (let missed = 0; ; ) {
    const outcome = await dispatchClick(goal, await goal.point(), manner);
    if (outcome === 'landed') return;
    if (outcome === 'unheard') {
      if (++unheard === MOST_UNHEARD)
        throw new ToolError(
          'element_blocked',
          `${goal.description} received no click, because pages keep opening in front of it.`,
        );
      await session.popups?.arrived(limits);
      await withTimeout(action, tab.page.bringToFront(), { late: 'The tab did not come to the front' });
    } else if (outcome.does !== undefined) {
      await judgePress(goal, outcome);
    } else {
      if (++missed === MOST_KEPT_PRESSES) throw goal.refusal({ missed: outcome });
      goal.noteMoved(outcome);
    }
    // Their reports were read, and with that they were lowered.
    await shieldAround(goal);
  }
}

/**
 * Clicks at a point. Resolves to how the press did not reach the element, if the guard kept it from the page, and to
 * `unheard` when it reached nothing because another page was in front.
 */
async function dispatchClick(
  goal: PressGoal,
  point: Point,
  manner: ClickManner,
): Promise<'landed' | 'unheard' | Missed> {
  const { action, frame } = goal;
  const began = performance.now();
  const clicked = onEmptyStack(() => mouseClick(action.tab.page, point, manner)).then(() => true);
  if (!(await within(TAKEN_MS, clicked))) {
    if (!action.wasIntrudedOn) return 'landed';
    // Chromium holds back the remaining events until the page is in front.
    await within(TAKEN_MS, action.tab.page.bringToFront());
    if (!(await within(TAKEN_MS, clicked))) return 'landed';
  }
  const rest = untilQuiet(action);
  // The error goes to the caller that awaits `action.rest`.
  rest.catch(() => undefined);
  // A form is sent some tasks after the click.
  if (action.grant !== undefined) await untilQuiet(action, frame);
  const { blocked, missed, landed, acted, leaving } = await pressReport(goal, 'guard');
  if (blocked !== undefined) throw goal.refusal({ blocked });
  if (missed?.does !== undefined) return missed.begun ? goneOn(goal, missed) : missed;
  if (missed?.begun || missed?.elsewhere || missed?.unclicked) throw goal.refusal({ missed });
  if (missed !== undefined) return missed;
  if (acted !== undefined && !landed) {
    // Playwright reports a new page later than Chromium shows it.
    await action.session.popups?.arrived(action.limits);
    if (action.wasIntrudedOn) return 'unheard';
  }
  const isOfPage = frame.parentFrame() === null;
  if (leaving && isOfPage) await departed(action.tab, began, { timeout: DEPARTURE_MS, signal: action.signal });
  action.rest = rest;
  return 'landed';
}

/** The page got the press, and what it began for it was kept: that goes on where nobody has to be asked. */
async function goneOn(goal: PressGoal, missed: Missed): Promise<'landed'> {
  const { action, frame } = goal;
  await judgePress(goal, missed);
  if (await action.ask(frame, 'goOn', {})) return 'landed';
  throw goal.refusal({ missed });
}

/**
 * What became of a press. An outer document may have got it, and kept it from its page: a cover over the frame takes it,
 * or Chromium does not know yet where the frame has come to by scrolling. `guarded` goes on guarding the release.
 */
export async function pressReport({ action, frame }: PressGoal, how: 'guard' | 'guarded'): Promise<GuardReport> {
  const report = await readGuardReport(action, how);
  if (report.landed || report.missed !== undefined) return report;
  const { limits } = action;
  const asked = framesAround(frame).map(each => action.tab.engine.call(each, how, {}, limits));
  const reports = await Promise.allSettled(asked);
  const missed = reports.flatMap(each => (each.status === 'fulfilled' && each.value.missed) || [])[0];
  return { ...report, ...(missed && { missed }) };
}

async function mouseClick(page: Page, { x, y }: Point, { modifiers = [], ...how }: ClickManner): Promise<void> {
  for (const key of modifiers) await page.keyboard.down(key);
  try {
    await page.mouse.click(x, y, how);
  } finally {
    for (const key of modifiers) await page.keyboard.up(key);
  }
}

/**
 * Keeps presses from all other documents. The mouse reaches a frame through the documents around it, and may hit a
 * cover over the frame there; any other frame can come under the mouse at any moment. Returns those other frames, whose
 * reports are not read.
 */
async function shieldOthers(goal: PressGoal): Promise<Frame[]> {
  const { action, frame, isFrame } = goal;
  const around = framesAround(frame);
  const others = isFrame ? [] : action.tab.page.frames().filter(other => other !== frame && !around.includes(other));
  await Promise.all([
    shieldAround(goal),
    // A frame that does not answer now takes no press before it does.
    ...others.map(each => quickly(action, each, 'shield')),
  ]);
  return others;
}

async function shieldAround({ action, frame }: PressGoal): Promise<void> {
  await Promise.all(framesAround(frame).map(each => action.ask(each, 'shield', {})));
}

/** Calls a frame whose answer the action does not need. */
async function quickly({ tab, session }: Action, frame: Frame, name: 'shield' | 'guard'): Promise<void> {
  await tab.engine
    .call(frame, name, {}, { timeout: SHIELDING_MS })
    .catch(logged(session, 'a frame could not be shielded'));
}
