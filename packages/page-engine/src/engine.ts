import {
  Changes,
  fadingTime,
  KeptRows,
  loadingMarks,
  type PageWait,
  type Stirring,
  untilOver,
} from './capture/changes.js';
import { Listeners, Reactions } from './capture/clickable.js';
import { deepActiveElement } from './capture/emit.js';
import { hiddenControl, setReactionFinder } from './capture/interactive.js';
import { type CaptureRequest, Captures, type NumberedCapture, Walker } from './capture/walk.js';
import { isDisabled, isMasked } from './dom/control.js';
import {
  ClosedRoots,
  checkVisibility,
  localName,
  nextElementSibling,
  parentNode,
  previousElementSibling,
  setClosedRootFinder,
  shadowHostOf,
  tagName,
  titleNow,
} from './dom/dom.js';
import { InternalSemantics } from './dom/internals.js';
import {
  boxesAnswer,
  type Distance,
  elementPlaces,
  reveal,
  type ScrollState,
  scrollerOf,
  scrollFrom,
  scrollState,
  WheelWatch,
} from './dom/scroll.js';
import { ActionEffects, Departure } from './effects/action-effects.js';
import { describeNow, ElementIds, type Newcomers } from './identity/identity.js';
import {
  type Cover,
  deepElementFromPoint,
  describeElement,
  inVisualViewport,
  nodesOverPage,
  outOfFrame,
} from './press/hit-test.js';
import { Guard, PointWatch, PressWatch, Shield } from './press/press-guard.js';
import { type Aim, type AimManner, aimAt, bringIntoView } from './press/press-point.js';
import {
  choose,
  dropPlace,
  elementHit,
  factsOf,
  fileFieldOf,
  fileInputOf,
  focusOf,
  isFit,
  isSubmenuOpen,
  listboxOptions,
  placeCaretAtEnd,
  selectAll,
  takesDrops,
} from './press/probe.js';
import {
  type AimAnswer,
  ANY_FINGERPRINT,
  type CaptureAnswer,
  type CoverAnswer,
  type ElementAt,
  type ElementFacts,
  type ElementRequest,
  type EngineRefusal,
  type EntryAnswer,
  type GuardReport,
  type IdentityNow,
  NO_FINGERPRINT,
  type OuterPointAnswer,
  type PasteAnswer,
  type PingAnswer,
  type PressedPoint,
  type Purpose,
  type SecretText,
  type Target,
  type TypePurpose,
  type WantedOptions,
} from './protocol.js';
import { heldSecrets } from './secrets/held-secrets.js';
import { SecretFinder } from './secrets/secret-finder.js';
import type { Marks } from './secrets/secret-marks.js';
import { ClipboardKeys, type ClipboardKeysRequest, copyFrom, pasteInto } from './text/clipboard.js';
import { EntryWatch, insertText } from './text/entry.js';
import { readDocument } from './text/reader.js';
import { visualViewportNow } from './visibility/visibility.js';

/** Marks a refusal in the text of an error; the payload is URI-encoded, so a page cannot forge one. */
const REFUSAL_PREFIX = 'browser-toolset-refusal:';

function throwRefusal(refusal: EngineRefusal): never {
  throw new Error(`${REFUSAL_PREFIX}${encodeURIComponent(JSON.stringify(refusal))};`);
}

/** A deeper element gets its innermost steps. */
const MOST_STEPS = 60;
/** Limit in characters of a custom element's name. */
const TAG_LIMIT = 60;

/**
 * The selector path of an element from the body, by tags and by positions among siblings of the same tag: these survive
 * changes of text, classes and ids. `>>` enters the shadow root of the element before it.
 */
function selectorPathOf(element: Element): string {
  let path = stepOf(element);
  let at = element;
  for (let steps = 1; steps < MOST_STEPS; steps++) {
    const parent = parentNode(at);
    const host = parent === null ? null : shadowHostOf(parent);
    const next = host ?? (parent instanceof Element ? parent : null);
    if (next === null || (host === null && FRAME_OF_PAGE.has(tagName(next)))) break;
    path = `${stepOf(next)} ${host === null ? '>' : '>>'} ${path}`;
    at = next;
  }
  return path;
}

