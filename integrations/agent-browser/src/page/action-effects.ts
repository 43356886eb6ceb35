import { selectionNow, textLook } from './clipboard.js';
import {
  boxOf,
  checkVisibility,
  closest,
  firstElementChild,
  getAttribute,
  isConnected,
  nextElementSibling,
  parentInFlatTree,
  tagName,
  textContent,
} from './dom.js';
import { deepActiveElement } from './emit.js';
import { describeNow } from './identity.js';
import { singleSpaced } from './line-breaks.js';
import type { CaptureAnswer, LookChange, OutputReport, PressedAt, PressSights, RefusedField } from './protocol.js';
import { scrollerOf, scrollState } from './scroll.js';

/**
 * Notes whether what is done to a document makes it go away. The document knows before the browser does: the browser is
 * told of a navigation later than it tells that a click was taken.
 */
export class Departure {
  #submit: SubmitEvent | undefined;
  #navigate: NavigateEvent | undefined;
  #isWatching = false;

  /** Forgets what was noted before. */
  watch(): void {
    this.#submit = undefined;
    this.#navigate = undefined;
    if (this.#isWatching) return;
    this.#isWatching = true;
    window.addEventListener('submit', this.#noteSubmit, { capture: true, passive: true });
    // HTML, the navigation API: fired at this document for every navigation of its own that it begins.
    window.navigation.addEventListener('navigate', this.#noteNavigate);
  }

  /** Whether another document is about to take the place of this one. */
  get isNear(): boolean {
    const navigate = this.#navigate;
    if (navigate !== undefined && !navigate.defaultPrevented && window.navigation.transition === null) return true;
    return this.#submit !== undefined && !this.#submit.defaultPrevented && staysInPlace(this.#submit);
  }

  #noteSubmit = (event: Event): void => {
    if (event instanceof SubmitEvent) this.#submit = event;
  };

  #noteNavigate = (event: NavigateEvent): void => {
    if (!event.destination.sameDocument && event.downloadRequest === null) this.#navigate = event;
  };
}

/** Whether the answer to a form comes in this browsing context. */
function staysInPlace({ target, submitter }: SubmitEvent): boolean {
  const method = submitter?.getAttribute('formmethod') ?? (target as Element).getAttribute('method');
  const context = submitter?.getAttribute('formtarget') ?? (target as Element).getAttribute('target');
  return method?.toLowerCase() !== 'dialog' && (context === null || ['', '_self'].includes(context.toLowerCase()));
}

const MOST_FIELDS = 5;
/** A page that checks its fields all the time has no more of them noted until somebody asks. */
const MOST_WATCHED_FIELDS = 500;
const FIELD_MESSAGE_LIMIT = 150;
const INVALID = '[aria-invalid]:not([aria-invalid="false"]):not([aria-invalid=""])';

type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Knows which fields the browser refuses (HTML, constraint validation), and which ones the page says it refuses. */
class RefusedFields {
  /** When the browser refused which field. */
  #refused = new Map<WeakRef<FormControl>, number>();

