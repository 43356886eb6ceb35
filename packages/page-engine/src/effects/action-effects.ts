import { deepActiveElement } from '../capture/emit.js';
import { KNOWS_STATES } from '../dom/control.js';
import {
  boxOf,
  checkVisibility,
  closest,
  getAttribute,
  isConnected,
  isSized,
  matches,
  querySelector,
  querySelectorAll,
  referencedElements,
  shadowHostOf,
  shadowRootOf,
  tagName,
  textContent,
  treeScopeOf,
} from '../dom/dom.js';
import { getOrInsert } from '../dom/get-or-insert.js';
import { scrollerOf, scrollState } from '../dom/scroll.js';
import { describeNow } from '../identity/identity.js';
import { rulesOf, sheetsOf } from '../names/generated-content.js';
import { isWithin } from '../press/hit-test.js';
import type { EffectsAnswer, OutputReport, PressedAt, RefusedField, StyleChange, VisualReport } from '../protocol.js';
import { selectionNow, textStyle } from '../text/clipboard.js';
import { cutText, shortText } from '../text/cut-text.js';
import { singleSpaced } from '../text/line-breaks.js';

/** Detects that an action navigates the document away. CDP acknowledges a click before it reports the navigation. */
export class Departure {
  #submit: SubmitEvent | undefined;
  #navigate: NavigateEvent | undefined;

  constructor() {
    window.addEventListener('submit', this.#noteSubmit, { capture: true, passive: true });
    // HTML, navigation API: fires at this document for every navigation of its own that it starts.
    window.navigation.addEventListener('navigate', this.#noteNavigate);
  }

  watch(): void {
    this.#submit = undefined;
    this.#navigate = undefined;
  }

  /** Whether another document is about to replace this one. */
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

/** Whether the response to a form loads in this browsing context. */
function staysInPlace({ target, submitter }: SubmitEvent): boolean {
  const of = (name: string): string | null =>
    (submitter && getAttribute(submitter, `form${name}`)) ?? getAttribute(target as Element, name);
  const method = of('method');
  const context = of('target');
  return method?.toLowerCase() !== 'dialog' && (context === null || ['', '_self'].includes(context.toLowerCase()));
}

const MOST_FIELDS = 5;
/** Bounds memory on a page that validates its fields all the time between two captures. */
const MOST_WATCHED_FIELDS = 500;
const FIELD_MESSAGE_LIMIT = 150;
const INVALID = '[aria-invalid]:not([aria-invalid="false"]):not([aria-invalid=""])';

type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Records the fields that fail constraint validation (HTML), and reads those that the page marks as invalid. */
class RefusedFields {
  /** The time of the latest `invalid` event, by field. */
  #refused = new Map<FormControl, number>();

  constructor() {
    window.addEventListener('invalid', this.#note, { capture: true, passive: true });
  }

  /** Fields refused within the last `milliseconds`, or marked invalid by the page. `acted` is the action's element. */
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
      found.set(field, { id: idOf(field), name, message: cutText(singleSpaced(message), FIELD_MESSAGE_LIMIT), ...how });
    };
    for (const [field, at] of this.#refused) {
      if (now - at > milliseconds) this.#refused.delete(field);
      else if (!field.validity.valid) add(field, field.validationMessage, { isOwn: true, age: now - at });
    }
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
      this.#refused.set(target, performance.now());
  };
}

/** The visible fields with aria-invalid (WAI-ARIA 1.2) in the tree scope of the acted element. */
function marked(acted: Element | undefined): Element[] {
  const scope = acted && treeScopeOf(acted);
  const root = scope instanceof ShadowRoot ? scope : document;
  return [...root.querySelectorAll(INVALID)].filter(field => checkVisibility(field, { visibilityProperty: true }));
}

function formOf(element: Element | null): Element | null {
  if (element === null) return null;
  return (element as Partial<HTMLInputElement>).form ?? closest(element, 'form');
}

/** The error message of a field: aria-errormessage (WAI-ARIA 1.2), else the description, where many pages put it. */
function validationMessageOf(field: Element): string {
  const referenced = referencedText(field, 'aria-errormessage') || referencedText(field, 'aria-describedby');
  return referenced || (field as Partial<FormControl>).validationMessage || '';
}

function referencedText(field: Element, attribute: string): string {
  const referenced = referencedElements(field, getAttribute(field, attribute) ?? '');
  const shown = referenced.filter(element => checkVisibility(element));
  return shown.map(element => cutText(singleSpaced(textContent(element) ?? ''), FIELD_MESSAGE_LIMIT)).join(' ');
}

const MOST_STYLE_CHANGES = 3;
/** Limit of elements whose attributes are recorded during one action. */
const MOST_NOTED = 200;
const STYLE_VALUE_LIMIT = 40;
/** Style words that a report uses; any other change is reported by the attribute that changed. */
const WORDS = /^(?:bold|italic|underlined|struck through|superscript|subscript)$/;

/**
 * Reports attribute changes that restyle elements after an action resolved its target, which names and text do not
 * show. `:hover` and `:focus` change no attribute and are not reported.
 */
class StyleChanges {
  #acted: WeakRef<Element> | undefined;
  /** The text style of the acted element when the action resolved it. */
  #textStyle: readonly string[] = [];
  #turn = 0;
  /** Attribute values before the first change, by element and attribute name. */
  #before = new Map<Element, Map<string, string | null>>();
  /** The custom states of the acted element and of the components around it. */
  #states = new Map<Element, readonly string[]>();
  readonly #observer = new MutationObserver(records => this.#note(records));

  begin(element: Element): void {
    this.#turn++;
    this.#before = new Map();
    this.#observer.disconnect();
    this.#acted = new WeakRef(element);
    this.#textStyle = textStyle(element);
    const hosts = [element, ...hostsOf(element)];
    const roots = hosts.flatMap(host => shadowRootOf(host) ?? []);
    for (const root of [document, ...roots])
      this.#observer.observe(root, {
        subtree: true,
        attributeFilter: ['class', 'style', 'width', 'height', 'src', 'transform', 'fill'],
        attributeOldValue: true,
      });
    const custom = KNOWS_STATES ? hosts.filter(host => tagName(host).includes('-')) : [];
    this.#states = new Map(custom.map(host => [host, customStatesOf(host)]));
  }

