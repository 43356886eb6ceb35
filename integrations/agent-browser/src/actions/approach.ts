import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted, within } from '@browser-toolset/core/waiting';
import type { CDPSession, Frame } from 'playwright-core';
import type { Edges, Point } from '#page-engine/dom/geometry.js';
import type {
  AimAnswer,
  CoverAnswer,
  ElementAt,
  GuardReport,
  Missed,
  Obstacle,
  Purpose,
} from '#page-engine/protocol.js';
import { type Action, type PressGoal, readPage, withTimeout } from '../call/action.js';
import { elementAtPoint, type FoundAtPoint, outerPoint } from '../call/point.js';
import { changed, exceeding, fullOfOthers, movedAway, notClicked } from '../call/refusals.js';
import { elementOf, type PressedElement } from '../call/risk.js';
import { describeEntry, describeRef, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import { everyNode } from '../snapshot/tree.js';

/** In milliseconds: the pause after the first obstacle, longer than a frame, and after each further one. */
const [FIRST_PAUSE_MS, PAUSE_MS] = [20, 100];
/** Milliseconds that the page may take to report what keeps the mouse from an element. */
const CHECK_MS = 1_000;
/** Where a covered element is scrolled to, one attempt after another: out from under a bar at an edge of the viewport. */
const ALIGNMENTS = ['center', 'end', 'start'] as const;

/** Describes an obstacle and the document that contains its dismiss control. */
type Found = AimAnswer & { doc?: string };

/** The tags of elements that may show a document. */
const HOLDS_DOCUMENT = new Set(['iframe', 'frame', 'object', 'embed']);

/**
 * Searches for a point at which the mouse reaches an element, again and again until there is one: a person would wait for
 * what moves, loads or fades. After the time of a first try, an element that still moves is taken where it is, one that
 * is covered in part where it is free, and any other obstacle is an error.
 */
export class Approach implements PressGoal {
  /** When the first try is over, and when all are (`performance.now()`). */
  readonly #late: number;
  readonly #deadline: number;
  /** That of the attempt before. */
  #obstacle: Obstacle | undefined;
  /** Where the element stood when a point of it was last found. */
  #box: Edges | undefined;
  #pauses = 0;
  #scrolls = 0;
  /** While it is open, the page's animations stand still. */
  #stillness: CDPSession | undefined;

  /** @param purpose Guards a press of the element: nothing else gets it, and the element only as it was described. */
  constructor(
    readonly action: Action,
    readonly entry: RefEntry,
    readonly purpose?: Purpose,
  ) {
    const { timeout, timings } = action;
    this.#late = performance.now() + Math.min(timings.firstTry, timeout);
    this.#deadline = this.#late + timeout;
  }

  get frame(): Frame {
    return this.entry.node.document.frame;
  }

  get isFrame(): boolean {
    return HOLDS_DOCUMENT.has(this.entry.node.tag ?? '');
  }

  get pressed(): PressedElement {
    return elementOf(this.entry);
  }

  get description(): string {
    return describeEntry(this.entry);
  }

  /**
   * A point in the page's visual viewport, in CSS pixels.
   * @throws ToolError `element_not_visible`, `element_blocked`, or `timeout`
   */
  async point(): Promise<Point> {
    for (;;) {
      if (this.#obstacle !== undefined) await this.#pause();
      const isLate = performance.now() >= this.#late;
      // It would be elsewhere at each press, on a busy machine.
      if (isLate && this.#obstacle?.is === 'moving') await this.#stopAnimations();
      const found = await this.#aim(isLate);
      if (found.is === 'free') {
        this.#obstacle = undefined;
        this.#box = found.box;
        return found.at;
      }
      if (found.is === 'full') throw fullOfOthers(this.action.session, this.entry, found);
      const isOver = performance.now() >= this.#deadline;
      const mayPass = found.is === 'moving' || (found.is === 'covered' && found.isPassing === true);
      if (isOver || (isLate && !mayPass)) throw await this.#errorFor(found);
      this.#obstacle = found;
    }
  }

  /** The element was no longer at the point that was found: it moves, by whatever means. */
  noteMoved(): void {
    if (this.#box !== undefined) this.#obstacle = { is: 'moving', box: this.#box };
  }

  refusal({ blocked, missed }: Pick<GuardReport, 'blocked' | 'missed'>): ToolError {
    const { action, entry } = this;
    return blocked === undefined
      ? movedAway(action.session, entry, missed)
      : changed(action.session, entry, { now: blocked, was: action.acted?.was });
  }

  /** @throws ToolError for what keeps the mouse from the element now; with patience, only where that will not pass. */
  async check({ isPatient }: { isPatient: boolean }): Promise<void> {
    const { tab, signal } = this.action;
    const found = await within(CHECK_MS, this.#aim(true)).catch(error => {
      // A page that does not answer reports nothing of the element.
      if (signal.aborted || tab.engine.refusalOf(error) !== undefined) throw error;
      return undefined;
    });
    const isFinal = found?.is === 'covered' ? !(isPatient && found.isPassing) : found?.is === 'hidden';
    if (isFinal || found?.is === 'unpressable') throw await this.#errorFor(found as Obstacle);
  }

  end(): void {
    // A closed page has ended its session.
    this.#stillness?.detach().catch(() => undefined);
  }

  async #aim(isLate: boolean): Promise<Found> {
    const { action, entry, purpose } = this;
    const { frame } = entry.node.document;
    const aim = await action.ask(frame, 'aim', {
      target: action.session.refs.target(entry),
      ...(purpose && { purpose: { ...purpose, ...(purpose.to === 'click' && action.mayDo) } }),
      ...(isLate && { isLate }),
      ...this.#afterObstacle(),
    });
    if (aim.is !== 'free' || frame.parentFrame() === null) return aim;
    const at = await outerPoint(action, frame, aim.at);
    if (at?.cover !== undefined) return { is: 'covered', ...at.cover };
    return at === undefined || at.isOutOfView ? { is: 'out of view' } : { ...aim, at: { x: at.x, y: at.y } };
  }

  #afterObstacle(): { align?: ScrollLogicalPosition; stoodAt?: Edges } {
    const before = this.#obstacle;
    if (before?.is === 'moving') return { stoodAt: before.box };
    // A bar may hold something that moves, and so seem to pass.
    const isUnderBar = before?.is === 'covered' && (!before.isPassing || this.#scrolls === 0);
    const mayBeUnderBar = before?.is === 'out of view' || isUnderBar;
    const align = mayBeUnderBar ? ALIGNMENTS[this.#scrolls++] : undefined;
    return align === undefined ? {} : { align };
  }

  /** Ends early where the first try does. */
  async #pause(): Promise<void> {
    const milliseconds = this.#pauses++ === 0 ? FIRST_PAUSE_MS : PAUSE_MS;
    const left = this.#late - performance.now();
    await delay(left > 0 ? Math.min(milliseconds, left) : milliseconds, undefined, { signal: this.action.signal });
  }

  async #stopAnimations(): Promise<void> {
    if (this.#stillness !== undefined) return;
    const { tab, signal } = this.action;
    const { page } = tab;
    const stopped = page
      .context()
      .newCDPSession(page)
      .then(session => {
        this.#stillness = session;
        return session.send('Animation.setPlaybackRate', { playbackRate: 0 });
      });
    await withTimeout(this.action, unlessAborted(stopped, signal), { late: 'The animations of the page did not stop' });
  }

  async #errorFor(found: Obstacle & { doc?: string }): Promise<ToolError> {
    const what = this.description;
    switch (found.is) {
      case 'hidden':
        return new ToolError('element_not_visible', `${what} is not visible.`);
      case 'out of view':
        return new ToolError('element_not_visible', `${what} is outside the viewport and cannot be scrolled into it.`);
      case 'unpressable':
        return new ToolError('element_blocked', `${what} does not react to the mouse (pointer-events: none).`);
      case 'covered':
        return new ToolError('element_blocked', `${what} is covered by ${found.by}.`, await this.#wayOut(found));
      case 'moving':
        return new ToolError('timeout', `${what} did not stand still within ${this.action.timeout} ms.`);
    }
  }

  /** Names the element to press to dismiss a cover, if the page knows one. It may be newer than the agent's reading. */
  async #wayOut({ wayOutId, doc }: CoverAnswer & { doc?: string }): Promise<{ hint?: string }> {
    if (wayOutId === undefined) return {};
    const { session } = this.action;
    const inDocument = doc ?? this.entry.node.document.doc;
    const { roots } = await readPage(this.action);
    for (const node of everyNode(roots)) {
      if (node.id === wayOutId && node.document.doc === inDocument) session.refs.refOf(node);
    }
    const wayOut = session.refs.entryOf(inDocument, wayOutId);
    return wayOut ? { hint: `To dismiss it, try ${wayOut.ref} (${describeRef({ ...wayOut.shown, row: '' })}).` } : {};
  }
}

/** A point that is pressed for what was there at the first check. It is checked again before each further press. */
export class PointGoal implements PressGoal {
  readonly frame: Frame;
  readonly element: ElementAt | undefined;
  /** At the latest check. */
  #now: ElementAt | undefined;
  #isFirst = true;
  #hasLanded = false;
  /** No press has landed since the latest check. */
  #isChecked = true;

  private constructor(
    readonly action: Action,
    readonly at: Point,
    { frame, element }: FoundAtPoint,
  ) {
    this.frame = frame;
    this.element = element;
    this.#now = element;
  }

  /** @param at In CSS pixels of the page's visual viewport. */
  static async at(action: Action, at: Point): Promise<PointGoal> {
    return new PointGoal(action, at, await elementAtPoint(action, at, { isPressed: true }));
  }

  get isFrame(): boolean {
    return HOLDS_DOCUMENT.has(this.element?.tag ?? '');
  }

  get pressed(): PressedElement | undefined {
    return this.#now;
  }

  get description(): string {
    return this.element === undefined ? 'The point' : describeRef(this.element);
  }

  /** @throws ToolError `element_blocked` where something else is by now. */
  async point(): Promise<Point> {
    const was = this.#now;
    if (!this.#isFirst) {
      const { element: now } = await elementAtPoint(this.action, this.at, { isPressed: true });
      this.#now = now;
      if (now?.doc !== this.element?.doc) throw this.#another('another page');
      const isOne = now?.id === this.element?.id;
      const isSame = this.#isChecked
        ? isOne && now?.fingerprint === was?.fingerprint
        : isOne || now?.fingerprint === this.element?.fingerprint;
      if (!isSame) throw this.#another(now === undefined ? 'nothing' : describeRef(now));
    }
    this.#isFirst = false;
    this.#isChecked = true;
    return this.at;
  }

  noteLanded(): void {
    this.#hasLanded = true;
    this.#isChecked = false;
  }

  noteMoved(missed: Missed): void {
    throw this.refusal({ missed });
  }

  refusal({ missed: { by, begun, elsewhere, unclicked, does } = {} }: Pick<GuardReport, 'missed'>): ToolError {
    if (does !== undefined) return exceeding(this.description, does);
    if (unclicked !== undefined) return notClicked(this.description, unclicked);
    return this.#another(by?.what ?? 'something else', { begun, elsewhere });
  }

  #another(now: string, { begun, elsewhere }: Pick<Missed, 'begun' | 'elsewhere'> = {}): ToolError {
    const was = this.element === undefined ? 'nothing' : this.description;
    const nothing = this.#hasLanded ? '' : ' Nothing was done.';
    const notBegun = elsewhere ? ' It received the press instead.' : nothing;
    const done = begun ? ' The action was only partly performed.' : notBegun;
    return new ToolError('element_blocked', `Where ${was} was, there is ${now} now.${done}`);
  }
}

/** Finds a point at which the mouse reaches the element of a ref, and does something there while the page stands still. */
export async function reachPoint(
  action: Action,
  ref: string,
  act: (point: Point) => Promise<void> = async () => undefined,
): Promise<{ entry: RefEntry; point: Point }> {
  return action.reach(ref, async entry => {
    const approach = new Approach(action, entry);
    try {
      const point = await approach.point();
      await act(point);
      return { entry, point };
    } finally {
      approach.end();
    }
  });
}
