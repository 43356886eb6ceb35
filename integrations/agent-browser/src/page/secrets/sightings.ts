import { boxOf, checkVisibility, getAttribute, offsetHeight, offsetWidth, shadowRoot, tagName } from '../dom.js';
import { plainValue } from '../role-and-name/control.js';
import type { SightingsAnswer } from '../secret-protocol.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import type { ClosedRoots } from '../visibility/shadow.js';
import { sightNow } from '../visibility/sight.js';
import { elementById, treeScopeOf } from '../visibility/tree-scope.js';
import type { ElementIds } from '../walk/refs.js';
import { echoesAround } from './echoes.js';
import { inkBeyond } from './ink.js';
import { holdsSecret } from './secret-fields.js';
import { findMarks, fold, folded, type MarkRange, type Marks } from './secret-marks.js';
import { isInAttributes, StyledTexts } from './written-texts.js';

/** Their text may stand in no box of its own. */
const SILENT = new Set(['HEAD', 'SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'OPTION']);
const CHANGES = {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
  attributes: true,
  attributeOldValue: true,
};

/** The texts of a document in one stream of units, and where each unit comes from. */
class Stream {
  readonly units: number[] = [];
  readonly #nodes: Text[] = [];
  readonly #offsets: number[] = [];

  add(node: Text): void {
    fold(node.data, (unit, offset) => {
      this.units.push(unit);
      this.#nodes.push(node);
      this.#offsets.push(offset);
    });
  }

  /** The ranges of text nodes that a place in the stream is made of. */
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

/** Finds where a document shows secrets, without knowing them. */
export class Sightings {
  readonly #ids: ElementIds;
  readonly #closedRoots: ClosedRoots;
  readonly #watched = new WeakSet<Node>();
  #styled = new StyledTexts(text => this.#isIn(text));
  /** Whether a secret stands in the attributes of an element. Invariant: none of them has changed since. */
  #inAttributes = new WeakMap<Element, boolean>();
  #marks: Marks = { bases: [1, 1], marks: [] };
  #vanished = 0;
  #observer: MutationObserver | undefined;

  constructor({ ids, closedRoots }: { ids: ElementIds; closedRoots: ClosedRoots }) {
    this.#ids = ids;
    this.#closedRoots = closedRoots;
  }

  look(marks: Marks): SightingsAnswer {
    if (marks.bases[0] !== this.#marks.bases[0]) this.#seek(marks);
    this.#observer ??= new MutationObserver(records => this.#note(records));
    this.#note(this.#observer.takeRecords());
    const stream = new Stream();
    const answer: SightingsAnswer = { doc: this.#ids.doc, vanished: 0, boxes: [], root: rootBox(), sight: sightNow() };
    this.#walk(document, stream, answer);
    for (const found of findMarks(stream.units, marks))
      for (const range of stream.rangesOf(found)) this.#addRange(range, answer);
    answer.vanished = this.#vanished;
    return answer;
  }

  /** Others look for others. */
  #seek(marks: Marks): void {
    this.#marks = marks;
    this.#styled = new StyledTexts(text => this.#isIn(text));
    this.#inAttributes = new WeakMap();
  }

  #walk(root: Node, stream: Stream, answer: SightingsAnswer): void {
    this.#watch(root);
    const styled = this.#styled.in(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, node =>
      node instanceof Element && SILENT.has(tagName(node)) && !checkVisibility(node)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) {
        if (!isField(node.parentNode)) stream.add(node);
      } else if (node instanceof Element) {
        if (this.#shows(node) || styled.match(node)) this.#addElement(node, answer);
        const shadow = shadowRoot(node) ?? this.#closedRoots.closed(node);
        if (shadow != null) this.#walk(shadow, stream, answer);
      }
    }
  }

  /** Whether what an element shows of itself, beside the text in it, is a secret. */
  #shows(element: Element): boolean {
    if (holdsSecret(element) || this.#isInAttributes(element)) return true;
    if (element instanceof HTMLSelectElement) return this.#isInChoices(element);
    if (isField(element)) return this.#isIn(plainValue(element) || ownText(element));
    return element instanceof SVGUseElement && this.#isIn(drawnBy(element)?.textContent ?? '');
  }

  /** Of a list box all choices are seen, and their groups. */
  #isInChoices(select: HTMLSelectElement): boolean {
    const labels = Array.from(
      select.querySelectorAll('optgroup, option'),
      choice => getAttribute(choice, 'label') ?? '',
    );
    return [select.textContent ?? '', ...labels].some(text => this.#isIn(text));
  }

  #isInAttributes(element: Element): boolean {
    let isIn = this.#inAttributes.get(element);
    if (isIn === undefined) {
      isIn = isInAttributes(element, text => this.#isIn(text));
      this.#inAttributes.set(element, isIn);
    }
    return isIn;
  }

  #isIn(text: string): boolean {
    return text !== '' && findMarks(folded(text), this.#marks).length > 0;
  }

  #addElement(element: Element, answer: SightingsAnswer): void {
    const boxes = [boxOf(element)];
    const size =
      element instanceof HTMLElement ? { width: offsetWidth(element), height: offsetHeight(element) } : undefined;
    const ink = inkBeyond(element, plainValue(element) || ownText(element), boxes, size);
    const markers = boxes.flatMap(box => this.#markerBeside(element, box) ?? []);
    this.#add(
      element,
      `${this.#ids.idOf(element)}`,
      [...reaching(boxes, ink), ...markers, ...echoesAround(element)],
      answer,
    );
  }

  /** Markers of lists hang out of their items at one side of the lines, as far as they are long. */
  #markerBeside(element: Element, { x, y, width, height }: DOMRect): DOMRect | undefined {
    const { display, listStyleType, fontSize, writingMode } = getComputedStyle(element);
    if (!display.includes('list-item') && !listStyleType.startsWith('"')) return undefined;
    const reach = Math.max(0, ...this.#marks.marks.map(({ length }) => length + 1)) * Number.parseFloat(fontSize);
    const isAcross = writingMode.startsWith('horizontal');
    return isAcross
      ? new DOMRect(x - reach, y, width + 2 * reach, height)
      : new DOMRect(x, y - reach, width, height + 2 * reach);
  }

  #addRange(range: Range, answer: SightingsAnswer): void {
    const { startContainer: node, startOffset } = range;
    // Pages that render again put other nodes in the same element.
    const key = `${this.#ids.idOf(node.parentNode ?? node)}+${startOffset}`;
    const boxes = [...range.getClientRects()];
    const around = node.parentElement ?? (node.parentNode as Partial<ShadowRoot> | null)?.host;
    if (around == null || boxes.length === 0) return;
    const ink = inkBeyond(around, range.toString(), boxes);
    this.#add(node, key, [...reaching(boxes, ink), ...echoesAround(around)], answer);
  }

  #add(node: Node, key: string, boxes: DOMRect[], answer: SightingsAnswer): void {
    if (boxes.length === 0) return;
    const pinned = isPinned(node);
    for (const [index, { x, y, width, height }] of boxes.entries()) {
      const where = `${this.#ids.doc}:${key}:${index}`;
      answer.boxes.push({ key: where, box: [x, y, width, height], ...(pinned && { pinned }) });
    }
  }

  #watch(root: Node): void {
    if (this.#watched.has(root)) return;
    this.#watched.add(root);
    this.#observer?.observe(root, CHANGES);
  }

  /** A secret that came and went may be on a picture of that time, and nobody knows where. */
  #note(records: readonly MutationRecord[]): void {
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      const isAttribute = type === 'attributes' && target instanceof Element;
      if (isAttribute) this.#inAttributes.delete(target);
      // Nobody saw what was done to it before it came.
      for (const node of addedNodes) this.#forget(node);
      const gone = [oldValue ?? '', ...Array.from(removedNodes, node => node.textContent ?? '')];
      const now = isAttribute ? getAttribute(target, attributeName ?? '') : target.textContent;
      if (gone.some(text => this.#isIn(text)) && !this.#isIn(now ?? '')) this.#vanished++;
    }
  }

  #forget(node: Node): void {
    if (!(node instanceof Element)) return;
    for (const inner of [node, ...node.getElementsByTagName('*')]) this.#inAttributes.delete(inner);
  }
}