  take(idOf: (element: Element) => number): StyleChange[] {
    this.#note(this.#observer.takeRecords());
    const changes: StyleChange[] = [];
    const acted = this.#acted?.deref();
    for (const [host, was] of this.#states) {
      const how = tokenChange('state', was, isConnected(host) ? customStatesOf(host) : was);
      if (how !== '') changes.push({ id: idOf(host), turn: this.#turn, tag: tagName(host).toLowerCase(), how });
    }
    for (const [element, attributes] of this.#before) {
      if (changes.length >= MOST_STYLE_CHANGES) break;
      const change = isConnected(element) ? changeOf(element, attributes) : undefined;
      if (change === undefined) continue;
      const restyled = acted !== undefined && isWithin(acted, element) ? this.#restyled(acted) : undefined;
      changes.push({
        id: idOf(acted !== undefined && restyled !== undefined ? acted : element),
        turn: this.#turn,
        ...change,
        ...restyled,
      });
    }
    return changes;
  }

  /** Style words that the acted element's text gained and lost; undefined when its style is unchanged. */
  #restyled(acted: Element): Pick<StyleChange, 'gained' | 'lost'> | undefined {
    const was = this.#textStyle;
    const now = textStyle(acted);
    const gained = now.filter(word => WORDS.test(word) && !was.includes(word));
    const lost = was.filter(word => WORDS.test(word) && !now.includes(word));
    return gained.length + lost.length > 0 ? { gained, lost } : undefined;
  }

  #note(records: readonly MutationRecord[]): void {
    for (const { target, attributeName, oldValue } of records) {
      if (!(target instanceof Element) || attributeName === null) continue;
      if (!this.#before.has(target) && this.#before.size >= MOST_NOTED) return;
      const known = getOrInsert(this.#before, target, () => new Map<string, string | null>());
      getOrInsert(known, attributeName, () => oldValue);
    }
  }
}

/** Describes the first attribute whose value differs from `before`; undefined when none does. */
function changeOf(
  element: Element,
  before: ReadonlyMap<string, string | null>,
): Pick<StyleChange, 'tag' | 'how'> | undefined {
  for (const [attribute, was] of before) {
    const now = getAttribute(element, attribute);
    if (now === was) continue;
    const how = describeStyleChange(attribute, was ?? '', now ?? '');
    if (how !== '') return { tag: tagName(element).toLowerCase(), how };
  }
  return undefined;
}

function describeStyleChange(attribute: string, was: string, now: string): string {
  if (attribute === 'class') return tokenChange('class', was.split(/\s+/), now.split(/\s+/));
  if (attribute !== 'style') return `${attribute} ${JSON.stringify(shortText(now, STYLE_VALUE_LIMIT))}`;
  const before = new Set(was.split(';').map(declaration => declaration.trim()));
  const set = now.split(';').map(declaration => declaration.trim());
  return `style ${JSON.stringify(shortText(set.filter(declaration => !before.has(declaration)).join('; '), STYLE_VALUE_LIMIT))}`;
}

/** Formats a change of classes or states, such as `class +open -closed`. */
function tokenChange(kind: 'class' | 'state', was: readonly string[], now: readonly string[]): string {
  const [before, after] = [new Set(was), new Set(now)];
  const gained = [...after].filter(token => !before.has(token)).map(token => `+${token}`);
  const lost = [...before].filter(token => !after.has(token)).map(token => `-${token}`);
  const all = [...gained, ...lost].filter(token => token.length > 1);
  return all.length === 0 ? '' : `${kind} ${shortText(all.join(' '), STYLE_VALUE_LIMIT)}`;
}

/** The hosts of the shadow trees around an element, from the inside out. */
function hostsOf(element: Element): Element[] {
  const host = shadowHostOf(treeScopeOf(element));
  return host === null ? [] : [host, ...hostsOf(host)];
}

/** The custom states of an element that style sheets show (HTML, CustomStateSet): scripts cannot list them. */
function customStatesOf(host: Element): string[] {
  const names = new Set<string>();
  const scopes = [shadowRootOf(host) ?? [], treeScopeOf(host)].flat();
  for (const sheet of scopes.flatMap(sheetsOf)) noteStatesIn(rulesOf(sheet) ?? [], names);
  return [...names].filter(name => matches(host, `:state(${name})`));
}

function noteStatesIn(rules: Iterable<CSSRule>, names: Set<string>): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule)
      for (const [, name = ''] of rule.selectorText.matchAll(/:state\(\s*([^\s)]+)/g)) names.add(name);
    if ('cssRules' in rule) noteStatesIn(rule.cssRules as CSSRuleList, names);
  }
}

