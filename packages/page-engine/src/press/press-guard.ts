import { defaultActionOf } from '../capture/interactive.js';
import { isDisabled } from '../dom/control.js';
import {
  boxOf,
  type ClosedRoots,
  elementsAround,
  firstChild,
  firstElementChild,
  getAttribute,
  isConnected,
  localName,
  matches,
  nextSibling,
  parentInFlatTree,
  parentNode,
  shadowHostOf,
  tagName,
  treeScopeOf,
} from '../dom/dom.js';
import type { Point } from '../dom/geometry.js';
import { type DocumentNodes, describeNow, type ElementIds, type Identity, identityOf } from '../identity/identity.js';
import { isFileUrl } from '../names/hint-words.js';
import type { DefaultAction, GuardReport, Missed, Target } from '../protocol.js';
import { isReachable, viewportNow } from '../visibility/visibility.js';
import { deepElementFromPoint, describeElement, isPartOfField, isWithin, topmostAt } from './hit-test.js';
import { innerWidget, takesPressOn } from './press-point.js';
import { pressedAt, widgetAt } from './probe.js';

export interface Watch {
  readonly report: GuardReport;
  /** Set once a press has landed. */
  readonly pressed?: PressedControl;
  allows(event: Event): boolean;
  /** No more events will come: completes the report. */
  end?(): void;
  /** Disconnects listeners and observers, because the report will not be read. */
  drop?(): void;
}

const WATCHED = [
  ...['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend'],
  ...['click', 'auxclick', 'dblclick', 'contextmenu', 'submit', 'keydown', 'beforeinput', 'input', 'change'],
];
/** Milliseconds after which an abandoned watch ends, because people use the page as well. */
const LONGEST_WATCH_MS = 60_000;

/** Keeps events that a watch does not allow from the page, from the check of an element until the event lands. */
export class Guard {
  /** The latest press of this call that has landed. */
  pressed: PressedControl | undefined;
  #watch: Watch | undefined;
  /** The default actions that a press may have; undefined where all may be. */
  #mayDo: readonly DefaultAction[] | undefined;
  /** The latest press that the page has received, and may still act on. */
  #past: Watch | undefined;
  /** Sends the form that was last kept. */
  #kept: (() => void) | undefined;
  #armedAt = 0;

  constructor(readonly closedRoots: ClosedRoots) {}

