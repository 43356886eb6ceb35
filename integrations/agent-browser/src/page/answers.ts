/** Answers of the engine in the page that are small and stand for themselves. */
import type { ElementNow } from './element-now.js';

/**
 * Whether a field of text can be typed into now. `held`: it had the focus already, so that no handler of the page heard of
 * it. `whole`: its value is set as a whole. `unseen`: not before it shows. `sink`: keys have to select what its page shows
 * elsewhere.
 */
export type EntryAnswer = 'ready' | 'held' | 'sink' | 'whole' | 'unseen';

export type FocusHolder = Pick<ElementNow, 'role' | 'name'>;

/** Where the keyboard focus is, seen from a field. */
export interface FocusAnswer {
  /** `near`: in what the field has opened, or in another text field of the same form. */
  is: 'here' | 'near' | 'elsewhere';
  /** The element with the focus, unless it is in a document around this one, or nowhere. */
  holder?: FocusHolder;
}

/** A sign of life. */
export interface PingAnswer {
  doc: string;
  title: string;
}

/** A field that the page, or the browser, does not take as it is. */
export interface RefusedField {
  id: number;
  name: string;
  message: string;
  /** It belongs to the form of what was acted on, or the browser has just refused it; else it may have been so before. */
  isOwn: boolean;
  /** Milliseconds since the browser refused it; left out where the page says so. */
  age?: number;
}

/** Where to press an element; nothing of it when it cannot be pressed as it is, or nobody knows yet. In CSS pixels. */
export interface AimAnswer {
  /** In the viewport of its document. */
  point?: { x: number; y: number };
  /** The same from the corner of the element's padding box; left out when it is the middle. */
  position?: { x: number; y: number };
  /** A press at any point of the element would go to this one. */
  inner?: { id: number; what: string };
}

/** How to press an area of an image: the image, and the point from its padding edge in CSS pixels. */
export interface AreaAnswer {
  image: number;
  position: { x: number; y: number };
}

/** An element that holds what was asked for, and where the middle of that stands in the viewport of its document, in CSS pixels. */
export interface PlaceAnswer {
  id: number;
  now: ElementNow;
  where: Where;
  x: number;
  y: number;
  /** Left and top edge of the element. */
  corner: [left: number, top: number];
}

/** How a person would have to scroll to see it. */
export type Where = 'in view' | 'above' | 'below';

/** Boxes in the viewport of their document: left and top edge, width and height; null for what is not in sight. */
export interface BoxesAnswer {
  /** In CSS pixels from the corner of what is in sight. */
  boxes: ([left: number, top: number, width: number, height: number] | null)[];
  /** Where what is in sight begins in the document. */
  scroll: [x: number, y: number];
  /** Sizes in CSS pixels; the viewport is what is in sight. */
  document: [width: number, height: number];
  viewport: [width: number, height: number];
  /** How often what is in sight is enlarged. */
  scale: number;
  /** Device pixels in a CSS pixel. */
  pixelRatio: number;
}

/** Where a page stood when the latest action pressed it. */
export interface PressedAt {
  /** Counts the presses of the document. */
  turn: number;
  /** Pixels scrolled. */
  top: number;
}

/** What a person has seen of the latest press beside the elements of a document. */
export interface PressSights {
  /** Counts the presses of the document. */
  turn: number;
  /** Names of what slid into view, and of what slid out of it. */
  slid?: { into: string[]; out: string[] };
  /** Names of canvases that show another picture. */
  drawn?: string[];
}

/** The selection of a document. */
export interface SelectionNow {
  text: string;
  /** How its beginning looks, in words. */
  look: string[];
}

/** An element that looks other than before, by an attribute that the page has changed. */
export interface LookChange {
  id: number;
  tag: string;
  /** Such as `class +open`. */
  how: string;
  /** Counts the actions on elements of the document: what it looks like since which one. */
  turn: number;
  /** Words for the look of the text that was acted on, which it has now, and which it had. */
  gained?: string[];
  lost?: string[];
}