  constructor() {
    window.addEventListener('invalid', this.#note, { capture: true, passive: true });
  }

  /**
   * Fields that were refused in the last so many milliseconds, or that the page says it refuses; none when nobody asks.
   * @param acted What was acted on.
   */
  since(
    milliseconds: number | undefined,
    acted: Element | undefined,
    idOf: (element: Element) => number,
  ): { refused?: RefusedField[] } {
    if (milliseconds === undefined) return {};
    const now = performance.now();
    const found = new Map<Element, RefusedField>();
    const add = (field: Element, message: string, how: Pick<RefusedField, 'isOwn' | 'age'>): void => {
      if (found.has(field) || !isConnected(field)) return;
      const { name } = describeNow(field);
      found.set(field, { id: idOf(field), name, message: singleSpaced(message).slice(0, FIELD_MESSAGE_LIMIT), ...how });
    };
    const latest = new Map<FormControl, number>();
    for (const [reference, at] of this.#refused) {
      const field = reference.deref();
      if (field === undefined || now - at > milliseconds) this.#refused.delete(reference);
      else if (!field.validity.valid) latest.set(field, now - at);
    }
    for (const [field, age] of latest) add(field, field.validationMessage, { isOwn: true, age });
    const form = formOf(deepActiveElement()) ?? formOf(acted ?? null);
    for (const field of marked(acted))
      add(field, validationMessageOf(field), { isOwn: form !== null && formOf(field) === form });
    return found.size === 0 ? {} : { refused: [...found.values()].slice(0, MOST_FIELDS) };
  }

  #note = ({ target, isTrusted }: Event): void => {
    const isControl =
      target instanceof HTMLInputElement ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement;
    if (isTrusted && isControl && this.#refused.size < MOST_WATCHED_FIELDS)
      this.#refused.set(new WeakRef(target), performance.now());
  };
}

/** Fields that the page marks as refused (WAI-ARIA 1.2, aria-invalid), in the tree of what was acted on. */
function marked(acted: Element | undefined): Element[] {
  const scope = acted?.getRootNode();
  const root = scope instanceof ShadowRoot ? scope : document;
  return [...root.querySelectorAll(INVALID)].filter(field => checkVisibility(field, { visibilityProperty: true }));
}

function formOf(element: Element | null): Element | null {
  if (element === null) return null;
  return (element as Partial<HTMLInputElement>).form ?? closest(element, 'form');
}

/** WAI-ARIA 1.2: aria-errormessage says what is wrong; many pages have it in the description. */
function validationMessageOf(field: Element): string {
  const said = referencedText(field, 'aria-errormessage') || referencedText(field, 'aria-describedby');
  return said || (field as Partial<FormControl>).validationMessage || '';
}

function referencedText(field: Element, attribute: string): string {
  const scope = field.getRootNode() as Document | ShadowRoot;
  const ids = (getAttribute(field, attribute) ?? '').split(/\s+/).filter(Boolean);
  const shown = ids.flatMap(id => scope.getElementById(id) ?? []).filter(element => checkVisibility(element));
  return shown.map(element => singleSpaced(textContent(element) ?? '').slice(0, FIELD_MESSAGE_LIMIT)).join(' ');
}

/** Changes of looks that are told. */
const MOST_LOOKS = 3;
/** Elements whose attributes are noted for one action. */
const MOST_NOTED = 200;
const STYLE_VALUE_LIMIT = 40;
/** Ways to look that a person tells in words; the rest is told by the attribute that changed. */
const WORDS = /^(?:bold|italic|underlined|struck through|superscript|subscript)$/;

/** The look of an element when an action found it. */
interface EarlierLook {
  element: WeakRef<Element>;
  look: readonly string[];
}

/**
 * Sees how the page makes things look other than before, from the moment an action finds its element: what text is told by
 * cannot tell that. What the mouse and the focus do by themselves (`:hover`) changes no attribute and is not told.
 */
class StyleChanges {
  #found: EarlierLook | undefined;
  #turn = 0;
  /** Attributes as they were, by element. */
  #before = new Map<Element, Map<string, string | null>>();
  readonly #observer = new MutationObserver(records => this.#note(records));

  /** An action is about to act on an element. */
  begin(element: Element): void {
    this.#turn++;
    this.#before = new Map();
    this.#observer.disconnect();
    this.#found = { element: new WeakRef(element), look: textLook(element) };
    this.#observer.observe(document, {
      subtree: true,
      attributeFilter: ['class', 'style', 'width', 'height', 'src', 'transform', 'fill'],
      attributeOldValue: true,
    });
  }

  /** The changes of look since then. */
  take(idOf: (element: Element) => number): LookChange[] {
    this.#note(this.#observer.takeRecords());
    const changes: LookChange[] = [];
    const acted = this.#found?.element.deref();
    for (const [element, attributes] of this.#before) {
      if (changes.length >= MOST_LOOKS) break;
      const change = isConnected(element) ? changeOf(element, attributes) : undefined;
      if (change === undefined) continue;
      const restyled = acted !== undefined && isAround(element, acted) ? this.#restyled(acted) : undefined;
      changes.push({
        id: idOf(acted !== undefined && restyled !== undefined ? acted : element),
        turn: this.#turn,
        ...change,
        ...restyled,
      });
    }
    return changes;
  }

