import { ActionEffects, Departure } from './action-effects.js';
import { Changes, fadingTime, KeptRows, type Stirring, untilFaded, untilStirred } from './changes.js';
import { Listeners, Reactions } from './clickable.js';
import { ClipboardKeys, type ClipboardKeysRequest, copyFrom, pasteInto } from './clipboard.js';
import { forgetSecret, isDisabled } from './control.js';
import {
  ClosedRoots,
  checkVisibility,
  localName,
  lookUpClosedRootsWith,
  nextElementSibling,
  parentNode,
  previousElementSibling,
  shadowHostOf,
  tagName,
  titleNow,
} from './dom.js';
import { deepActiveElement } from './emit.js';
import { EntryWatch, insertText } from './entry.js';
import { describeElement, nodesOverPage, outOfFrame } from './hit-test.js';
import { describeNow, ElementIds, type Newcomers } from './identity.js';
import { hiddenControl, lookUpReactionsWith } from './interactive.js';
import { Guard, PressWatch, Shield } from './press-guard.js';
import { aimAt, aimAtArea, bringIntoSight } from './press-point.js';
import {
  choose,
  elementHit,
  factsOf,
  fileFieldOf,
  fileInputOf,
  focusOf,
  isFit,
  listboxOptions,
  placeCaretAtEnd,
  probe,
  selectAll,
  takesDrops,
  wayOutId,
} from './probe.js';
import type {
  AimAnswer,
  AreaAnswer,
  CaptureAnswer,
  ElementFacts,
  ElementRequest,
  EngineRefusal,
  EntryAnswer,
  GuardReport,
  PingAnswer,
  Purpose,
  SecretText,
  Target,
  TypePurpose,
  WantedOptions,
} from './protocol.js';
import { readDocument } from './reader.js';
import {
  boxesAnswer,
  type Distance,
  elementPlaces,
  reveal,
  type ScrollState,
  scrollBy,
  scrollerOf,
  scrollState,
} from './scroll.js';
import { SecretFinder } from './secret-finder.js';
import type { Marks } from './secret-marks.js';
import { type CaptureRequest, Captures, Walker } from './walk.js';

/** Marks the engine's refusals in the text of an error; what is inside is URI-encoded, so a page cannot write it. */
const REFUSAL_PREFIX = 'browser-toolset-refusal:';

/** Tells why an element is not handed out. */
function throwRefusal(refusal: EngineRefusal): never {
  throw new Error(`${REFUSAL_PREFIX}${encodeURIComponent(JSON.stringify(refusal))};`);
}

/** Of what lies deeper, the innermost steps are told. */
const MOST_STEPS = 60;
/** Characters of the name of a custom element. */
const TAG_LIMIT = 60;

/**
 * The way to an element from the body of its document, by tags and by places among siblings of the same tag: what a page
 * keeps when its words, classes and ids change. `>>` leads into the shadow root of what stands before it.
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

/** Around everything, so that they tell nothing. */
const FRAME_OF_PAGE = new Set(['BODY', 'HTML']);

function stepOf(element: Element): string {
  const name = localName(element);
  const said = name.slice(0, TAG_LIMIT);
  const before = countAlike(element, name, previousElementSibling);
  const isOnly = before === 0 && countAlike(element, name, nextElementSibling, 1) === 0;
  return isOnly ? said : `${said}:nth-of-type(${before + 1})`;
}

/** Siblings of the same tag in one direction, counted up to so many. */
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

/** An answer that has been written as text already. */
class Written<Of> {
  declare readonly of: Of;

  constructor(readonly text: string) {}
}

/** Knows one document, and answers what is asked about it. */
class Engine {
  readonly ids = new ElementIds();
  readonly closedRoots = new ClosedRoots();
  readonly changes = new Changes();
  readonly rows = new KeptRows(this.changes);
  readonly listeners = new Listeners();
  readonly reactions = new Reactions(this.listeners);
  readonly #guard = new Guard();
  readonly #departure = new Departure();
  readonly #sightings = new SecretFinder(this);
  readonly #news = new ActionEffects();
  readonly #clipboardKeys = new ClipboardKeys();
  #acted: WeakRef<Element> | undefined;
  #entry: EntryWatch | undefined;
  readonly #walker = new Walker(this);
  readonly #captures = new Captures(this.#walker);

