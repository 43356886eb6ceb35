import { boxOf, textContent } from '../dom.js';
import { deepElementFromPoint, isWithin } from './cover.js';
import { nodesInFlatTree, parentInFlatTree } from './flat-tree.js';

/** Where presses are tried, in parts of the viewport: along its edges, and down its middle. */
const NEAR_EDGES = [0.03, 0.5, 0.97];
const MIDDLE = [0.5, 0.4, 0.6, 0.25, 0.75];
/** Of the eight points along the edges, bars that stand over a backdrop may take so many. */
const MOST_MISSED = 3;
/**
 * An element larger than this part of the viewport, in both directions, is a page of its own rather than a box over
 * one.
 */
const LARGEST = 0.97;

/** All nodes of the box over the page; none where there is none. */
export function nodesOverPage(): Iterable<Node> {
  const box = boxOverPage();
  return box === undefined ? [] : nodesInFlatTree(box);
}

/**
 * The box that stands over a page which takes no press around it: a dialog to a person, whatever its markup says. It is
 * told by where presses would go.
 */
function boxOverPage(): Element | undefined {
  const backdrop = backdropNow();
  if (backdrop === undefined || !liesOverContent(backdrop)) return undefined;
  for (const y of MIDDLE) {
    const hit = at(0.5, y);
    const box = hit === null || hit === backdrop ? undefined : boxAround(hit, backdrop);
    if (box !== undefined) return box;
  }
  return undefined;
}

function at(x: number, y: number): Element | null {
  return deepElementFromPoint(x * window.innerWidth, y * window.innerHeight);
}

/** The element over the page that takes the presses along the edges of the viewport. */
function backdropNow(): Element | undefined {
  const taken = new Map<Element, number>();
  for (const x of NEAR_EDGES) {
    for (const y of NEAR_EDGES) {
      const hit = x === 0.5 && y === 0.5 ? null : at(x, y);
      if (hit !== null) taken.set(hit, (taken.get(hit) ?? 0) + 1);
    }
  }
  const [backdrop] = [...taken].find(([, count]) => count >= 8 - MOST_MISSED) ?? [];
  return backdrop !== undefined && pathTo(backdrop, () => false).some(isLaidOver) ? backdrop : undefined;
}

/** The element and what is around it up to the body, or up to where somebody wants to stop. */
function pathTo(element: Element, isEnd: (node: Element) => boolean): Element[] {
  const path: Element[] = [];
  for (let node: Node | null = element; node instanceof Element; node = parentInFlatTree(node)) {
    if (node === document.body || node === document.documentElement || isEnd(node)) break;
    path.push(node);
  }
  return path;
}

function isLaidOver(element: Element): boolean {
  const { position } = getComputedStyle(element);
  return position === 'fixed' || position === 'absolute';
}

/** Whether there is something to read or to act on below it, where it takes the presses. */
function liesOverContent(backdrop: Element): boolean {
  return NEAR_EDGES.concat(MIDDLE).some(y => NEAR_EDGES.some(x => hasContentBelow(backdrop, x, y)));
}

function hasContentBelow(backdrop: Element, x: number, y: number): boolean {
  const stack = document.elementsFromPoint(x * window.innerWidth, y * window.innerHeight);
  const below = stack.slice(stack.findIndex(element => isWithin(backdrop, element)) + 1);
  return below.some(element => !isWithin(backdrop, element) && textContent(element)?.trim() !== '');
}

/** The whole of the box that a point of it was hit of. */
function boxAround(hit: Element, backdrop: Element): Element | undefined {
  if (isWithin(hit, backdrop)) return pathTo(hit, node => node === backdrop).findLast(isSmaller);
  const layers = pathTo(hit, node => isWithin(backdrop, node)).filter(isLaidOver);
  return layers.findLast(isSmaller) ?? layers.at(-1);
}

function isSmaller(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width < LARGEST * window.innerWidth || height < LARGEST * window.innerHeight;
}