/** Ancestors of all elements, which paths leave out. */
const FRAME_OF_PAGE = new Set(['BODY', 'HTML']);

function stepOf(element: Element): string {
  const name = localName(element);
  const tag = name.slice(0, TAG_LIMIT);
  const before = countAlike(element, name, previousElementSibling);
  const isOnly = before === 0 && countAlike(element, name, nextElementSibling, 1) === 0;
  return isOnly ? tag : `${tag}:nth-of-type(${before + 1})`;
}

/** Counts the siblings of the same tag in one direction, up to `most`. */
function countAlike(
  element: Element,
  name: string,
  step: (from: Element) => Element | null,
  most = Number.POSITIVE_INFINITY,
): number {
  let count = 0;
  for (let at = step(element); at !== null && count < most; at = step(at)) if (localName(at) === name) count++;
  return count;
}

/** An answer that is already serialised. */
class Written<Of> {
  declare readonly of: Of;

  constructor(readonly text: string) {}
}

/** Answers the questions about one document. */
class Engine {
  readonly ids = new ElementIds();
  readonly closedRoots = new ClosedRoots();
  readonly changes = new Changes();
  readonly rows = new KeptRows(this.changes);
  readonly listeners = new Listeners();
  readonly reactions = new Reactions(this.listeners);
  readonly shownAriaHidden = new WeakSet<Element>();
  readonly internals = new InternalSemantics(() => this.rows.forget());
  readonly #guard = new Guard(this.closedRoots);
  readonly #departure = new Departure();
  readonly #secretFinder = new SecretFinder(this);
  readonly #actionEffects = new ActionEffects();
  readonly #clipboardKeys = new ClipboardKeys();
  readonly #wheel = new WheelWatch();
  #acted: WeakRef<Element> | undefined;
  #entry: EntryWatch | undefined;
  readonly #walker = new Walker(this);
  readonly #captures = new Captures(this.#walker);

