import { plainValue } from '../dom/control.js';
import {
  boxOf,
  checkVisibility,
  elementById,
  elementsAround,
  getAttribute,
  getAttributeNames,
  hasAttributes,
  offsetHeight,
  offsetWidth,
  querySelectorAll,
  shadowRoot,
  tagName,
  textContent,
  treeScopeOf,
} from '../dom/dom.js';
import type { Size } from '../dom/geometry.js';
import { getOrInsert } from '../dom/get-or-insert.js';
import type { DocumentNodes } from '../identity/identity.js';
import { rulesOf, Subjects, sheetsOf, unescapeCss } from '../names/generated-content.js';
import type { OccurrencesAnswer } from '../protocol.js';
import { visualViewportNow } from '../visibility/visibility.js';
import { heldSecrets } from './held-secrets.js';
import { findMarks, foldedUnits, foldUnits, type MarkRange, type Marks, markOf } from './secret-marks.js';

/** Share of the font size by which font variations and features, which a canvas does not apply, may extend the ink. */
const INK_TOLERANCE = 0.1;
/** Standard deviations within which a blur fades out. */
const DEVIATIONS = 3;
const PIXEL_LENGTH = /-?[\d.]+px/g;

let context: CanvasRenderingContext2D | null | undefined;

/**
 * How far the ink of a text may extend beyond its boxes, in any direction, in CSS pixels of the viewport: glyphs
 * overhang, diacritics stack, and shadows, strokes and filters paint beyond them.
 * @param boxes As rendered.
 * @param size Of a box before any transform around it; the measured size of the text when left out.
 */
function inkBeyond(element: Element, text: string, boxes: readonly DOMRect[], size?: Size): number {
  const style = getComputedStyle(element);
  const { overhang, ...line } = measured(text, style);
  const stroke = Number.parseFloat(style.getPropertyValue('-webkit-text-stroke-width')) || 0;
  const own = overhang + stroke + shadowReach(style.textShadow, 1) + INK_TOLERANCE * Number.parseFloat(style.fontSize);
  const { width, height } = size ?? line;
  const enlarged = boxes.flatMap(box => [box.height / height, box.width / width]).filter(Number.isFinite);
  return (own + filterReach(element)) * Math.max(1, ...enlarged);
}

/** Size of a text set in one line. */
interface Measured extends Size {
  overhang: number;
}

function measured(text: string, { fontStyle, fontWeight, fontSize, fontFamily }: CSSStyleDeclaration): Measured {
  context ??= document.createElement('canvas').getContext('2d');
  const size = Number.parseFloat(fontSize);
  if (context === null) return { overhang: size, width: size, height: size };
  context.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const pen = context;
  const all = [text, text.toUpperCase(), text.toLowerCase()].map(form => pen.measureText(form));
  const overhangs = all.flatMap(ink => [
    ink.actualBoundingBoxLeft,
    ink.actualBoundingBoxRight - ink.width,
    ink.actualBoundingBoxAscent - ink.fontBoundingBoxAscent,
    ink.actualBoundingBoxDescent - ink.fontBoundingBoxDescent,
  ]);
  const [first] = all;
  const height = (first?.fontBoundingBoxAscent ?? 0) + (first?.fontBoundingBoxDescent ?? 0);
  return { overhang: Math.max(0, ...overhangs), width: first?.width ?? 0, height };
}

/** Includes the filters of ancestors, which apply to their content as well. */
function filterReach(element: Element): number {
  let reach = 0;
  for (const node of elementsAround(element)) {
    const { filter } = getComputedStyle(node);
    if (filter === 'none') continue;
    for (const [, name, lengths = ''] of filter.matchAll(/([\w-]+)\(((?:[^()]|\([^()]*\))*)\)/g)) {
      if (name === 'drop-shadow') reach += shadowReach(lengths, DEVIATIONS);
      else if (name === 'blur') reach += DEVIATIONS * Number.parseFloat(lengths);
    }
  }
  return reach;
}