  arm(watch: Watch, mayDo?: readonly DefaultAction[]): void {
    this.#watch?.drop?.();
    this.pressed = this.#watch?.pressed ?? this.pressed;
    this.#watch = watch;
    this.#mayDo = mayDo;
    this.#kept = undefined;
    this.#armedAt = performance.now();
    // Added again for each action, because `document.open()` removes a document's listeners (HTML, section 8.4.1).
    for (const type of WATCHED) window.addEventListener(type, this.#check, { capture: true, passive: false });
    navigation.addEventListener('navigate', this.#check);
  }

  get report(): GuardReport {
    return this.#watch?.report ?? {};
  }

  /** Sends the form that was kept, as its page was about to. */
  goOn(): boolean {
    const kept = this.#kept;
    this.#kept = undefined;
    kept?.();
    return kept !== undefined;
  }

  /**
   * Completes and returns the report, and lets events through again. What the press may not do is kept until the page is
   * idle: it sends a form some tasks after the click (HTML, planned navigation).
   */
  disarm(): GuardReport {
    const watch = this.#watch;
    if (watch === this.#past) return {};
    watch?.end?.();
    const { report } = this;
    this.pressed = watch?.pressed ?? this.pressed;
    const mayGoOn = report.landed && this.#mayDo !== undefined;
    const past: Watch | undefined = mayGoOn ? { report: { landed: true }, allows: () => true } : undefined;
    this.#past = past;
    this.#watch = past;
    requestIdleCallback(() => {
      if (this.#watch === past) this.#watch = undefined;
    });
    return report;
  }

  #check = (event: Event): void => {
    const watch = this.#watch;
    if (watch === undefined) return;
    const begun = watch.report.landed;
    const isAllowed = watch.allows(event);
    const does = isAllowed ? this.#excessOf(event) : undefined;
    if (isAllowed && does === undefined) return;
    if (performance.now() - this.#armedAt > LONGEST_WATCH_MS) {
      watch.drop?.();
      this.#watch = undefined;
      return;
    }
    if (does !== undefined) {
      watch.drop?.();
      this.#watch = keepingRest({ does, ...(begun && { begun }) });
      this.#kept = sendingOf(event);
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** What the browser is about to do for an event, and may not. */
  #excessOf(event: Event): DefaultAction | undefined {
    if (this.#mayDo === undefined || !event.isTrusted) return undefined;
    if (this.#watch === this.#past && event instanceof MouseEvent) return undefined;
    const does = this.#actionOf(event);
    return does === undefined || this.#mayDo.includes(does) ? undefined : does;
  }

  /**
   * By what the event hits, by the form that is sent, or by the navigation, since handlers of the page can change the
   * element until then (HTML, form submission; Navigation API, `navigate`).
   */
  #actionOf(event: Event): DefaultAction | undefined {
    if (event.type === 'submit') return 'submit';
    if (event instanceof NavigateEvent) {
      const { downloadRequest, destination, formData, sourceElement } = event;
      if (downloadRequest !== null || isFileUrl(destination.url)) return 'download';
      const isSent = formData !== null || sourceElement instanceof HTMLFormElement;
      return isSent || (sourceElement !== null && defaultActionOf(sourceElement) === 'submit') ? 'submit' : undefined;
    }
    if (!(event instanceof MouseEvent && (PRESS_START_EVENTS.has(event.type) || event.type === 'click')))
      return undefined;
    const [hit] = event.composedPath();
    if (!(hit instanceof Element)) return undefined;
    const { clientX, clientY } = event;
    const isClosed = this.closedRoots.closed(hit) !== undefined;
    return defaultActionOf((isClosed && deepElementFromPoint(clientX, clientY, this.closedRoots)) || hit);
  }
}

/** Whether an event is dispatched to the element or to a descendant of it. */
export function isEventAt(element: Element, event: Event): boolean {
  const path = event.composedPath();
  if (path.includes(element)) return true;
  // The composed path omits the inside of a closed shadow tree, but not its host.
  const host = closedHostOf(element);
  if (host === undefined || !path.includes(host)) return false;
  return event instanceof MouseEvent ? isUnder(element, event) : hasFocus(element);
}

/** Whether a mouse or touch event presses the element itself, and not a widget inside it. */
function isPressOf(element: Element, event: Event): boolean {
  const hit = event.composedPath()[0];
  if (!isEventAt(element, event)) return hit instanceof Element && isPartOfField(element, hit);
  // A target inside a closed shadow tree was resolved by its coordinates.
  return !(hit instanceof Element) || !isWithin(hit, element) || innerWidget(element, hit) === undefined;
}

/** Whether a press at the position of the mouse would hit the element. */
function isUnder(element: Element, { clientX, clientY }: MouseEvent): boolean {
  return isConnected(element) && takesPressOn(element, topmostAt(element, clientX, clientY));
}

/** The outermost host of a closed shadow tree around an element. */
function closedHostOf(element: Element): Element | undefined {
  let host: Element | undefined;
  for (let scope = treeScopeOf(element); scope instanceof ShadowRoot; scope = treeScopeOf(scope.host)) {
    if (scope.mode === 'closed') host = scope.host;
  }
  return host;
}

function hasFocus(element: Element): boolean {
  const scope = treeScopeOf(element);
  const active = scope instanceof ShadowRoot || scope instanceof Document ? scope.activeElement : null;
  return active !== null && isWithin(active, element);
}

/** Style properties by which pages show what they have hidden. */
const SHOWING = ['display', 'visibility', 'opacity', 'pointer-events', 'clip-path', 'height', 'z-index'];

/** Records what a document does around an element during its press. */
class PressMutations {
  /** Shown by an attribute. */
  readonly #opened = new Set<Node>();
  readonly #inserted = new Set<Node>();
  readonly #removed = new Set<Node>();
  /** The element and all its ancestors, shadow roots and their hosts included, as they are after the press. */
  #around: ReadonlySet<Node> | undefined;
  #wasTakenOut = false;
  readonly #observer = new MutationObserver(records => this.#read(records));

  /** @param element Its document and the shadow trees around it are observed. */
  constructor(readonly element: Element) {
    const how = { subtree: true, childList: true, attributes: true, attributeOldValue: true };
    for (const node of composedPathFrom(element)) if (parentNode(node) === null) this.#observer.observe(node, how);
    // A popover opens without a mutation, and `beforetoggle` does not bubble.
    window.addEventListener('beforetoggle', this.#toggled, { capture: true, passive: true });
  }

  /** Whether an element was inserted, or shown by an attribute. What moved has not opened. */
  hasOpened(element: Element): boolean {
    return this.#isNew(element, node => this.#opened.has(node) || this.#inserted.has(node));
  }

  hasInserted(element: Element): boolean {
    return this.#isNew(element, node => this.#inserted.has(node));
  }

  #isNew(element: Element, isNoted: (node: Node) => boolean): boolean {
    this.#read(this.#observer.takeRecords());
    for (let node: Node | null = element; node !== null; node = parentInFlatTree(node)) {
      if (isNoted(node)) return !this.#removed.has(node);
    }
    return false;
  }

  /** What the page does from now on is no effect of the press. */
  noteHandled(): void {
    this.#read(this.#observer.takeRecords());
    this.#around = new Set(composedPathFrom(this.element));
    this.#wasTakenOut = false;
  }

  /** Whether the element was removed from its document since the press, even if it was reinserted at once. */
  get wasTakenOut(): boolean {
    this.#read(this.#observer.takeRecords());
    return this.#wasTakenOut;
  }

  end(): void {
    this.#observer.disconnect();
    window.removeEventListener('beforetoggle', this.#toggled, { capture: true });
  }

  #toggled = (event: Event): void => {
    if (event instanceof ToggleEvent && event.newState === 'open' && event.target instanceof Node)
      this.#opened.add(event.target);
  };

  #read(records: readonly MutationRecord[]): void {
    for (const { type, target, addedNodes, removedNodes, attributeName, oldValue } of records) {
      for (const node of removedNodes) this.#removed.add(node);
      for (const node of addedNodes) this.#inserted.add(node);
      this.#wasTakenOut ||= [...removedNodes].some(node => this.#around?.has(node));
      const isShown = attributeName !== 'style' || isStyledToShow(target as Element, oldValue);
      if (type === 'attributes' && isShown) this.#opened.add(target);
    }
  }
}

/** A node and all its ancestors, shadow roots and their hosts included. */
function* composedPathFrom(from: Node): Generator<Node> {
  for (let node: Node | null = from; node !== null; node = parentNode(node) ?? shadowHostOf(node)) yield node;
}

function isStyledToShow(element: Element, before: string | null): boolean {
  const [was, is] = [before, getAttribute(element, 'style')].map(declarationOf);
  return SHOWING.some(name => was?.getPropertyValue(name) !== is?.getPropertyValue(name));
}

function declarationOf(text: string | null): CSSStyleDeclaration {
  const { style } = document.createElement('i');
  style.cssText = text ?? '';
  return style;
}

const PRESS_START_EVENTS = new Set(['pointerdown', 'mousedown', 'touchstart']);
const RELEASES = new Set(['pointerup', 'mouseup', 'touchend']);
const CLICKS = new Set(['click', 'auxclick', 'dblclick', 'contextmenu']);
/** Milliseconds after which a second press does not belong to a double click. */
const DOUBLE_CLICK_MS = 500;
/** A mouse that moved farther than this, in CSS pixels, drags. */
const STANDSTILL_PX = 3;

/** Identifies a pressed control, so that its re-rendered replacement can be recognised. */
export class PressedControl {
  readonly #identity: Identity;
  readonly #tag: string;
  readonly #box: DOMRect;

  constructor(
    readonly element: Element,
    readonly target: Target,
  ) {
    this.#identity = identityOf(element);
    this.#tag = localName(element);
    this.#box = boxOf(element);
  }

  get middle(): Point {
    return { x: this.#box.left + this.#box.width / 2, y: this.#box.top + this.#box.height / 2 };
  }

  /** The control with the same role and name at the same place, at or around what is hit there. */
  successor(hit: Element | null, ids: ElementIds): Element | undefined {
    const { role, name } = this.#identity;
    for (const node of elementsAround(isConnected(this.element) ? null : hit)) {
      if (localName(node) !== this.#tag) continue;
      const now = identityOf(node);
      if (now.role === role && now.name === name) return ids.succeeds(node, this.target) ? node : undefined;
    }
    return undefined;
  }
}

/** A press that reached the page, and the element's state after it. */
interface Landed {
  event: MouseEvent;
  /** Box of the element at the press. */
  at: DOMRect;
  mutations: PressMutations;
  /** Undefined until the handlers of the press have run. */
  left?: {
    fingerprint: number;
    /** The element is connected, enabled and under the mouse. */
    isHit: boolean;
  };
}

/** Keeps every press from a document: the target is in another one, whose events this document does not get. */
export class Shield implements Watch {
  readonly report: GuardReport = {};

  allows(event: Event): boolean {
    const isPress = PRESS_START_EVENTS.has(event.type);
    if (!event.isTrusted || !(isPress || isOfMouse(event))) return true;
    if (isPress) {
      const hit = event.composedPath()[0];
      this.report.missed = hit instanceof Element ? { by: { what: describeElement(widgetAt(hit) ?? hit) } } : {};
    }
    return this.report.missed === undefined;
  }
}

/** What sends the form of an event as the page was about to; undefined for any other event. */
function sendingOf(event: Event): (() => void) | undefined {
  const form = event instanceof NavigateEvent ? event.sourceElement : event.target;
  if (!(form instanceof HTMLFormElement)) return undefined;
  if (event instanceof SubmitEvent) return () => form.requestSubmit(event.submitter);
  return () => HTMLFormElement.prototype.submit.call(form);
}

/** Keeps the rest of a press from the page that was about to do more than it may. */
function keepingRest(missed: Missed): Watch {
  const isOfPress = (event: Event): boolean =>
    PRESS_START_EVENTS.has(event.type) || isOfMouse(event) || event.type === 'submit' || event instanceof NavigateEvent;
  return { report: { missed }, allows: event => !event.isTrusted || !isOfPress(event) };
}

/** What took a press that was not for it. */
function missedBy(taker: Element, ids: ElementIds): Missed {
  return { by: { id: ids.idOf(taker), what: describeElement(taker) } };
}

/**
 * Watches the presses at a point and their clicks.
 * Invariant: presses reach the page only while the same is there to be pressed as when the watch began, or what the page
 * has drawn in its place. Where there was nothing to be pressed, nothing may have come. A click that would be for what is
 * around a control, since its press has moved that away, does not reach the page.
 */
export class PointWatch implements Watch {
  readonly report: GuardReport = {};
  /** What the press is for; undefined where nothing can be pressed. */
  #control: PressedControl | undefined;
  readonly #directText: string;
  readonly #mutations: PressMutations;
  readonly #pressesBefore = pressesTaken();
  #landed: MouseEvent | undefined;
  /** Box of the control when it was pressed. */
  #landedAt: DOMRect | undefined;
  /** A `mousedown` goes where its `pointerdown` went. */
  #isDown = false;
  /** The control got the click of the latest press. */
  #isClicked = false;
  /** Chromium dispatches none to a disabled control. */
  #hadMouseDown = false;
  /** A person uses the page as well. */
  #isOver = false;

  /** @param hit The topmost element at the point, in CSS pixels of the layout viewport. */
  constructor(
    readonly hit: Element | null,
    readonly at: Point,
    readonly nodes: DocumentNodes,
  ) {
    const pressed = pressedAt(hit);
    this.#directText = hit === null ? '' : directText(hit);
    this.#control = pressed && new PressedControl(pressed, nodes.ids.targetNow(pressed));
    this.#mutations = new PressMutations(pressed ?? hit ?? document.documentElement);
  }

  allows(event: Event): boolean {
    if (!event.isTrusted || !(event instanceof MouseEvent)) return true;
    const isPress = PRESS_START_EVENTS.has(event.type);
    const age = event.timeStamp - (this.#landed?.timeStamp ?? event.timeStamp);
    if (isPress && age > DOUBLE_CLICK_MS) {
      this.#isOver = true;
      this.drop();
    }
    if (this.#isOver) return true;
    this.#hadMouseDown ||= event.type === 'mousedown';
    if (isPress && !this.#isDown && this.report.missed === undefined) this.#judge(event);
    if (isPress || RELEASES.has(event.type)) this.#isDown = isPress;
    if (event.type === 'click' && this.#isForWhatIsAround(event))
      this.report.missed = { begun: true, unclicked: 'moved' };
    return this.report.missed === undefined;
  }

  #judge(event: MouseEvent): void {
    const hit = deepElementFromPoint(event.clientX, event.clientY, this.nodes.closedRoots);
    if (!this.#isSame(hit)) {
      this.report.missed = { ...this.#missedFor(hit), ...(this.report.landed && { begun: true }) };
      return;
    }
    this.#landed = event;
    this.#isClicked = false;
    this.#landedAt = this.#control && boxOf(this.#control.element);
    this.report.landed = true;
  }

  #isSame(hit: Element | null): boolean {
    const control = this.#control;
    if (control === undefined) return this.#isSameNothing(hit);
    const { element, target } = control;
    const now = pressedAt(hit);
    if (now === element || (hit === this.hit && isConnected(element))) {
      // What the first press of a double click has changed does not count.
      if (this.report.landed || (hit === this.hit && this.#isBesideWords(hit, element))) return true;
      return this.nodes.ids.changeOf(element, target) === undefined;
    }
    const successor = control.successor(hit, this.nodes.ids);
    if (successor === undefined || !this.#mutations.hasInserted(successor)) return false;
    this.#control = new PressedControl(successor, this.nodes.ids.targetNow(successor));
    return true;
  }

  /** Whether a press is for a map, a chart or the ground of a board, whatever is written on or beside it. */
  #isBesideWords(hit: Element | null, element: Element): boolean {
    if (hit === null || identityOf(element).role !== 'clickable') return false;
    if (hit === element) return firstElementChild(hit) !== null && directText(hit) === this.#directText;
    const picture = hit instanceof SVGElement ? (hit.ownerSVGElement ?? hit) : hit;
    if (!(picture instanceof SVGElement || PICTURES.has(tagName(picture)))) return false;
    const [part, whole] = [boxOf(picture), boxOf(element)];
    return part.width * part.height > MOST_OF * whole.width * whole.height;
  }

  /** Whether there is still nothing to be pressed: the same, another part of the same drawing, or the same drawn anew. */
  #isSameNothing(hit: Element | null): boolean {
    const was = this.hit;
    // The cursor may show only now that something takes presses.
    if (hit === was) return true;
    if (pressedAt(hit) !== undefined) return false;
    if (hit === null || was === null) return true;
    if (hit instanceof SVGElement && was instanceof SVGElement) return true;
    return !isConnected(was) && tagName(hit) === tagName(was) && this.#mutations.hasInserted(hit);
  }

  #missedFor(hit: Element | null): Missed {
    return hit === null ? {} : missedBy(pressedAt(hit) ?? hit, this.nodes.ids);
  }

  end(): void {
    this.drop();
    const { landed, missed } = this.report;
    if (missed !== undefined || this.#hadMouseDown || this.#landed?.defaultPrevented) return;
    if (this.#control !== undefined && matches(this.#control.element, ':disabled')) {
      this.report.missed = { unclicked: 'disabled' };
      return;
    }
    if (landed) return;
    const { x, y } = this.at;
    const hit = deepElementFromPoint(x, y, this.nodes.closedRoots);
    if (pressesTaken() > this.#pressesBefore) this.report.landed = true;
    else if (hit !== this.hit && !this.#isSame(hit)) this.report.missed = { ...this.#missedFor(hit), elsewhere: true };
  }

  /** Chromium dispatches the click of a press and a release on two elements to their common ancestor. */
  #isForWhatIsAround(click: MouseEvent): boolean {
    const [element, landed, at] = [this.#control?.element, this.#landed, this.#landedAt];
    if (element === undefined || landed === undefined || at === undefined || landed.defaultPrevented) return false;
    // Another click may follow to the control of a label.
    this.#isClicked ||= isEventAt(element, click);
    return !this.#isClicked && !isDragged(landed, click) && hasMovedAway(element, at, landed);
  }

  drop(): void {
    this.#mutations.end();
  }
}

const PICTURES = new Set(['CANVAS', 'VIDEO', 'IMG']);
/** The share of a control that its picture fills. */
const MOST_OF = 0.5;

/** The text of an element without that of the elements in it. */
function directText(element: Element): string {
  let text = '';
  for (let node = firstChild(element); node !== null; node = nextSibling(node))
    if (node instanceof Text) text += node.data;
  return text;
}

/**
 * Watches one press of an element, its release and its click.
 * Invariant: they reach the page only on the element, and only while its description is the one that the agent was
 * given, or the one that the press itself caused.
 */
export class PressWatch implements Watch {
  readonly report: GuardReport = {};
  #element: Element;
  pressed?: PressedControl;
  #landed: Landed | undefined;
  #isReleased = false;
  #isClicked = false;
  #isDrag = false;
  /** Between the press and its release: Chromium dispatches no click then. */
  #wasReinserted = false;
  /** Where the press is made, in CSS pixels of the viewport, if known. */
  aimedAt: Point | undefined;
  readonly #pressesBefore = pressesTaken();

  constructor(
    element: Element,
    readonly target: Target,
    readonly ids: ElementIds,
  ) {
    this.#element = element;
  }

  allows(event: Event): boolean {
    if (!event.isTrusted) return true;
    const isPress = PRESS_START_EVENTS.has(event.type);
    if (event.type === 'mousedown' && !this.#isReleased) this.#forgetPointer();
    if (this.#landed === undefined) return isPress ? this.#allowsPress(event) : !(this.#isKept && isOfMouse(event));
    if (isPress) return this.#allowsAnother(event);
    if (RELEASES.has(event.type)) this.#judge(event);
    if (!CLICKS.has(event.type)) return true;
    if (event.type === 'click' && (isEventAt(this.#element, event) || isPressOf(this.#element, event)))
      this.#isClicked = true;
    return !this.#isKept && !this.#isForWidgetAround(event);
  }

  /** Something was kept from the page, so the events that belong to it are kept as well. */
  get #isKept(): boolean {
    return this.report.blocked !== undefined || this.report.missed !== undefined;
  }

  #allowsPress(event: Event): boolean {
    if (this.#isKept) return false;
    const now = this.ids.changeOf(this.#element, this.target);
    if (now !== undefined) this.report.blocked = now;
    else if (!isPressOf(this.#element, event)) this.report.missed = this.#missedFor(event.composedPath()[0]);
    else if (event instanceof MouseEvent) this.#land(event);
    return !this.#isKept;
  }

  /** The mousedown is the press; the pointerdown before it counts only where the page prevents the mouse events. */
  #forgetPointer(): void {
    if (this.#landed?.event.type !== 'pointerdown') return;
    this.drop();
    this.#landed = undefined;
    delete this.report.landed;
  }

  /** The second press of a double click; what the first one changed in the element does not count. */
  #allowsAnother(event: Event): boolean {
    const isLater = event.timeStamp - (this.#landed?.event.timeStamp ?? 0) > DOUBLE_CLICK_MS;
    if (!this.#isReleased || isLater || isPressOf(this.#element, event)) return true;
    const [hit] = event.composedPath();
    const successor = hit instanceof Element ? this.pressed?.successor(hit, this.ids) : undefined;
    if (successor === undefined) this.report.missed = { ...this.#missedFor(hit), begun: true };
    else this.#element = successor;
    return successor !== undefined;
  }

  /** Records the element once the press and its focus change were handled: changes until then are its effect. */
  #land(event: MouseEvent): void {
    const landed: Landed = { event, at: boxOf(this.#element), mutations: new PressMutations(this.#element) };
    this.#landed = landed;
    this.pressed = new PressedControl(this.#element, this.target);
    this.report.landed = true;
    const note = (): void => {
      if (this.#isReleased || this.#landed !== landed) return;
      landed.mutations.noteHandled();
      const { fingerprint } = describeNow(this.#element);
      const isHit = isUnder(this.#element, event) && !isDisabled(this.#element);
      landed.left = { fingerprint, isHit };
    };
    // Bubbling listeners on the window run last, unless a handler stops the propagation.
    const noted = [event.type, 'focusin'];
    for (const type of noted) window.addEventListener(type, note);
    const end = (): void => {
      for (const type of noted) window.removeEventListener(type, note);
      if (landed.left === undefined) note();
    };
    void scheduler.postTask(end, { priority: 'user-blocking' });
  }

  /** Decides, at the first event of the release, whether its click may reach the page. */
  #judge(event: Event): void {
    if (this.#isReleased || this.#landed === undefined) return;
    const { left, mutations } = this.#landed;
    this.#isReleased = true;
    // Changes that the release's handlers make to the element are the action's effect.
    this.#wasReinserted = mutations.wasTakenOut && isConnected(this.#element);
    this.#isDrag = event instanceof MouseEvent && isDragged(this.#landed.event, event);
    // When the release follows the press immediately, only the press can have changed the element.
    if (left?.isHit && !this.#isDrag) this.#judgeLeft(event, left);
    mutations.end();
  }

  #judgeLeft(event: Event, { fingerprint }: { fingerprint: number }): void {
    if (!isPressOf(this.#element, event)) {
      if (!this.#hasOpened(event)) this.report.missed = { ...this.#missedFor(event.composedPath()[0]), begun: true };
    } else if (describeNow(this.#element).fingerprint !== fingerprint) {
      const change = this.ids.changeOf(this.#element, this.target);
      if (change !== undefined) this.report.blocked = { ...change, begun: true };
    }
  }

  /** Whether the node under the mouse has opened since the press, over an element that did not move. */
  #hasOpened(event: Event): boolean {
    const [hit] = event.composedPath();
    const landed = this.#landed;
    if (landed === undefined || !(hit instanceof Element) || isWithin(hit, this.#element)) return false;
    return standsStill(this.#element, landed.at) && landed.mutations.hasOpened(hit);
  }

  /**
   * Chromium dispatches the click of a press and a release on two elements to their common ancestor, such as a
   * clickable card, from which the element may keep its own clicks.
   */
  #isForWidgetAround(event: Event): boolean {
    const [target] = event.composedPath();
    if (this.#isDrag || !(target instanceof Element) || isPressOf(this.#element, event)) return false;
    return isWithin(this.#element, target) && widgetAt(target) !== undefined;
  }

  end(): void {
    this.drop();
    // A disabled control gets pointer events without mouse events, although no handler prevented them.
    if (this.#landed?.event.defaultPrevented === false) this.#forgetPointer();
    if (this.#isKept) return;
    if (this.#landed === undefined) {
      if (isConnected(this.#element)) this.#missedAll();
    } else if (this.#isReleased && !this.#isDrag && !this.#isClicked) {
      const unclicked = this.#whyUnclicked(this.#landed);
      if (unclicked !== undefined) this.report.missed = { begun: true, unclicked };
    }
  }

  drop(): void {
    this.#landed?.mutations.end();
  }

  /**
   * Chromium dispatches no press to a disabled control. A press without any other event in this document went into a
   * frame that came under the mouse, or nowhere. A page can also stop the propagation before this listener: the element
   * is then still at the point of the press.
   */
  #missedAll(): void {
    const at = this.aimedAt;
    const hit = at && topmostAt(this.#element, at.x, at.y);
    if (matches(this.#element, ':disabled')) this.report.missed = { unclicked: 'disabled' };
    else if (hit !== undefined && !takesPressOn(this.#element, hit))
      this.report.missed = { ...this.#missedFor(hit), elsewhere: true };
    else if (pressesTaken() > this.#pressesBefore) this.report.landed = true;
  }

  /** Covering or removing the element may be an effect of the press; a page that moves it makes the press miss. */
  #whyUnclicked(landed: Landed): Missed['unclicked'] {
    if (landed.event.button !== 0) return undefined;
    if (this.#wasReinserted) return 'replaced';
    return hasMovedAway(this.#element, landed.at, landed.event) ? 'moved' : undefined;
  }

  #missedFor(hit: EventTarget | null | undefined): Missed {
    if (!(hit instanceof Element)) return {};
    return missedBy(innerWidget(this.#element, hit) ?? widgetAt(hit) ?? hit, this.ids);
  }
}

function isDragged(from: MouseEvent, to: MouseEvent): boolean {
  return Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) > STANDSTILL_PX;
}

function standsStill(element: Element, at: DOMRect): boolean {
  const now = boxOf(element);
  return isConnected(element) && Math.hypot(now.left - at.left, now.top - at.top) <= STANDSTILL_PX;
}

/** Whether an element has left the point of its press. One moved out of scrollable reach counts as hidden, not moved. */
function hasMovedAway(element: Element, from: DOMRect, { clientX: x, clientY: y }: MouseEvent): boolean {
  const now = boxOf(element);
  if (now.width === 0 || now.height === 0 || standsStill(element, from)) return false;
  const isUnderMouse = x >= now.left && x <= now.right && y >= now.top && y <= now.bottom;
  return !isUnderMouse && isReachable(element, now, viewportNow());
}

/** The number of presses that this document has got, whatever its listeners did (Event Timing, `eventCounts`). */
function pressesTaken(): number {
  const { eventCounts } = performance;
  return (eventCounts.get('pointerdown') ?? 0) + (eventCounts.get('mousedown') ?? 0);
}

function isOfMouse({ type }: Event): boolean {
  return RELEASES.has(type) || CLICKS.has(type);
}
