import { firstChild, nextSibling, nodeType, parentNode, tagName } from './dom.js';

/** Longest name: a page that puts a book into a button costs no more than this. */
const RAW_NAME_LIMIT = 10_000;

/**
 * Characters that a clean string never has: white space other than single inner spaces, zero-width spaces, soft
 * hyphens.
 */
const UNTIDY = /[\t-\r\u00ad\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]| {2}|^ | $/;
const SOFT_CHARACTERS = /[\u00ad\u200b]/g;
/** A no-break space is content: AccName means ASCII white space. */
const SPACE_RUN = /[^\S\u00a0]+/g;
const EDGE_SPACE = /^ | $/g;
const SPACE_CHARACTER = /[^\S\u00a0]/;

function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code > 32 && code < 0x1680) return false;
  return SPACE_CHARACTER.test(text.charAt(index));
}

function shorten(text: string): string {
  const last = text.charCodeAt(RAW_NAME_LIMIT - 1);
  const splitsPair = last >= 0xd800 && last < 0xdc00;
  return text.slice(0, splitsPair ? RAW_NAME_LIMIT - 1 : RAW_NAME_LIMIT);
}

/** White space collapsed and trimmed, invisible characters dropped, cut at the longest name. */
export function normalizeSpace(raw: string): string {
  const text = raw.length > RAW_NAME_LIMIT ? shorten(raw) : raw;
  if (!UNTIDY.test(text)) return text;
  return text.replace(SOFT_CHARACTERS, '').replace(SPACE_RUN, ' ').replace(EDGE_SPACE, '');
}

/** No-break spaces alone name nothing: sprite links are often `<a title="Next">&nbsp;</a>`. */
export function isBlank(text: string | null): text is null | '' {
  return text === null || text === '' || text.trim() === '';
}

/**
 * Joins the pieces of a name. Pieces stay apart where the source has white space, where a reference ends, and at the
 * edge of anything that is not inline; the last needs a computed style, so it is asked only when two pieces touch.
 */
export class NameText {
  #text = '';
  #spaced = false;
  readonly #edges: Element[] = [];

  get length(): number {
    return this.#text.length;
  }

  get isFull(): boolean {
    return this.#text.length >= RAW_NAME_LIMIT;
  }

  add(raw: string): void {
    if (raw === '') return;
    const piece = normalizeSpace(raw);
    if (piece === '') {
      if (isSpaceAt(raw, 0)) this.#spaced = true;
      return;
    }
    if (this.#text !== '' && (this.#spaced || isSpaceAt(raw, 0) || this.#hasBlockEdge())) this.#text += ' ';
    this.#text += piece;
    this.#spaced = isSpaceAt(raw, raw.length - 1);
    this.#edges.length = 0;
  }

  gap(): void {
    this.#spaced = true;
  }

  /** Marks that an element begins or ends here. */
  edge(element: Element): void {
    if (this.#spaced || this.#text === '') return;
    if (this.#edges[this.#edges.length - 1] !== element) this.#edges.push(element);
  }

  /** What was added since the text had this length. */
  since(length: number): string {
    return normalizeSpace(this.#text.slice(length));
  }

  result(): string {
    return isBlank(this.#text) ? '' : normalizeSpace(this.#text);
  }

  #hasBlockEdge(): boolean {
    for (const element of this.#edges) if (getComputedStyle(element).display !== 'inline') return true;
    return false;
  }
}

/** Text of these is for nobody to read. */
const UNREAD = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE']);

/**
 * The text in an element without more of it than somebody wants, whatever is shown of it at the moment. Unlike
 * `textContent` it keeps apart what stands apart: blocks, and lines.
 */
export function joinedText(element: Element, limit: number): string {
  const text = new NameText();
  let node: Node | null = firstChild(element);
  while (node !== null && text.length < limit) {
    const inside = enterNode(node, text);
    node = inside ?? nextTextNode(node, element, text);
  }
  return text.result();
}

/** Adds what a node itself says, and goes into it. */
function enterNode(node: Node, text: NameText): Node | null {
  if (nodeType(node) === Node.TEXT_NODE) text.add((node as Text).data);
  if (nodeType(node) !== Node.ELEMENT_NODE) return null;
  const element = node as Element;
  const tag = tagName(element);
  if (tag === 'BR') text.gap();
  if (UNREAD.has(tag)) return null;
  text.edge(element);
  return firstChild(element);
}

function nextTextNode(node: Node, root: Element, text: NameText): Node | null {
  for (let at: Node | null = node; at !== null && at !== root; at = parentNode(at)) {
    if (nodeType(at) === Node.ELEMENT_NODE) text.edge(at as Element);
    const next = nextSibling(at);
    if (next !== null) return next;
  }
  return null;
}