/** Records the scroll offset at the press: scrolling after it is the page's effect, not that of scrolling into view. */
class ScrollEffect {
  #turn = 0;
  #isAwaited = false;
  pressed: PressedAt | undefined;

  /** Called before a press. Only the top document records it: the scrolling of frames is not reported. */
  begin(): void {
    this.#turn++;
    this.pressed = undefined;
    this.#isAwaited = window === window.top;
  }

  notePress(): void {
    if (!this.#isAwaited) return;
    this.#isAwaited = false;
    this.pressed = { turn: this.#turn, top: scrollState(scrollerOf(undefined, 0, 1)).top };
  }
}

/** Ancestors of the pressed element that are searched for a carousel: its arrows and dots stand beside the slides. */
const MOST_LEVELS = 5;
const MOST_CAROUSEL_ELEMENTS = 300;
/** Levels of wrappers between a clipping box and its slides. */
const MOST_CAROUSEL_DEPTH = 3;
const MOST_SLIDES = 60;
const CHILDREN = ':scope > *';
const MOST_SLIDES_NAMED = 3;
const SLIDE_NAME_LIMIT = 80;
const MOST_CANVASES = 4;
/** Side length in pixels of the thumbnail by which two canvas pictures are compared. */
const SMALL = 64;

/** One item of a carousel, a box that clips some of its items. */
interface Slide {
  element: WeakRef<Element>;
  name: string;
  wasIn: boolean;
}

/** Detects effects of a press that the DOM does not show: slides that moved into view, and redrawn canvases. */
class VisualEffects {
  #turn = 0;
  #clip: WeakRef<Element> | undefined;
  #slides: Slide[] = [];
  readonly #drawings = new Drawings();

  /** Called for each press, and before the wheel is turned. */
  begin(target: Element | null): void {
    this.#turn++;
    this.#drawings.begin();
    if (target !== null) this.#begin(target);
  }

  take(): VisualReport | undefined {
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
      if (inside.length > MOST_CAROUSEL_ELEMENTS) return;
      for (const clip of [around, ...inside]) {
        if (getComputedStyle(clip).overflowX === 'visible') continue;
        this.#slides = slidesIn(clip);
        this.#clip = new WeakRef(clip);
        if (this.#slides.length > 0) return;
      }
      around = around.parentElement;
    }
  }

  #slid(): VisualReport['slid'] {
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
    return { into: into.slice(0, MOST_SLIDES_NAMED), out: out.slice(0, MOST_SLIDES_NAMED) };
  }
}

/** The items of a box that shows some of them and clips the others. */
function slidesIn(clip: Element): Slide[] {
  const cut = boxOf(clip);
  let rows = [clip];
  for (let depth = 0; depth < MOST_CAROUSEL_DEPTH && rows.length > 0; depth++) {
    for (const row of rows) {
      const things = [...querySelectorAll(row, CHILDREN)].filter(each => isSized(boxOf(each)));
      const seen = things.map(thing => isSeenIn(boxOf(thing), cut));
      if (things.length > MOST_SLIDES || !seen.includes(true) || !seen.includes(false)) continue;
      return things.map((element, index) => ({
        element: new WeakRef(element),
        name: nameIn(element) || `${index + 1} of ${things.length}`,
        wasIn: seen[index] === true,
      }));
    }
    rows = rows.flatMap(row => [...querySelectorAll(row, CHILDREN)]);
  }
  return [];
}

/** Whether more than half of a box, or of the box that clips it, is visible. */
function isSeenIn(box: DOMRect, cut: DOMRect): boolean {
  const width = Math.min(box.right, cut.right) - Math.max(box.left, cut.left);
  const height = Math.min(box.bottom, cut.bottom) - Math.max(box.top, cut.top);
  if (width <= 0 || height <= 0) return false;
  return width * height > Math.min(box.width * box.height, cut.width * cut.height) / 2;
}

function nameIn(element: Element): string {
  const picture = querySelector(element, '[alt]:not([alt=""])') ?? element;
  const name =
    getAttribute(element, 'aria-label') || textContent(element)?.trim() || getAttribute(picture, 'alt') || '';
  return shortText(name.replace(/\s+/g, ' '), SLIDE_NAME_LIMIT);
}

/** Detects canvases whose picture changed since a press. A canvas that animates by itself is ignored. */
class Drawings {
  readonly #all = document.getElementsByTagName('canvas');
  /** Thumbnails at the latest capture. */
  #captured = new WeakMap<HTMLCanvasElement, string>();
  /** Thumbnails at the latest press, of canvases that had not changed since that capture. */
  #pressed = new WeakMap<HTMLCanvasElement, string>();
  #context: OffscreenCanvasRenderingContext2D | null = null;