  /**
   * All that can be asked, by name. A handler takes what the question says, and what it returns is the answer. Those that
   * take a target check it as described at {@link EngineRefusal}.
   */
  readonly handlers = {
    /** A capture that reads as the one of the number `seen` is not sent again. */
    capture: this.#capture.bind(this),
    /** Selects what a field of text holds, for text to take its place. */
    enter: this.#enter.bind(this),
    /**
     * Of a target that may say anything: refused when what was meant for it was kept from the page. `inSight` scrolls the
     * element into view.
     */
    facts: this.#facts.bind(this),
    /** The origin of the document, `null` for one that has none of its own. */
    origin: ({ target }: { target: Target }): string => {
      this.#find(target);
      return self.origin;
    },
    /** Puts a text that has secrets in it into a field. Answers with whether it went in. */
    insert: this.#insert.bind(this),
    focus: ({ target }: { target: Target }) => focusOf(this.#find(target)),
    /** Selects options of a select element. */
    choose: this.#choose.bind(this),
    probe: ({ id }: { id: number }) => probe(this.ids.element(id), element => this.ids.idOf(element)),
    /** Guards a press of the element, and scrolls it into view. `unguarded` tells alone where it would go. */
    aim: this.#aim.bind(this),
    /** Where a point of the document in a frame is, seen from this one, or null where nobody can tell. */
    outOfFrame: ({ id, x, y }: { id: number; x: number; y: number }) => outOfFrame(this.ids.element(id), { x, y }),
    /** Guards the press of an area of an image. */
    area: this.#area.bind(this),
    /** Lets no press reach this document: one that is meant for a frame in it would have hit what lies over the frame. */
    shield: (): null => {
      this.#guard.arm(new Shield());
      return null;
    },
    /** Lets events through again. */
    guard: this.#letThrough.bind(this),
    /** Scrolls the box around the target, or the main one, by pixels or by lengths of that box. */
    scroll: ({ target, ...by }: Distance & { target?: Target }) =>
      scrollBy(scrollerOf(target && this.#find(target), by.dx, by.dy), by),
    /** Scrolls a node to where a person sees it. Answers with the state of the main scroller. */
    reveal: ({ id }: { id: number }): ScrollState => {
      reveal(node => this.ids.has(node, id), this.closedRoots);
      return scrollState(scrollerOf(undefined, 0, 1));
    },
    at: (point: { x: number; y: number }) => elementHit(this, point),
    /** The id of what would be pressed to get past an element that lies over a frame, or null. */
    wayOut: ({ id }: { id: number }) => wayOutId(this.ids, id),
    /** The ids of what is in the box that stands over a page which takes no press; none where there is none. */
    overlay: () => this.ids.among(nodesOverPage()),
    /** Null for what is gone. */
    places: ({ ids }: { ids: readonly number[] }) => elementPlaces(this, ids),
    boxes: ({ ids }: { ids: readonly number[] }) => boxesAnswer(ids.map(id => this.ids.element(id))),
    /** The path of each element, or null for what is gone or in another document. */
    paths: ({ doc, ids }: { doc: string; ids: readonly number[] }) => ids.map(id => this.#pathOf(doc, id)),
    /** The readable text of the document or the target. */
    read: ({ target }: { target?: Target }) => readDocument(this.ids, target && this.#find(target)),
    sightings: ({ marks }: { marks: Marks }) => this.#sightings.look(marks),
    /** Whether files can be dropped on it. */
    takesDrops: ({ target }: { target: Target }) => takesDrops(this.#find(target)),
    outputs: () => this.#news.outputs.take(),
    ping: (): PingAnswer => ({ doc: this.ids.doc, title: titleNow() }),
    copy: ({ target }: { target: Target }) => copyFrom(this.#find(target)),
    /** A paste at the focus. */
    paste: ({ text }: { text: string }) => pasteInto(this.ids, text),
    /** Looks out for keys that copy, cut or paste, where the focus is. */
    awaitKeys: () => this.#clipboardKeys.await(this.ids),
    /** Does what such keys mean, unless the page took them for something else. */
    clipboardKeys: (keys: ClipboardKeysRequest) => this.#clipboardKeys.done(this.ids, keys),
  };

  constructor() {
    lookUpClosedRootsWith(element => this.closedRoots.closed(element));
    lookUpReactionsWith((element, declares) => this.reactions.reacts(element, declares));
  }

  /** Playwright's selector engine interface. */
  query(_root: Node, selector: string): Element | undefined {
    return this.queryAll(_root, selector)[0];
  }

  queryAll(_root: Node, selector: string): Element[] {
    const text = decodeURIComponent(selector);
    const asked = JSON.parse(text) as { do: Question } | ({ do: 'element' } & ElementRequest);
    if (asked.do === 'element') return [this.#element(asked)];
    return [Object.assign(document.createElement('div'), { textContent: this.tell(text) })];
  }

  /** The text of the answer to a question, which names its handler and is a text as well. */
  tell(question: string): string {
    const { do: name, ...asked } = JSON.parse(question) as { do: Question };
    const handler = this.handlers[name] as (asked: object) => unknown;
    const answer = handler(asked);
    return answer instanceof Written ? answer.text : JSON.stringify(answer);
  }

  /** Resolves when the document does something, or the time in milliseconds is over. */
  stirred(milliseconds: number): Promise<Stirring> {
    return untilStirred(milliseconds, () => this.changes.sinceLook);
  }

  /** Resolves when what comes or goes by an animation has done so, or the time in milliseconds is over. */
  faded(milliseconds: number): Promise<void> {
    return untilFaded(milliseconds);
  }

  #element({ target, purpose, guard }: ElementRequest): Element {
    const element = this.#find(target);
    const control = purpose && this.#fitControl(element, purpose);
    if (guard) this.#guard.arm(new PressWatch(element, target, this.ids));
    else if (purpose?.to === 'type' || purpose?.to === 'focus') {
      const isEmpty = purpose.to === 'type' && purpose.isEmpty;
      this.#entry = new EntryWatch({ control: control as HTMLElement, element, target, isEmpty }, this.ids);
      this.#guard.arm(this.#entry);
    }
    if (purpose?.to === 'type' && purpose.append) {
      if (purpose.append === true || deepActiveElement() !== control) placeCaretAtEnd(control as HTMLElement);
    }
    return purpose?.to === 'focus' || purpose?.to === 'upload' ? (control as HTMLElement) : element;
  }

  /** The control that an element stands for, when that can take the coming action. */
  #fitControl(element: Element, purpose: Purpose): Element {
    const control = (purpose.to === 'upload' ? fileInputOf(element) : hiddenControl(element)) ?? element;
    if (isDisabled(control)) throwRefusal({ code: 'disabled' });
    if (!isFit(control, purpose)) throwRefusal({ code: 'unfit', purpose, facts: factsOf(control) });
    this.#acted = new WeakRef(control);
    this.#news.looks.begin(element);
    if (purpose.to === 'type' && !purpose.append) forgetSecret(control);
    return control;
  }

  #enter(request: { target: Target; purpose: TypePurpose }): EntryAnswer {
    const element = this.#element(request);
    const answer = selectAll(element) ?? throwRefusal({ code: 'unfocused', holder: focusOf(element).holder });
    if (answer !== 'whole' && answer !== 'unseen') this.#entry?.awaitText();
    return answer;
  }

  #choose({ target, wanted }: { target: Target; wanted: WantedOptions }): null {
    const element = this.#find(target);
    const select = this.#fitControl(element, { to: 'select', ...wanted }) as HTMLSelectElement;
    if (!checkVisibility(select, { visibilityProperty: true })) throwRefusal({ code: 'hidden' });
    choose(select, wanted);
    return null;
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

  #aim({ target, purpose, unguarded }: { target: Target; purpose?: Purpose; unguarded?: true }): AimAnswer {
    const element = this.#find(target);
    if (unguarded) return { point: aimAt(element).point };
    this.#departure.watch();
    this.#news.scroll.begin();
    if (purpose !== undefined) this.#fitControl(element, purpose);
    const watch = new PressWatch(element, target, this.ids);
    this.#guard.arm(watch);
    const { point, position, inner } = aimAt(element);
    watch.aimedAt = point;
    return { point, position, ...(inner && { inner: { id: this.ids.idOf(inner), what: describeElement(inner) } }) };
  }

  #area({ target }: { target: Target }): AreaAnswer {
    const area = this.#find(target);
    const aim = aimAtArea(area);
    if (aim === undefined) return throwRefusal({ code: 'hidden' });
    const { image, x, y } = aim;
    const id = this.ids.idOf(image);
    this.ids.rememberContainer(image, id);
    this.#acted = new WeakRef(area);
    this.#guard.arm(new PressWatch(area, target, this.ids));
    return { image: id, position: { x, y } };
  }

  /** Answers to whoever looks back that what was meant for an element was kept from the page. */
  #refuseKept(): void {
    const { blocked, missed } = this.#guard.disarm();
    if (blocked === undefined && missed === undefined) return;
    throwRefusal(blocked !== undefined ? { code: 'changed', now: blocked } : { code: 'missed', missed: missed ?? {} });
  }

  #find(target: Target): Element {
    const found = this.ids.find(target, () => this.#newcomers());
    if (found instanceof Element) return found;
    return throwRefusal(found);
  }

  #letThrough(): GuardReport {
    const report = this.#guard.disarm();
    // A press that was kept from the page is made again.
    if (report.missed === undefined) this.ids.endAction();
    return { ...report, ...this.#actedNow(), ...(this.#departure.isNear && { leaving: true }) };
  }

  #pathOf(doc: string, id: number): string | null {
    const element = doc === this.ids.doc ? this.ids.element(id) : undefined;
    return element === undefined ? null : selectorPathOf(element);
  }

  #facts({ target, inSight }: { target: Target; inSight?: true }): ElementFacts {
    if (target.fingerprint === 0) this.#refuseKept();
    const element = this.#find(target);
    if (inSight) bringIntoSight(element);
    const control = hiddenControl(element) ?? element;
    return {
      fileField: fileFieldOf(element),
      ...factsOf(control, describeNow(element), this.listeners.hearsInput(element)),
      ...this.#elsewhere(control),
      offers: listboxOptions(element).map(option => this.ids.idOf(option)),
    };
  }