  /**
   * All questions by name. A handler takes the fields of its question, and its result is the answer. A handler with a
   * target checks it first, as described at {@link EngineRefusal}.
   */
  readonly handlers = {
    /** Omits the capture if it equals the one with the number `seen`. */
    capture: this.#capture.bind(this),
    /** Selects the content of a text field, so that typed text replaces it. */
    enter: this.#enter.bind(this),
    /** Accepts {@link ANY_FINGERPRINT}, but refuses if the guard blocked an event. `inView` scrolls the element into view. */
    facts: this.#facts.bind(this),
    /** The origin of the document, `null` for an opaque one. */
    origin: ({ target }: { target: Target }): string => {
      this.#find(target);
      return self.origin;
    },
    /** Inserts a text with secrets into a field. Returns whether it was inserted. */
    insert: this.#insert.bind(this),
    focus: ({ target }: { target: Target }) => focusOf(this.#find(target)),
    /** Whether each element is as the agent was given it. */
    areSame: ({ targets }: { targets: readonly Target[] }) =>
      targets.map(({ id, ...rest }) => {
        const isThere = this.ids.element(id) !== undefined;
        return isThere && this.ids.find({ id, ...rest }, () => this.#newcomers()) instanceof Element;
      }),
    choose: this.#choose.bind(this),
    /** Where the mouse reaches the element, which is scrolled into view. With a purpose, guards a press of it. */
    aim: this.#aim.bind(this),
    /** The point of a frame's document in this viewport, which is scrolled into view; null where it is unknown. */
    outOfFrame: ({ id, x, y }: { id: number; x: number; y: number }): OuterPointAnswer | null => {
      const found = outOfFrame(this.ids.element(id), { x, y });
      if (found === null) return null;
      const { cover, ...at } = found;
      return { ...at, ...(cover && { cover: { doc: this.ids.doc, ...this.#coverAnswer(cover) } }) };
    },
    /** Blocks presses in this document: one that is meant for a frame in it would have hit what covers the frame. */
    shield: (): null => {
      this.#guard.arm(new Shield());
      return null;
    },
    /** Stops guarding events and reports the outcome. */
    guard: this.#letThrough.bind(this),
    /** Lets the page go on with what it had begun for a press and was kept from; false where that cannot be. */
    goOn: (): boolean => this.#guard.goOn(),
    /** The outcome so far. */
    guarded: (): GuardReport => this.#guard.report,
    /** Scrolls the box around the target, or the main one, by pixels or by lengths of that box. */
    scroll: ({ target, ...by }: Distance & { target?: Target; isTurned?: true }) =>
      scrollFrom(this.ids, target && this.#find(target), by),
    /** Observes a turn of the wheel at a point. */
    awaitWheel: ({ x, y }: { x: number; y: number }): null => {
      this.#actionEffects.visualEffects.begin(deepElementFromPoint(x, y));
      this.#wheel.begin();
      return null;
    },
    /** Whether something handled the wheel. */
    wheel: () => this.#wheel.end(),
    /** Scrolls a node into view. Returns the state of the main scroller. */
    reveal: ({ id }: { id: number }): ScrollState => {
      reveal(id, this);
      return scrollState(scrollerOf(undefined, 0, 1));
    },
    /**
     * What is at a point of the visual viewport. `guards` a press of it: unless it is a frame into which the caller goes
     * on, or `here` in any case; the press `mayDo` these default actions, or all.
     */
    at: this.#at.bind(this),
    /** The ids of the nodes in a box over a page that receives no presses; none without such a box. */
    overlay: () => this.ids.among(nodesOverPage()),
    /** Null for elements that are gone. `texts` asks for the places of these texts in them. */
    places: (asked: { ids: readonly number[]; texts?: readonly (string | null)[] }) => elementPlaces(this, asked),
    /** Whether the submenu of a menu item is shown. */
    submenu: ({ id }: { id: number }) => {
      const item = this.ids.element(id);
      return item !== undefined && isSubmenuOpen(item);
    },
    /** Where a dragged element is now. */
    dropPlace: ({ id, goal }: { id: number; goal?: number }) =>
      dropPlace(this.ids.element(id), goal === undefined ? undefined : this.ids.element(goal)),
    boxes: ({ ids }: { ids: readonly number[] }) => boxesAnswer(ids.map(id => this.ids.element(id))),
    /** Path and description of each element as it is now, or null for one that is gone or in another document. */
    identities: ({ doc, ids }: { doc: string; ids: readonly number[] }) => ids.map(id => this.#identityOf(doc, id)),
    /** The readable text of the document or the target. */
    read: ({ target }: { target?: Target }) => readDocument(this.ids, target && this.#find(target)),
    secretOccurrences: () => this.#secretFinder.find(),
    takesDrops: ({ target }: { target: Target }) => takesDrops(this.#find(target)),
    onlyFollows: ({ target }: { target: Target }) => this.listeners.leaveToBrowser(this.#find(target)),
    outputs: () => this.#actionEffects.outputs.take(),
    changedFor: () => this.changes.age,
    ping: (): PingAnswer => ({ doc: this.ids.doc, title: titleNow() }),
    copy: ({ target }: { target: Target }) => copyFrom(this.#find(target)),
    paste: ({ text }: { text: string }) => this.#paste(text),
    /** Takes the focus from where it is, as a press of anything else does. */
    leave: (): null => {
      const active = deepActiveElement();
      if (active instanceof HTMLElement) active.blur();
      return null;
    },
    /** Observes at the focus the keys that copy, cut or paste. */
    awaitKeys: () => this.#clipboardKeys.await(this.ids),
    /** Performs those keys, unless the page handled them. */
    clipboardKeys: (keys: ClipboardKeysRequest) => this.#clipboardKeys.done(this.ids, keys),
  };

  constructor() {
    setClosedRootFinder(element => this.closedRoots.closed(element));
    setReactionFinder((element, declares) => this.reactions.reacts(element, declares));
  }

  /** Playwright's selector engine interface. */
  query(_root: Node, selector: string): Element | undefined {
    return this.queryAll(_root, selector)[0];
  }

  queryAll(_root: Node, selector: string): Element[] {
    const text = decodeURIComponent(selector);
    const asked = JSON.parse(text) as { do: Question } | ({ do: 'element' } & ElementRequest);
    if (asked.do === 'element') return [this.#element(asked)];
    return [Object.assign(document.createElement('div'), { textContent: this.answer(text) })];
  }

  /** Takes a serialised question, which names its handler. Returns the answer, and on a line of its own what is left of secrets. */
  answer(question: string): string {
    const { do: name, marks, ...asked } = JSON.parse(question) as { do: Question; marks?: Marks };
    if (marks !== undefined) heldSecrets.know(marks);
    const handler = this.handlers[name] as (asked: object) => unknown;
    const answer = handler(asked);
    const pieces = heldSecrets.pieces();
    const text = answer instanceof Written ? answer.text : JSON.stringify(answer);
    return pieces.length === 0 ? text : `${text}\n${JSON.stringify(pieces)}`;
  }

  wait(what: PageWait): Promise<Stirring> {
    return untilOver(what, this.changes);
  }

  #element({ target, purpose }: ElementRequest): Element {
    const element = this.#find(target);
    const control = purpose && this.#fitControl(element, purpose);
    if (purpose?.to === 'type' || purpose?.to === 'focus') {
      const isEmpty = purpose.to === 'type' && purpose.isEmpty;
      this.#entry = new EntryWatch({ control: control as HTMLElement, element, target, isEmpty }, this.ids);
      this.#guard.arm(this.#entry);
    }
    if (purpose?.to === 'type' && purpose.append) {
      if (purpose.append === true || deepActiveElement() !== control) placeCaretAtEnd(control as HTMLElement);
    }
    return purpose?.to === 'focus' || purpose?.to === 'upload' ? (control as HTMLElement) : element;
  }

  /** The control that an element stands for, if it can take the action. */
  #fitControl(element: Element, purpose: Purpose): Element {
    const control = (purpose.to === 'upload' ? fileInputOf(element) : hiddenControl(element)) ?? element;
    if (isDisabled(control)) throwRefusal({ code: 'disabled' });
    if (!isFit(control, purpose)) throwRefusal({ code: 'unfit', purpose, facts: factsOf(control) });
    this.#acted = new WeakRef(control);
    this.#actionEffects.styleChanges.begin(element);
    if (purpose.to === 'type' && !purpose.append) heldSecrets.replace(control);
    return control;
  }

  #enter(request: { target: Target; purpose: TypePurpose }): EntryAnswer {
    const element = this.#element(request);
    const answer = selectAll(element) ?? throwRefusal({ code: 'unfocused', holder: focusOf(element).holder });
    if (answer !== 'whole' && answer !== 'unseen') this.#entry?.awaitText();
    return answer;
  }

  #paste(text: string): PasteAnswer {
    const { blocked, missed } = this.#guard.report;
    // What is kept from the field is not pasted into it either.
    if (blocked !== undefined || missed !== undefined) return { taken: true, oneLine: false };
    const answer = pasteInto(this.ids, text);
    if (answer.taken) this.#entry?.noteTaken();
    return answer;
  }

  #choose({ target, wanted }: { target: Target; wanted: WantedOptions }): string[] {
    const element = this.#find(target);
    const select = this.#fitControl(element, { to: 'select', ...wanted }) as HTMLSelectElement;
    if (!checkVisibility(select, { visibilityProperty: true })) throwRefusal({ code: 'hidden' });
    return choose(select, wanted);
  }

  #insert({
    target,
    purpose,
    ...how
  }: {
    target: Target;
    purpose: TypePurpose;
    text: string;
    secrets: SecretText[];
    slowly: boolean;
  }): boolean {
    const element = this.#element({ target, purpose });
    const field = (hiddenControl(element) ?? element) as HTMLElement;
    return insertText(field, { ...how, append: purpose.append === true });
  }

  #aim({ target, purpose, ...how }: { target: Target; purpose?: Purpose } & AimManner): AimAnswer {
    const element = this.#find(target);
    if (purpose === undefined) return this.#aimAnswer(aimAt(element, { ...how, mayHitInside: true }));
    this.#departure.watch();
    this.#actionEffects.scroll.begin();
    this.#fitControl(element, purpose);
    const watch = new PressWatch(element, target, this.ids);
    this.#guard.arm(watch, purpose.to === 'click' ? purpose.mayDo : undefined);
    const aim = aimAt(element, how);
    if (aim.is === 'free') watch.aimedAt = aim.at;
    return this.#aimAnswer(aim);
  }

  #at({ x, y, guards, mayDo }: PressedPoint): ElementAt | null {
    const [left, top] = visualViewportNow();
    const at = { x: x + left, y: y + top };
    const hit = deepElementFromPoint(at.x, at.y, this.closedRoots);
    const found = elementHit(this, hit, at);
    if (guards === 'here' || (guards === 'inside' && found?.inner === undefined)) {
      this.#departure.watch();
      const acted = found === null ? undefined : this.ids.element(found.id);
      this.#acted = acted && new WeakRef(acted);
      this.#guard.arm(new PointWatch(hit, at, this), mayDo);
    }
    return found;
  }

  #aimAnswer(aim: Aim): AimAnswer {
    if (aim.is === 'free') return { ...aim, at: inVisualViewport(aim.at) };
    if (aim.is === 'full') return { is: aim.is, id: this.ids.idOf(aim.of), what: describeElement(aim.of) };
    return aim.is === 'covered' ? { is: aim.is, ...this.#coverAnswer(aim.by) } : aim;
  }

  #coverAnswer({ description, wayOut, isPassing }: Cover): CoverAnswer {
    return { by: description, ...(wayOut && { wayOutId: this.ids.idOf(wayOut) }), ...(isPassing && { isPassing }) };
  }

  /** Refuses when the guard kept an event for an element from the page. */
  #refuseKept(): void {
    const { blocked, missed } = this.#guard.disarm();
    if (blocked === undefined && missed === undefined) return;
    throwRefusal(blocked !== undefined ? { code: 'changed', now: blocked } : { code: 'missed', missed: missed ?? {} });
  }

  #find(target: Target): Element {
    const found = this.ids.find(target, () => this.#newcomers());
    if (found instanceof Element) return found;
    return throwRefusal(found.code === 'stale' ? (this.#drawnAnew(target) ?? found) : found);
  }

  /** The control that the page drew in the place of one that this call has pressed: further clicks of it are for that. */
  #drawnAnew(target: Target): EngineRefusal | undefined {
    const { pressed } = this.#guard;
    if (pressed?.target.id !== target.id || target.doc !== this.ids.doc) return undefined;
    const { x, y } = pressed.middle;
    const successor = pressed.successor(deepElementFromPoint(x, y, this.closedRoots), this.ids);
    if (successor === undefined) return undefined;
    return {
      code: 'stale',
      candidates: [],
      replacement: { id: this.ids.idOf(successor), now: describeNow(successor) },
    };
  }

  #letThrough(): GuardReport {
    const report = this.#guard.disarm();
    // A press that was kept from the page is repeated in the same action.
    if (report.missed === undefined) this.ids.endAction();
    return { ...report, ...this.#actedNow(), ...(this.#departure.isNear && { leaving: true }) };
  }

  #identityOf(doc: string, id: number): IdentityNow | null {
    const element = doc === this.ids.doc ? this.ids.element(id) : undefined;
    if (element === undefined) return null;
    const { role, name, row } = describeNow(element);
    const isHidden = isMasked(hiddenControl(element) ?? element);
    return { path: selectorPathOf(element), role, name, row, ...(isHidden && { masked: true }) };
  }

  #facts({ target, inView }: { target: Target; inView?: true }): ElementFacts {
    if (target.fingerprint === ANY_FINGERPRINT) this.#refuseKept();
    const element = this.#find(target);
    if (inView) bringIntoView(element);
    const control = hiddenControl(element) ?? element;
    return {
      fileField: fileFieldOf(element),
      ...factsOf(control, describeNow(element), this.listeners.hearing(element)),
      ...this.#elsewhere(control),
      offers: listboxOptions(element).map(option => this.ids.idOf(option)),
    };
  }

  #actedNow(): { acted?: ElementFacts } {
    const acted = this.#acted?.deref();
    if (!acted?.isConnected) return {};
    return { acted: { ...factsOf(acted, undefined, this.listeners.hearing(acted)), ...this.#elsewhere(acted) } };
  }

  #elsewhere(control: Element): Pick<ElementFacts, 'elsewhere'> {
    const elsewhere = this.#entry?.elsewhereOf(control);
    return elsewhere ? { elsewhere } : {};
  }

  /** Everything that is interactive now, to find the replacement of an element that is gone. */
  #newcomers(): Newcomers {
    this.rows.forget();
    const { walk, modal } = this.#walker.walk({ maxNodes: Number.POSITIVE_INFINITY });
    const elements: Element[] = [];
    for (const node of walk.emitter.nodes) {
      const element = node[6] === NO_FINGERPRINT ? undefined : this.ids.element(node[1]);
      if (element !== undefined) elements.push(element);
    }
    return { elements, modal };
  }