  begin(): void {
    this.#pressed = new WeakMap();
    for (const canvas of this.#shown()) {
      const now = this.#thumbnail(canvas);
      if (now !== '' && this.#captured.get(canvas) === now) this.#pressed.set(canvas, now);
    }
  }

  /** The aria-label of each canvas that was redrawn since the press. */
  take(): string[] {
    return this.#shown().flatMap(canvas => {
      const now = this.#thumbnail(canvas);
      this.#captured.set(canvas, now);
      const was = this.#pressed.get(canvas);
      return was === undefined || was === now ? [] : [getAttribute(canvas, 'aria-label') ?? ''];
    });
  }

  #shown(): HTMLCanvasElement[] {
    return [...this.#all].filter(each => isSized(boxOf(each))).slice(0, MOST_CANVASES);
  }

  /** The pixels of a canvas thumbnail as text; empty for a tainted canvas. */
  #thumbnail(canvas: HTMLCanvasElement): string {
    // Not a context of the page's canvas, which the page would share.
    this.#context ??= new OffscreenCanvas(SMALL, SMALL).getContext('2d', { willReadFrequently: true });
    const context = this.#context;
    if (context === null || canvas.width === 0 || canvas.height === 0) return '';
    context.imageSmoothingQuality = 'high';
    context.clearRect(0, 0, SMALL, SMALL);
    try {
      context.drawImage(canvas, 0, 0, SMALL, SMALL);
      return String.fromCharCode(...new Uint16Array(context.getImageData(0, 0, SMALL, SMALL).data.buffer));
    } catch {
      // Another origin tainted the canvas, and drawing it has tainted the thumbnail too.
      this.#context = null;
      return '';
    }
  }
}

