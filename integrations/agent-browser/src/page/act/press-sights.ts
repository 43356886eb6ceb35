import type { PressSights } from '../answers.js';
import { boxOf, firstElementChild, getAttribute, isConnected, nextElementSibling, textContent } from '../dom.js';

/** How far around what is pressed things are looked for that slide: their arrows and dots stand beside them. */
const MOST_LEVELS = 5;
const MOST_ELEMENTS = 300;
/** A box within a box that cuts it off, down to the things in a row. */
const MOST_DEPTH = 3;
const MOST_SLIDES = 60;
const MOST_NAMED = 3;
const NAME_LIMIT = 80;
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
export class Sights {
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
      if (inside.length > MOST_ELEMENTS) return;
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
    return { into: into.slice(0, MOST_NAMED), out: out.slice(0, MOST_NAMED) };
  }
}

/** Things in a row of which a box shows some. */
function slidesIn(clip: Element): Slide[] {
  const cut = boxOf(clip);
  let rows = [clip];
  for (let depth = 0; depth < MOST_DEPTH && rows.length > 0; depth++) {
    for (const row of rows) {
      const things = childrenOf(row).filter(hasArea);
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

function hasArea(element: Element): boolean {
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
  return name.replace(/\s+/g, ' ').slice(0, NAME_LIMIT);
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
    return [...this.#all].filter(hasArea).slice(0, MOST_CANVASES);
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