  /** Words for what an attribute has made of the text that was acted on; undefined where it looks as before. */
  #restyled(acted: Element): Pick<LookChange, 'gained' | 'lost'> | undefined {
    const was = this.#found?.look ?? [];
    const now = textLook(acted);
    const gained = now.filter(word => WORDS.test(word) && !was.includes(word));
    const lost = was.filter(word => WORDS.test(word) && !now.includes(word));
    return gained.length + lost.length > 0 ? { gained, lost } : undefined;
  }

  #note(records: readonly MutationRecord[]): void {
    for (const { target, attributeName, oldValue } of records) {
      if (!(target instanceof Element) || attributeName === null) continue;
      const known = this.#before.get(target) ?? new Map<string, string | null>();
      if (!this.#before.has(target) && this.#before.size >= MOST_NOTED) return;
      if (!known.has(attributeName)) known.set(attributeName, oldValue);
      this.#before.set(target, known);
    }
  }
}

/** How the attributes of an element differ from what they were; undefined where they are as before. */
function changeOf(
  element: Element,
  before: ReadonlyMap<string, string | null>,
): Pick<LookChange, 'tag' | 'how'> | undefined {
  for (const [attribute, was] of before) {
    const now = getAttribute(element, attribute);
    if (now === was) continue;
    const how = describeStyleChange(attribute, was ?? '', now ?? '');
    if (how !== '') return { tag: tagName(element).toLowerCase(), how };
  }
  return undefined;
}

function describeStyleChange(attribute: string, was: string, now: string): string {
  if (attribute === 'class') return classChange(was, now);
  if (attribute !== 'style') return `${attribute} ${JSON.stringify(cutValueText(now))}`;
  const before = new Set(was.split(';').map(declaration => declaration.trim()));
  const set = now.split(';').map(declaration => declaration.trim());
  return `style ${JSON.stringify(cutValueText(set.filter(declaration => !before.has(declaration)).join('; ')))}`;
}

/** Such as `class +open -closed`. */
function classChange(was: string, now: string): string {
  const [before, after] = [new Set(was.split(/\s+/)), new Set(now.split(/\s+/))];
  const gained = [...after].filter(token => !before.has(token)).map(token => `+${token}`);
  const lost = [...before].filter(token => !after.has(token)).map(token => `-${token}`);
  const all = [...gained, ...lost].filter(token => token.length > 1);
  return all.length === 0 ? '' : `class ${cutValueText(all.join(' '))}`;
}

function cutValueText(text: string): string {
  return text.length > STYLE_VALUE_LIMIT ? `${text.slice(0, STYLE_VALUE_LIMIT)}…` : text;
}

function isAround(element: Element, inner: Element): boolean {
  for (let node: Node | null = inner; node !== null; node = parentInFlatTree(node)) if (node === element) return true;
  return false;
}

/** Remembers where the page stood when it was pressed: what scrolls it from there on is the page, not who brought the element into view. */
class ScrollEffect {
  #turn = 0;
  #isAwaited = false;
  #pressed: PressedAt | undefined;

  constructor() {
    window.addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        if (!isTrusted || !this.#isAwaited) return;
        this.#isAwaited = false;
        this.#pressed = { turn: this.#turn, top: scrollState(scrollerOf(undefined, 0, 1)).top };
      },
      { capture: true, passive: true },
    );
  }

  /** An element is about to be pressed. Frames scroll by themselves and nobody is told. */
  begin(): void {
    this.#turn++;
    this.#pressed = undefined;
    this.#isAwaited = window === window.top;
  }

  get pressed(): PressedAt | undefined {
    return this.#pressed;
  }
}

/** How far around what is pressed things are looked for that slide: their arrows and dots stand beside them. */
const MOST_LEVELS = 5;
const MOST_SIGHT_ELEMENTS = 300;
/** A box within a box that cuts it off, down to the things in a row. */
const MOST_SIGHT_DEPTH = 3;
const MOST_SLIDES = 60;
const MOST_SIGHTS_NAMED = 3;
const SIGHT_NAME_LIMIT = 80;
const MOST_CANVASES = 4;
/** Pixels of a side of the small picture by which two drawings are compared. */
const SMALL = 64;

/** One of several things in a box that shows some of them. */
interface Slide {
  element: WeakRef<Element>;
  name: string;
  wasIn: boolean;
}

/**
 * Sees what a person sees of a press and the tree of elements does not have: what slid into the place of something else, and
 * what was drawn anew.
 */
class VisualEffects {
  #turn = 0;
  #clip: WeakRef<Element> | undefined;
  #slides: Slide[] = [];
  readonly #drawings = new Drawings();