  #actedNow(): { acted?: ElementFacts } {
    const acted = this.#acted?.deref();
    if (!acted?.isConnected) return {};
    return { acted: { ...factsOf(acted, undefined, this.listeners.hearsInput(acted)), ...this.#elsewhere(acted) } };
  }

  #elsewhere(control: Element): Pick<ElementFacts, 'elsewhere'> {
    const elsewhere = this.#entry?.elsewhereOf(control);
    return elsewhere ? { elsewhere } : {};
  }

  /** Everything that can be acted on at this moment, to look for what replaced an element that is gone. */
  #newcomers(): Newcomers {
    this.rows.forget();
    const { walk, modal } = this.#walker.walk({ maxNodes: Number.POSITIVE_INFINITY });
    const elements: Element[] = [];
    for (const node of walk.emitter.nodes) {
      const element = node[6] === 0 ? undefined : this.ids.element(node[1]);
      if (element !== undefined) elements.push(element);
    }
    return { elements, modal };
  }

  #capture(request: CaptureRequest): Written<CaptureAnswer> {
    const { blocked, missed } = this.#guard.disarm();
    this.ids.endAction();
    const { number, text } = this.#captures.take(request);
    const fading = fadingTime();
    const head: CaptureAnswer = {
      number,
      ...(blocked && { blocked }),
      ...(missed && { missed }),
      ...(request.acted && this.#actedNow()),
      ...(fading > 0 && { fading }),
      ...this.#news.take(request.since, this.#acted?.deref(), element => this.ids.idOf(element)),
    };
    const written = JSON.stringify(head);
    return new Written(request.seen === number ? written : `${written.slice(0, -1)},"capture":${text}}`);
  }
}