/** Reports what actions change other than elements: styles, scrolling, selection, refused fields, outputs. */
export class ActionEffects {
  readonly outputs = new Outputs();
  readonly styleChanges = new StyleChanges();
  readonly scroll = new ScrollEffect();
  readonly visualEffects = new VisualEffects();
  readonly #refusedFields = new RefusedFields();

  constructor() {
    const onPress = ({ isTrusted, target }: PointerEvent): void => {
      if (!isTrusted) return;
      this.scroll.notePress();
      if (target instanceof Element) this.visualEffects.begin(target);
    };
    window.addEventListener('pointerdown', onPress, { capture: true, passive: true });
  }

  /** `since` asks for the fields refused within that many milliseconds; `acted` is the element of the action. */
  take(since: number | undefined, acted: Element | undefined, idOf: (element: Element) => number): EffectsAnswer {
    const selection = selectionNow();
    const styleChanges = this.styleChanges.take(idOf);
    const { pressed } = this.scroll;
    const visualEffects = this.visualEffects.take();
    return {
      ...(selection && { selection }),
      ...(styleChanges.length > 0 && { styleChanges }),
      ...(pressed && { pressed }),
      ...(visualEffects && { visualEffects }),
      ...this.outputs.take(),
      ...this.#refusedFields.since(since, acted, idOf),
    };
  }
}

/** Chromium lets a document start this many downloads per second and silently drops the others. */
const BURST = { most: 10, milliseconds: 1_000 };
/** Limit of downloads kept until the next report. */
const REMEMBERED_REPORTS = 100;

/** Records output that the document does not show: prints, and downloads that it asked the browser for. */
class Outputs {
  #isPrinted = false;
  #downloads: NavigateEvent[] = [];
  #burst = { began: Number.NEGATIVE_INFINITY, count: 0 };

  constructor() {
    // HTML, printing: fires at the window before the document is printed.
    window.addEventListener('beforeprint', ({ isTrusted }) => {
      this.#isPrinted ||= isTrusted;
    });
    // HTML, navigation API: fires before a link with a `download` attribute is followed, by a script too.
    window.navigation.addEventListener('navigate', event => {
      if (event.isTrusted && event.downloadRequest !== null && this.#isAllowed(event)) this.#downloads.push(event);
      if (this.#downloads.length > REMEMBERED_REPORTS) this.#downloads.shift();
    });
    // A client-side router that handled the link as its own navigation has moved to that URL: no download.
    window.navigation.addEventListener('currententrychange', () => {
      this.#downloads = this.#downloads.filter(({ destination }) => destination.url !== window.location.href);
    });
  }

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