  constructor() {
    window.addEventListener(
      'pointerdown',
      ({ isTrusted, target }) => {
        if (!isTrusted || !(target instanceof Element)) return;
        this.#turn++;
        this.#drawings.begin();
        this.#begin(target);
      },
      { capture: true, passive: true },
    );
  }

  /** What is to be seen since the latest press. */
  take(): PressSights | undefined {
    const drawn = this.#drawings.take();
    const slid = this.#slid();
    if (slid === undefined && drawn.length === 0) return undefined;
    return { turn: this.#turn, ...(slid && { slid }), ...(drawn.length > 0 && { drawn }) };
  }

  #begin(pressed: Element): void {
    this.#slides = [];
    let around = pressed.parentElement;
    for (let level = 0; level < MOST_LEVELS && around !== null && around !== document.body; level++) {
      const inside = around.getElementsByTagName('*');
      if (inside.length > MOST_SIGHT_ELEMENTS) return;
      for (const clip of [around, ...inside]) {
        if (getComputedStyle(clip).overflowX === 'visible') continue;
        this.#slides = slidesIn(clip);
        this.#clip = new WeakRef(clip);
        if (this.#slides.length > 0) return;
      }
      around = around.parentElement;
    }
  }

  #slid(): PressSights['slid'] {
    const clip = this.#clip?.deref();
    if (clip === undefined) return undefined;
    const cut = boxOf(clip);
    const into: string[] = [];
    const out: string[] = [];
    for (const { element, name, wasIn } of this.#slides) {
      const slide = element.deref();
      if (slide === undefined || !isConnected(slide)) continue;
      const isIn = isSeenIn(boxOf(slide), cut);
      if (isIn !== wasIn) (isIn ? into : out).push(name);
    }
    if (into.length === 0) return undefined;
    return { into: into.slice(0, MOST_SIGHTS_NAMED), out: out.slice(0, MOST_SIGHTS_NAMED) };
  }
}

/** Things in a row of which a box shows some. */
function slidesIn(clip: Element): Slide[] {
  const cut = boxOf(clip);
  let rows = [clip];
  for (let depth = 0; depth < MOST_SIGHT_DEPTH && rows.length > 0; depth++) {
    for (const row of rows) {
      const things = childrenOf(row).filter(isDrawn);
      const seen = things.map(thing => isSeenIn(boxOf(thing), cut));
      if (things.length > MOST_SLIDES || !seen.includes(true) || !seen.includes(false)) continue;
      return things.map((element, index) => ({
        element: new WeakRef(element),
        name: nameIn(element) || `${index + 1} of ${things.length}`,
        wasIn: seen[index] === true,
      }));
    }
    rows = rows.flatMap(childrenOf);
  }
  return [];
}

function childrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child)) children.push(child);
  return children;
}

function isDrawn(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width > 1 && height > 1;
}

/** Whether more than half of a box, or of what cuts it, is seen. */
function isSeenIn(box: DOMRect, cut: DOMRect): boolean {
  const width = Math.min(box.right, cut.right) - Math.max(box.left, cut.left);
  const height = Math.min(box.bottom, cut.bottom) - Math.max(box.top, cut.top);
  if (width <= 0 || height <= 0) return false;
  return width * height > Math.min(box.width * box.height, cut.width * cut.height) / 2;
}

function nameIn(element: Element): string {
  const picture = element.querySelector('[alt]:not([alt=""])') ?? element;
  const name =
    getAttribute(element, 'aria-label') || textContent(element)?.trim() || getAttribute(picture, 'alt') || '';
  return name.replace(/\s+/g, ' ').slice(0, SIGHT_NAME_LIMIT);
}

/** Sees that a canvas shows another picture than when something was pressed. One that moves by itself says nothing. */
class Drawings {
  readonly #all = document.getElementsByTagName('canvas');
  /** What each showed at the latest look. */
  #looks = new WeakMap<HTMLCanvasElement, string>();
  /** What each showed when something was pressed. */
  #pressed = new WeakMap<HTMLCanvasElement, string>();
  #context: OffscreenCanvasRenderingContext2D | null = null;