/** Each shadow has two offsets and a blur radius. */
function shadowReach(shadows: string, blurs: number): number {
  const lengths = (shadows.match(PIXEL_LENGTH) ?? []).map(length => Math.abs(Number.parseFloat(length)));
  const reaches = lengths.flatMap((x, index) =>
    index % 3 === 0 ? [Math.max(x, lengths[index + 1] ?? 0) + blurs * (lengths[index + 2] ?? 0)] : [],
  );
  return Math.max(0, ...reaches);
}

/**
 * The ancestors that paint an element again where it cannot be measured, as reflections and SVG filters do, or that
 * move it about. All that they paint is covered.
 */
function echoesAround(element: Element): DOMRect[] {
  return [...elementsAround(element)].flatMap(node => {
    const reach = reachOf(node);
    if (reach === undefined) return [];
    const box = boxOf(node);
    const [x, y] = [box.width * Math.sign(reach) + reach, box.height * Math.sign(reach) + reach];
    return [new DOMRect(box.x - x, box.y - y, box.width + 2 * x, box.height + 2 * y)];
  });
}

/** CSS pixels beyond one length of its own box; 0 when the content stays in the box, undefined without an echo. */
function reachOf(element: Element): number | undefined {
  const style = getComputedStyle(element);
  const reflection = style.getPropertyValue('-webkit-box-reflect');
  if (reflection !== 'none' && reflection !== '') return 1 + lengthIn(reflection, element);
  if (/\burl\(/.test(style.filter)) return 1;
  return tagName(element) === 'MARQUEE' ? 0 : undefined;
}

/** Offset of a reflection, in CSS pixels. */
function lengthIn(reflection: string, element: Element): number {
  const [, number = '0', unit] = /^\w+ (-?[\d.]+)(px|%)/.exec(reflection) ?? [];
  const { width, height } = boxOf(element);
  const length = Math.abs(Number.parseFloat(number));
  return unit === '%' ? (length / 100) * Math.max(width, height) : length;
}

/** Characters of a value that are searched; longer values are pictures without text. */
const MAX_SEARCHED_TEXT = 50_000;
/** With more rules than this, style sheets are scanned again only when a rule was added or removed. */
const SCANNED_STYLES = 100;
/** Attributes that are never rendered. */
const NAMES_ONLY = new Set(['class', 'id', 'for', 'type']);

/** A value as it stands, and its decoded forms where it is a URL or a picture made of text. */
function styledForms(value: string): string[] {
  const text = value.slice(0, MAX_SEARCHED_TEXT);
  const decoded = text.includes('%') ? percentDecoded(text) : text;
  const forms = decoded === text ? [text] : [text, decoded];
  if (!text.includes('data:')) return forms;
  const inside = [...decoded.matchAll(/;base64,([A-Za-z\d+/]+)/g)].map(([, base64 = '']) => base64Decoded(base64));
  return [...forms, ...inside, ...[decoded, ...inside].map(markup => markup.replace(/<[^>]*>/g, ''))];
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, run => {
    const bytes = Uint8Array.from(run.match(/[\da-f]{2}/gi) ?? [], byte => Number.parseInt(byte, 16));
    return new TextDecoder().decode(bytes);
  });
}

function base64Decoded(text: string): string {
  const bytes = atob(text.slice(0, text.length - (text.length % 4)));
  return new TextDecoder().decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)));
}

/** Finds the elements that get a text from style sheets: as generated content, as a marker or in a picture. */
class StyledTexts {
  readonly #known = new WeakMap<Node, { count: number; subjects: Subjects }>();

  constructor(readonly isIn: (text: string) => boolean) {}