type Handlers = Engine['handlers'];

/** What can be asked about a document. */
export type Question = keyof Handlers;

/** What a question says beside its name. */
export type Asked<Name extends Question> =
  Parameters<Handlers[Name]> extends [infer Said extends object] ? Said : Record<string, never>;

/** What its document answers to a question: what the handler of that name returns. */
export type Answer<Name extends Question> =
  ReturnType<Handlers[Name]> extends Written<infer Of> ? Of : ReturnType<Handlers[Name]>;

type EngineGlobal = typeof globalThis & { browserToolsetEngines?: Map<string, Engine>; browserToolsetFirst?: Engine };

/**
 * The engine of one document, on the global object of its isolated world where the DevTools protocol reaches it: that
 * which was brought before Playwright came, else a new one. Other toolsets that are attached share that world, pages do not.
 */
export function createEngine(): Engine {
  const world = globalThis as EngineGlobal;
  // Elements with an id are properties of the window in every world, but never its own.
  const own = (name: keyof EngineGlobal): boolean => Object.hasOwn(world, name);
  if (world.browserToolsetFirst !== undefined && own('browserToolsetFirst')) return world.browserToolsetFirst;
  const engine = new Engine();
  if (!own('browserToolsetEngines')) world.browserToolsetEngines = new Map();
  world.browserToolsetEngines?.set(engine.ids.doc, engine);
  return engine;
}