  begin(): void {
    this.#pressed = new WeakMap();
    for (const canvas of this.#shown()) {
      const now = this.#look(canvas);
      if (now !== '' && this.#looks.get(canvas) === now) this.#pressed.set(canvas, now);
    }
  }

  /** Names of those that were drawn. */
  take(): string[] {
    return this.#shown().flatMap(canvas => {
      const now = this.#look(canvas);
      this.#looks.set(canvas, now);
      const was = this.#pressed.get(canvas);
      return was === undefined || was === now ? [] : [getAttribute(canvas, 'aria-label') ?? ''];
    });
  }

  #shown(): HTMLCanvasElement[] {
    return [...this.#all].filter(isDrawn).slice(0, MOST_CANVASES);
  }

  /** Empty for what no script may read. */
  #look(canvas: HTMLCanvasElement): string {
    // A context of the canvas itself would be the page's.
    this.#context ??= new OffscreenCanvas(SMALL, SMALL).getContext('2d', { willReadFrequently: true });
    const context = this.#context;
    if (context === null || canvas.width === 0 || canvas.height === 0) return '';
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, SMALL, SMALL);
    try {
      context.drawImage(canvas, 0, 0, SMALL, SMALL);
      return String.fromCharCode(...new Uint16Array(context.getImageData(0, 0, SMALL, SMALL).data.buffer));
    } catch {
      // It shows a picture of another origin, and so does the small one from here on.
      this.#context = null;
      return '';
    }
  }
}

type ToldNews = Pick<CaptureAnswer, 'selection' | 'looks' | 'pressed' | 'sights' | 'refused' | 'printed' | 'downloads'>;

/** The news of a document besides its elements: refused fields, looks, the selection, its messages. */
export class ActionEffects {
  readonly outputs = new Outputs();
  readonly looks = new StyleChanges();
  readonly scroll = new ScrollEffect();
  readonly #sights = new VisualEffects();
  readonly #refusedFields = new RefusedFields();

  /**
   * @param since Asks for the fields that were refused in so many milliseconds.
   * @param acted What was acted on.
   */
  take(since: number | undefined, acted: Element | undefined, idOf: (element: Element) => number): ToldNews {
    const selection = selectionNow();
    const looks = this.looks.take(idOf);
    const { pressed } = this.scroll;
    const sights = this.#sights.take();
    return {
      ...(selection && { selection }),
      ...(looks.length > 0 && { looks }),
      ...(pressed && { pressed }),
      ...(sights && { sights }),
      ...this.outputs.take(),
      ...this.#refusedFields.since(since, acted, idOf),
    };
  }
}

/** Chromium lets a document ask for so many downloads within a second, and forgets the others without a word. */
const BURST = { most: 10, milliseconds: 1_000 };
/** As many are remembered until somebody asks. */
const REMEMBERED_REPORTS = 100;

/** Knows what the document gave out, which nobody sees in it: prints, and downloads that it asked the browser for. */
class Outputs {
  #isPrinted = false;
  #downloads: NavigateEvent[] = [];
  #burst = { began: Number.NEGATIVE_INFINITY, count: 0 };

  constructor() {
    // HTML, printing: fired at the window before the document is put on paper.
    window.addEventListener('beforeprint', ({ isTrusted }) => {
      this.#isPrinted ||= isTrusted;
    });
    // HTML, the navigation API: fired before a link with a `download` attribute is followed, also by a script.
    window.navigation.addEventListener('navigate', event => {
      if (event.isTrusted && event.downloadRequest !== null && this.#isAllowed(event)) this.#downloads.push(event);
      if (this.#downloads.length > REMEMBERED_REPORTS) this.#downloads.shift();
    });
    // A router that takes the download for a navigation of its own is where it led to.
    window.navigation.addEventListener('currententrychange', () => {
      this.#downloads = this.#downloads.filter(({ destination }) => destination.url !== window.location.href);
    });
  }

  /** The messages since the last question. */
  take(): OutputReport {
    const now = performance.now();
    const asked = this.#downloads.filter(({ defaultPrevented }) => !defaultPrevented);
    const isPrinted = this.#isPrinted;
    this.#isPrinted = false;
    this.#downloads = [];
    return {
      ...(isPrinted && { printed: true }),
      ...(asked.length > 0 && { downloads: asked.map(({ timeStamp }) => now - timeStamp) }),
    };
  }

  #isAllowed({ timeStamp }: NavigateEvent): boolean {
    if (timeStamp - this.#burst.began > BURST.milliseconds) this.#burst = { began: timeStamp, count: 0 };
    this.#burst.count++;
    return this.#burst.count <= BURST.most;
  }
}