/** Boxes with what is drawn around them. */
function reaching(boxes: readonly DOMRect[], ink: number): DOMRect[] {
  const seen = boxes.filter(({ width, height }) => width > 0 && height > 0);
  return seen.map(({ x, y, width, height }) => new DOMRect(x - ink, y - ink, width + 2 * ink, height + 2 * ink));
}

function isField(node: Node | null): node is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    node instanceof HTMLInputElement ||
    node instanceof HTMLTextAreaElement ||
    node instanceof HTMLSelectElement ||
    (node instanceof Element && holdsSecret(node))
  );
}

/** What a `use` draws once more, as far as it stands in the same tree (SVG 2, 5.6). */
function drawnBy(use: SVGUseElement): Element | null {
  const reference = getAttribute(use, 'href') ?? getAttribute(use, 'xlink:href') ?? '';
  return reference.startsWith('#') ? elementById(treeScopeOf(use), decodeURIComponent(reference.slice(1))) : null;
}

function ownText(element: Element): string {
  const isButton = element instanceof HTMLInputElement;
  return `${isButton ? element.value : ''}${getAttribute(element, 'placeholder') ?? ''}`;
}

/** It does not scroll with the document. */
function isPinned(node: Node): boolean {
  for (let at: Node | null = node; at !== null; at = parentInFlatTree(at)) {
    if (at instanceof Element && /fixed|sticky/.test(getComputedStyle(at).position)) return true;
  }
  return false;
}

function rootBox(): [number, number, number, number] {
  const { x, y, width, height } = boxOf(document.documentElement);
  return [x, y, width, height];
}
