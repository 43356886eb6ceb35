import { ActionEffects, Departure } from './action-effects.js';
import { Changes, fadingTime, KeptRows, type Stirring, untilFaded, untilStirred } from './changes.js';
import { Listeners, Reactions } from './clickable.js';
import { ClipboardKeys, copyFrom, pasteInto } from './clipboard.js';
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
  EngineRefusal,
  EntryAnswer,
  Purpose,
  Request,
  Target,
  TextRequest,
} from './protocol.js';
import { readDocument } from './reader.js';
import { boxesAnswer, elementPlaces, reveal, scrollBy, scrollerOf, scrollState } from './scroll.js';
import { SecretFinder } from './secret-finder.js';
import { Captures, Walker } from './walk.js';

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

type Question = Exclude<Request, { do: 'element' }>;

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

  constructor() {
    lookUpClosedRootsWith(element => this.closedRoots.closed(element));
    lookUpReactionsWith((element, declares) => this.reactions.reacts(element, declares));
  }

  /** Playwright's selector engine interface. */
  query(_root: Node, selector: string): Element | undefined {
    return this.queryAll(_root, selector)[0];
  }

  queryAll(_root: Node, selector: string): Element[] {
    const request = JSON.parse(decodeURIComponent(selector)) as Request;
    if (request.do === 'element') return [this.#element(request)];
    return [Object.assign(document.createElement('div'), { textContent: this.#tell(request) })];
  }

  /** The text of the answer to a request, as text both. */
  tell(question: string): string {
    return this.#tell(JSON.parse(question) as Question);
  }

  /** Resolves when the document does something, or the time in milliseconds is over. */
  stirred(milliseconds: number): Promise<Stirring> {
    return untilStirred(milliseconds, () => this.changes.sinceLook);
  }

  /** Resolves when what comes or goes by an animation has done so, or the time in milliseconds is over. */
  faded(milliseconds: number): Promise<void> {
    return untilFaded(milliseconds);
  }

  #tell(request: Question): string {
    return request.do === 'capture' ? this.#capture(request) : JSON.stringify(this.#answer(request));
  }

  #element(request: Extract<Request, { do: 'element' }>): Element {
    const { target, purpose } = request;
    const element = this.#find(target);
    const control = purpose && this.#fitControl(element, purpose);
    if (request.guard) this.#guard.arm(new PressWatch(element, target, this.ids));
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

  #enter(request: Extract<Request, { do: 'enter' }>): EntryAnswer {
    const element = this.#element({ ...request, do: 'element' });
    const answer = selectAll(element) ?? throwRefusal({ code: 'unfocused', holder: focusOf(element).holder });
    if (answer !== 'whole' && answer !== 'unseen') this.#entry?.awaitText();
    return answer;
  }

  #choose({ target, wanted }: Extract<Request, { do: 'choose' }>): null {
    const element = this.#find(target);
    const select = this.#fitControl(element, { to: 'select', ...wanted }) as HTMLSelectElement;
    if (!checkVisibility(select, { visibilityProperty: true })) throwRefusal({ code: 'hidden' });
    choose(select, wanted);
    return null;
  }

  #insert({ target, purpose, text, secrets, slowly }: Extract<Request, { do: 'insert' }>): boolean {
    const element = this.#element({ do: 'element', target, purpose });
    const field = (hiddenControl(element) ?? element) as HTMLElement;
    return insertText(field, { text, secrets, append: purpose.append === true, slowly });
  }

  #aim({ target, purpose, unguarded }: Extract<Request, { do: 'aim' }>): AimAnswer {
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

  #area(target: Target): AreaAnswer {
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

  #answer(request: Exclude<Request, { do: 'element' | 'capture' }>): unknown {
    switch (request.do) {
      case 'enter':
        return this.#enter(request);
      case 'facts':
        return this.#facts(request);
      case 'origin':
        this.#find(request.target);
        return self.origin;
      case 'insert':
        return this.#insert(request);
      case 'focus':
        return focusOf(this.#find(request.target));
      case 'choose':
        return this.#choose(request);
      case 'probe':
        return probe(this.ids.element(request.id), element => this.ids.idOf(element));
      case 'aim':
        return this.#aim(request);
      case 'outOfFrame':
        return outOfFrame(this.ids.element(request.id), request);
      case 'area':
        return this.#area(request.target);
      case 'shield':
        this.#guard.arm(new Shield());
        return null;
      case 'guard': {
        const report = this.#guard.disarm();
        // A press that was kept from the page is made again.
        if (report.missed === undefined) this.ids.endAction();
        return { ...report, ...this.#actedNow(), ...(this.#departure.isNear && { leaving: true }) };
      }
      case 'scroll':
        return scrollBy(scrollerOf(request.target && this.#find(request.target), request.dx, request.dy), request);
      case 'reveal':
        reveal(node => this.ids.has(node, request.id), this.closedRoots);
        return scrollState(scrollerOf(undefined, 0, 1));
      case 'at':
        return elementHit(this, request);
      case 'wayOut':
        return wayOutId(this.ids, request.id);
      case 'overlay':
        return this.ids.among(nodesOverPage());
      case 'places':
        return elementPlaces(this, request.ids);
      case 'boxes':
        return boxesAnswer(request.ids.map(id => this.ids.element(id)));
      case 'paths':
        return request.ids.map(id => this.#pathOf(request.doc, id));
      case 'read':
        return readDocument(this.ids, request.target && this.#find(request.target));
      case 'sightings':
        return this.#sightings.look(request.marks);
      case 'takesDrops':
        return takesDrops(this.#find(request.target));
      case 'outputs':
        return this.#news.outputs.take();
      case 'ping':
        return { doc: this.ids.doc, title: titleNow() };
      default:
        return this.#answerOfText(request);
    }
  }

  #answerOfText(request: TextRequest): unknown {
    switch (request.do) {
      case 'copy':
        return copyFrom(this.#find(request.target));
      case 'paste':
        return pasteInto(this.ids, request.text);
      case 'awaitKeys':
        return this.#clipboardKeys.await(this.ids);
      case 'clipboardKeys':
        return this.#clipboardKeys.done(this.ids, request);
    }
  }

  #pathOf(doc: string, id: number): string | null {
    const element = doc === this.ids.doc ? this.ids.element(id) : undefined;
    return element === undefined ? null : selectorPathOf(element);
  }

  #facts({ target, inSight }: Extract<Request, { do: 'facts' }>): ElementFacts {
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

  /** The text of a {@link CaptureAnswer}. A capture that reads as the asker knows it already is not sent again. */
  #capture(request: Extract<Request, { do: 'capture' }>): string {
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
    return request.seen === number ? JSON.stringify(head) : `${JSON.stringify(head).slice(0, -1)},"capture":${text}}`;
  }
}

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