  #capture(request: CaptureRequest): Written<CaptureAnswer> {
    const { blocked, missed } = this.#guard.disarm();
    this.#guard.pressed = undefined;
    this.ids.endAction();
    const take = (): NumberedCapture => this.#captures.take(request);
    const { number, text } = request.isAside ? this.ids.aside(take) : take();
    const fading = fadingTime();
    const loading = loadingMarks();
    const head: CaptureAnswer = {
      number,
      ...(blocked && { blocked }),
      ...(missed && { missed }),
      ...(request.acted && this.#actedNow()),
      ...(fading > 0 && { fading }),
      ...(loading > 0 && { loading }),
      ...this.#actionEffects.take(request.since, this.#acted?.deref(), element => this.ids.idOf(element)),
    };
    const written = JSON.stringify(head);
    return new Written(request.seen === number ? written : `${written.slice(0, -1)},"capture":${text}}`);
  }
}

type Handlers = Engine['handlers'];

/** The name of a question to the engine. */
export type Question = keyof Handlers;

/** The fields of a question. */
export type Asked<Name extends Question> =
  Parameters<Handlers[Name]> extends [infer Fields extends object] ? Fields : Record<string, never>;

/** The answer to a question: the result of its handler. */
export type Answer<Name extends Question> =
  ReturnType<Handlers[Name]> extends Written<infer Of> ? Of : ReturnType<Handlers[Name]>;

type EngineGlobal = typeof globalThis & { browserToolsetEngines?: Map<string, Engine>; browserToolsetFirst?: Engine };

/**
 * The engine of one document, on the global object of its isolated world, where CDP reaches it: the one installed
 * before Playwright attached, or a new one. Other attached toolsets share that world, pages do not.
 */
export function createEngine(): Engine {
  const world = globalThis as EngineGlobal;
  // In every world, elements with an id are properties of the window, but not its own properties.
  const own = (name: keyof EngineGlobal): boolean => Object.hasOwn(world, name);
  if (world.browserToolsetFirst !== undefined && own('browserToolsetFirst')) return world.browserToolsetFirst;
  const engine = new Engine();
  if (!own('browserToolsetEngines')) world.browserToolsetEngines = new Map();
  world.browserToolsetEngines?.set(engine.ids.doc, engine);
  return engine;
}