  /** The matching elements of a document or shadow root. */
  in(scope: Node): Subjects {
    const sheets = sheetsOf(scope).map(rulesOf);
    const count = sheets.reduce((sum, rules) => sum + (rules?.length ?? 0), 0);
    const known = this.#known.get(scope);
    if (known !== undefined && known.count === count && count > SCANNED_STYLES) return known.subjects;
    // A cross-origin sheet cannot be read, but it was loaded before the secret was typed.
    const subjects = new Subjects({ isMeant: rule => this.#isInRule(rule), areUnreadable: false });
    for (const rules of sheets) subjects.addRules(rules, []);
    this.#known.set(scope, { count, subjects });
    return subjects;
  }

  #isInRule(rule: CSSRule): boolean {
    const text = (rule as Partial<CSSStyleRule>).style?.cssText ?? rule.cssText;
    return styledForms(unescapeCss(text)).some(this.isIn);
  }
}

/** Elements whose text may have no box of its own. */
const UNSEEN_TAGS = new Set(['HEAD', 'SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'OPTION']);
const CHANGES = {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
  attributes: true,
  attributeOldValue: true,
};

/** The texts of a document as one stream of folded units, with the origin of each unit. */
class Stream {
  readonly units: number[] = [];
  readonly #nodes: Text[] = [];
  readonly #offsets: number[] = [];

  add(node: Text): void {
    foldUnits(node.data, (unit, offset) => {
      this.units.push(unit);
      this.#nodes.push(node);
      this.#offsets.push(offset);
    });
  }

  /** The text ranges that make up a range of the stream. */
  rangesOf({ start, end }: MarkRange): Range[] {
    const ranges: Range[] = [];
    for (let at = start; at < end; ) {
      const node = this.#nodes[at] as Text;
      const first = this.#offsets[at] as number;
      let last = first;
      for (; at < end && this.#nodes[at] === node; at++) last = this.#offsets[at] as number;
      const range = document.createRange();
      range.setStart(node, first);
      range.setEnd(node, last + 1);
      ranges.push(range);
    }
    return ranges;
  }
}

/** Milliseconds for which secrets are followed after an answer. */
const FOLLOWED_MS = 600_000;

type Occurrence = OccurrencesAnswer['boxes'][number];

/** An element or text that shows a secret, where it was when it was found. */
interface ShownSecret {
  where: Element | Range;
  at: DOMRect;
  boxes: Occurrence[];
}

/** Finds where a document shows secrets, of which it knows only hashes. */
export class SecretFinder {
  readonly #watched = new WeakSet<Node>();
  #styled = new StyledTexts(text => this.#isIn(text));
  /** Whether an element's attributes contain a secret. Invariant: none of them has changed since. */
  #inAttributes = new WeakMap<Element, boolean>();
  #marks: Marks = { bases: [1, 1], marks: [] };
  #vanished = 0;
  #observer: MutationObserver | undefined;
  /** As the latest search found them. */
  #shown: ShownSecret[] = [];
  /** What they covered in the frames since the latest answer. */
  #passed = new Map<string, Occurrence>();
  #isFollowing = false;
  /** In `performance.now()` */
  #followsUntil = 0;

  constructor(readonly nodes: DocumentNodes) {}

  /** Where secrets are, and were in each frame since the last answer. */
  find(): OccurrencesAnswer {
    this.#search();
    const boxes = [...this.#passed.values()];
    this.#passed.clear();
    this.#followsUntil = performance.now() + FOLLOWED_MS;
    if (boxes.length > 0) this.#follow();
    const { x, y, width, height } = boxOf(document.documentElement);
    const { doc } = this.nodes.ids;
    return { doc, vanished: this.#vanished, boxes, root: [x, y, width, height], visualViewport: visualViewportNow() };
  }

  #search(): void {
    const { bases, marks: whole } = heldSecrets.marks;
    const marks = [...whole, ...heldSecrets.pieces().map(piece => markOf(piece, bases))];
    const known = this.#marks.marks;
    if (marks.some((mark, at) => mark.hashes[0] !== known[at]?.hashes[0])) {
      this.#marks = { bases, marks };
      this.#styled = new StyledTexts(text => this.#isIn(text));
      this.#inAttributes = new WeakMap();
    }
    this.#observer ??= new MutationObserver(records => this.#note(records));
    this.#note(this.#observer.takeRecords());
    const stream = new Stream();
    this.#shown = [];
    this.#walk(document, stream);
    for (const found of findMarks(stream.units, this.#marks))
      for (const range of stream.rangesOf(found)) this.#addRange(range);
  }

  /** Notes the places of secrets in each frame: between two answers they may be at others. */
  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    // Its first report comes in the same frame, after the scripts and the layout that it is painted with.
    const placed = new ResizeObserver(() => this.#notePlaces());
    const onFrame = (): void => {
      placed.disconnect();
      this.#isFollowing = performance.now() < this.#followsUntil;
      // From now on a secret may be anywhere.
      if (!this.#isFollowing) this.#vanished++;
      else {
        placed.observe(document.documentElement);
        requestAnimationFrame(onFrame);
      }
    };
    requestAnimationFrame(onFrame);
  }

  #notePlaces(): void {
    const now = this.#shown.map(({ where }) => where.getBoundingClientRect());
    if (this.#shown.some(({ at }, index) => at.width !== now[index]?.width || at.height !== now[index]?.height)) {
      this.#search();
      return;
    }
    for (const [index, { at, boxes }] of this.#shown.entries()) {
      const [right = 0, down = 0] = [(now[index]?.x ?? 0) - at.x, (now[index]?.y ?? 0) - at.y];
      if (right === 0 && down === 0) continue;
      for (const { box, ...each } of boxes) {
        const [x, y, ...size] = box;
        this.#pass({ ...each, box: [x + right, y + down, ...size] });
      }
    }
  }

  #pass(shown: Occurrence): void {
    const [x, y, width, height] = shown.box;
    const [left, top, wide, high] = this.#passed.get(shown.key)?.box ?? shown.box;
    const [from, above] = [Math.min(x, left), Math.min(y, top)];
    const size = [Math.max(x + width, left + wide) - from, Math.max(y + height, top + high) - above] as const;
    this.#passed.set(shown.key, { ...shown, box: [from, above, ...size] });
  }

  #walk(root: Node, stream: Stream): void {
    this.#watch(root);
    const styled = this.#styled.in(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, node =>
      node instanceof Element && UNSEEN_TAGS.has(tagName(node)) && !checkVisibility(node)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) {
        if (!isValueField(node.parentNode)) stream.add(node);
      } else if (node instanceof Element) {
        if (this.#shows(node) || styled.match(node)) this.#addElement(node);
        const shadow = shadowRoot(node) ?? this.nodes.closedRoots.closed(node);
        if (shadow != null) this.#walk(shadow, stream);
      }
    }
  }

  /** Whether an element itself, apart from its text nodes, shows a secret. */
  #shows(element: Element): boolean {
    if (heldSecrets.namesIn(element) !== undefined || this.#isInAttributes(element)) return true;
    if (element instanceof HTMLSelectElement) return this.#isInChoices(element);
    if (isValueField(element)) return this.#isIn(plainValue(element) || ownText(element));
    return element instanceof SVGUseElement && this.#isIn(drawnBy(element)?.textContent ?? '');
  }

  /** A list box shows all its options, and the labels of their groups. */
  #isInChoices(select: HTMLSelectElement): boolean {
    const choices = querySelectorAll(select, 'optgroup, option');
    const labels = Array.from(choices, choice => getAttribute(choice, 'label') ?? '');
    return [textContent(select) ?? '', ...labels].some(text => this.#isIn(text));
  }

  /** Whether an attribute contains the text: style sheets, data URLs and the browser itself render attributes. */
  #isInAttributes(element: Element): boolean {
    if (!hasAttributes(element)) return false;
    return getOrInsert(this.#inAttributes, element, () => {
      const values = getAttributeNames(element).flatMap(name =>
        NAMES_ONLY.has(name) ? [] : [getAttribute(element, name)],
      );
      return values.some(value => styledForms(value ?? '').some(text => this.#isIn(text)));
    });
  }

  #isIn(text: string): boolean {
    return text !== '' && findMarks(foldedUnits(text), this.#marks).length > 0;
  }

  #addElement(element: Element): void {
    const boxes = [boxOf(element)];
    const size =
      element instanceof HTMLElement ? { width: offsetWidth(element), height: offsetHeight(element) } : undefined;
    const ink = inkBeyond(element, plainValue(element) || ownText(element), boxes, size);
    const markers = boxes.flatMap(box => this.#markerBeside(element, box) ?? []);
    const areas = [...reaching(boxes, ink), ...markers, ...echoesAround(element)];
    this.#add(element, element, { key: `${this.nodes.ids.idOf(element)}`, boxes: areas });
  }

  /** List markers stand outside their items, on one side of the lines, as far as they are long. */
  #markerBeside(element: Element, { x, y, width, height }: DOMRect): DOMRect | undefined {
    const { display, listStyleType, fontSize, writingMode } = getComputedStyle(element);
    if (!display.includes('list-item') && !listStyleType.startsWith('"')) return undefined;
    const reach = Math.max(0, ...this.#marks.marks.map(({ length }) => length + 1)) * Number.parseFloat(fontSize);
    const isAcross = writingMode.startsWith('horizontal');
    return isAcross
      ? new DOMRect(x - reach, y, width + 2 * reach, height)
      : new DOMRect(x, y - reach, width, height + 2 * reach);
  }

  #addRange(range: Range): void {
    const { startContainer: node, startOffset } = range;
    // The key names the parent, because pages that re-render replace the text node.
    const key = `${this.nodes.ids.idOf(node.parentNode ?? node)}+${startOffset}`;
    const boxes = [...range.getClientRects()];
    const around = node.parentElement ?? (node.parentNode as Partial<ShadowRoot> | null)?.host;
    if (around == null || boxes.length === 0) return;
    const ink = inkBeyond(around, range.toString(), boxes);
    this.#add(node, range, { key, boxes: [...reaching(boxes, ink), ...echoesAround(around)] });
  }

  #add(node: Node, where: ShownSecret['where'], { key, boxes }: { key: string; boxes: DOMRect[] }): void {
    if (boxes.length === 0) return;
    const pinned = isPinned(node);
    const found = boxes.map(({ x, y, width, height }, index): Occurrence => {
      const box: Occurrence['box'] = [x, y, width, height];
      return { key: `${this.nodes.ids.doc}:${key}:${index}`, box, ...(pinned && { pinned }) };
    });
    for (const each of found) this.#pass(each);
    this.#shown.push({ where, at: where.getBoundingClientRect(), boxes: found });
  }

  #watch(root: Node): void {
    if (this.#watched.has(root)) return;
    this.#watched.add(root);
    this.#observer?.observe(root, CHANGES);
  }

  /** Counts secrets that vanished: a screenshot of that time may show one at an unknown place. */
  #note(records: readonly MutationRecord[]): void {
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      const isAttribute = type === 'attributes' && target instanceof Element;
      if (isAttribute) this.#inAttributes.delete(target);
      // Attributes of an inserted node may have changed while it was outside the document.
      for (const node of addedNodes) this.#forget(node);
      const gone = [oldValue ?? '', ...Array.from(removedNodes, node => textContent(node) ?? '')];
      const now = isAttribute ? getAttribute(target, attributeName ?? '') : textContent(target);
      if (gone.some(text => this.#isIn(text)) && !this.#isIn(now ?? '')) this.#vanished++;
    }
  }

  #forget(node: Node): void {
    if (!(node instanceof Element)) return;
    for (const inner of [node, ...node.getElementsByTagName('*')]) this.#inAttributes.delete(inner);
  }
}

function reaching(boxes: readonly DOMRect[], ink: number): DOMRect[] {
  const seen = boxes.filter(({ width, height }) => width > 0 && height > 0);
  return seen.map(({ x, y, width, height }) => new DOMRect(x - ink, y - ink, width + 2 * ink, height + 2 * ink));
}

function isValueField(node: Node | null): node is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    node instanceof HTMLInputElement ||
    node instanceof HTMLTextAreaElement ||
    node instanceof HTMLSelectElement ||
    (node instanceof Element && heldSecrets.namesIn(node) !== undefined)
  );
}

/** What a `use` element renders, if it is in the same tree (SVG 2, 5.6). */
function drawnBy(use: SVGUseElement): Element | null {
  const reference = getAttribute(use, 'href') ?? getAttribute(use, 'xlink:href') ?? '';
  return reference.startsWith('#') ? elementById(treeScopeOf(use), percentDecoded(reference.slice(1))) : null;
}

function ownText(element: Element): string {
  const isButton = element instanceof HTMLInputElement;
  return `${isButton ? element.value : ''}${getAttribute(element, 'placeholder') ?? ''}`;
}

function isPinned(node: Node): boolean {
  for (const at of elementsAround(node)) if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
  return false;
}
