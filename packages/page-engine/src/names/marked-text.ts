import { firstElementChild, normalizeSpace, parentNode, querySelector, tagName } from '../dom/dom.js';
import { isOneNumber, isRaisedOver, STRUCK } from '../text/text-marks.js';

const STRUCK_TAGS = new Set(['DEL', 'S', 'STRIKE']);
const RAISED = new Set(['super', 'text-top', 'top']);
/** Elements around a text, its own included, that may strike or raise it. */
const MOST_AROUND = 3;
/** The size of cents beside the amount, as a share of it. */
const SMALLER = 0.8;
/** Texts of one element that are searched for marks. */
const MOST_TEXTS = 60;

/**
 * Whether a line goes through a text.
 * @param style The style of its element, if it is known. Around a text without a number no other style is asked for.
 */
export function isStruckThrough(element: Element, text: string, style?: CSSStyleDeclaration): boolean {
  return isStruck(element, /\p{N}/u.test(text) ? MOST_AROUND : 1, style);
}

/** @param reach Elements whose style is asked for, from this one on. */
function isStruck(element: Element, reach: number, style = getComputedStyle(element)): boolean {
  let at: Node | null = element;
  for (let height = 0; height < MOST_AROUND && at instanceof Element; height++) {
    if (STRUCK_TAGS.has(tagName(at))) return true;
    const own: CSSStyleDeclaration | undefined =
      at === element ? style : height < reach ? getComputedStyle(at) : undefined;
    if (own?.textDecorationLine.includes('line-through')) return true;
    at = parentNode(at);
  }
  return false;
}

function shiftOf(element: Element): 'raised' | 'lowered' | undefined {
  let at: Node | null = element;
  for (let height = 0; height < MOST_AROUND && at instanceof Element; height++) {
    const tag = tagName(at);
    if (tag === 'SUP') return 'raised';
    if (tag === 'SUB') return 'lowered';
    const { display, verticalAlign } = getComputedStyle(at);
    if (!display.startsWith('inline')) return undefined;
    if (RAISED.has(verticalAlign)) return 'raised';
    if (verticalAlign === 'sub') return 'lowered';
    at = parentNode(at);
  }
  return undefined;
}

function isInSmallerType(element: Element, other: Element): boolean {
  const size = (of: Element): number => Number.parseFloat(getComputedStyle(of).fontSize);
  return size(element) <= size(other) * SMALLER;
}

/** What keeps a text apart from the one before it in its line, where the page does so by its place or size. */
export function jointOf(before: { text: string; element: Element }, text: string, element: Element): '' | '^' | ' ' {
  if (before.element === element || !isRaisedOver(before.text, text)) return '';
  const shift = shiftOf(element);
  const areDigits = isOneNumber(before.text, text);
  if (shift === 'raised') return '^';
  if (!areDigits) return '';
  if (shift === 'lowered' || shiftOf(before.element) !== undefined) return ' ';
  return isInSmallerType(element, before.element) ? '^' : '';
}

/** Joins texts of one line, and marks what is raised (`10^6`) or deleted (`~~$29~~`). */
export class MarkedText {
  text: string;
  #element: Element | undefined;
  #isStruck = false;

  constructor(text = '') {
    this.text = text;
  }

  add(data: string, element: Element, isStruck: boolean): void {
    if (/\S/.test(data)) {
      if (isStruck !== this.#isStruck) this.#turn(data);
      else
        this.text += (this.#element ? jointOf({ text: this.text, element: this.#element }, data, element) : '') + data;
      this.#isStruck = isStruck;
      this.#element = element;
    } else this.text += data;
  }

  end(): string {
    if (this.#isStruck) this.#turn('');
    this.#isStruck = false;
    return this.text;
  }

  #turn(data: string): void {
    const side = this.#isStruck ? this.text : data;
    const edge = this.#isStruck ? side.trimEnd().length : side.length - side.trimStart().length;
    if (this.#isStruck) this.text = side.slice(0, edge) + STRUCK + side.slice(edge) + data;
    else this.text += side.slice(0, edge) + STRUCK + side.slice(edge);
  }
}

/** The name of an element with the marks of the texts in it; undefined where they have none. */
export function markedName(name: string, element: Element, style: CSSStyleDeclaration): string | undefined {
  if (firstElementChild(element) === null) return isStruck(element, 1, style) ? STRUCK + name + STRUCK : undefined;
  const mayBeStruck = /\p{N}/u.test(name) || style.textDecorationLine.includes('line-through');
  if (!mayBeStruck && querySelector(element, 'del, s, strike, sup') === null) return undefined;
  const marked = new MarkedText();
  let at = 0;
  let left = MOST_TEXTS;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const piece = normalizeSpace((text as Text).data);
    const found = piece === '' ? -1 : name.indexOf(piece, at);
    if (found < 0) continue;
    const parent = parentNode(text) as Element;
    marked.text += name.slice(at, found);
    marked.add(piece, parent, isStruckThrough(parent, piece));
    at = found + piece.length;
    if (--left === 0) break;
  }
  const result = marked.end() + name.slice(at);
  return result === name ? undefined : result;
}
