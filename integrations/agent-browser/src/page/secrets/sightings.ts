import { boxOf, getAttribute, offsetHeight, offsetWidth, shadowRoot } from '../dom.js';
import { plainValue } from '../role-and-name/control.js';
import type { SightingsAnswer } from '../secret-protocol.js';
import { parentInFlatTree } from '../visibility/flat-tree.js';
import type { ClosedRoots } from '../visibility/shadow.js';
import { sightNow } from '../visibility/sight.js';
import type { ElementIds } from '../walk/refs.js';
import { inkBeyond } from './ink.js';
import { holdsSecret } from './secret-fields.js';
import { findMarks, fold, folded, type MarkRange, type Marks } from './secret-marks.js';

/** Their text is not shown, or is told by what they hold. */
const SKIPPED = new Set(['HEAD', 'SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'TEXTAREA', 'SELECT', 'OPTION']);
const CHANGES = {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
  attributes: true,
  attributeFilter: ['placeholder', 'alt'],
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
  #marks: Marks = { bases: [1, 1], marks: [] };
  #vanished = 0;
  #observer: MutationObserver | undefined;

  constructor({ ids, closedRoots }: { ids: ElementIds; closedRoots: ClosedRoots }) {
    this.#ids = ids;
    this.#closedRoots = closedRoots;
  }

  look(marks: Marks): SightingsAnswer {
    this.#marks = marks;
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

  #walk(root: Node, stream: Stream, answer: SightingsAnswer): void {
    this.#watch(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, node =>
      node instanceof Element && SKIPPED.has(node.tagName) && !isField(node)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) {
        if (!isField(node.parentNode)) stream.add(node);
      } else if (node instanceof Element) {
        if (this.#shows(node)) this.#addElement(node, answer);
        const shadow = shadowRoot(node) ?? this.#closedRoots.closed(node);
        if (shadow != null) this.#walk(shadow, stream, answer);
      }
    }
  }

  /** Whether what an element shows of itself, beside the text in it, is a secret. */
  #shows(element: Element): boolean {
    if (!isField(element)) return element.tagName === 'IMG' && this.#isIn(getAttribute(element, 'alt') ?? '');
    return holdsSecret(element) || this.#isIn(plainValue(element) || ownText(element));
  }

  #isIn(text: string): boolean {
    return text !== '' && findMarks(folded(text), this.#marks).length > 0;
  }

  #addElement(element: Element, answer: SightingsAnswer): void {
    const boxes = [boxOf(element)];
    const size =
      element instanceof HTMLElement ? { width: offsetWidth(element), height: offsetHeight(element) } : undefined;
    const ink = inkBeyond(element, plainValue(element) || ownText(element), boxes, size);
    this.#add(element, `${this.#ids.idOf(element)}`, reaching(boxes, ink), answer);
  }

  #addRange(range: Range, answer: SightingsAnswer): void {
    const { startContainer: node, startOffset } = range;
    // Pages that render again put other nodes in the same element.
    const key = `${this.#ids.idOf(node.parentNode ?? node)}+${startOffset}`;
    const boxes = [...range.getClientRects()];
    const around = node.parentElement ?? (node.parentNode as Partial<ShadowRoot> | null)?.host;
    const ink = around == null ? 0 : inkBeyond(around, range.toString(), boxes);
    this.#add(node, key, reaching(boxes, ink), answer);
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
    for (const { target, oldValue, removedNodes } of records) {
      const gone = [oldValue ?? '', ...Array.from(removedNodes, node => node.textContent ?? '')];
      if (gone.some(text => this.#isIn(text)) && !this.#isIn(target.textContent ?? '')) this.#vanished++;
    }
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
