import { getAttribute, nextSibling, nodeType, parentNode, previousSibling, tagName, textContent } from '../dom.js';

/** Nodes beside an element that are looked at. */
const RUN_REACH = 16;

type Step = (node: Node) => Node | null;
type IsLike = (node: Element) => boolean;

/**
 * The nodes of a row that has no element of its own, such as the cells that stand one after another in a grid: what stands
 * before an element as far as the next one like it, or behind it where the first of them begins its row. Empty where
 * nothing like it is near.
 */
export function runOf(element: Element, isLike: IsLike): readonly Node[] {
  const before = reach(element, previousSibling, isLike);
  const behind = reach(element, nextSibling, isLike);
  if (before.isEnded && behind.isEnded) return [];
  const beginsRow = isBegunBy(element, isLike);
  const [own, other] = beginsRow ? [behind, before] : [before, behind];
  // The first and the last of them stand as far from what is around as the others do from each other.
  const nodes = own.isEnded ? own.nodes.slice(0, other.nodes.length) : own.nodes;
  return beginsRow ? nodes : nodes.toReversed();
}

/**
 * The same beside one of several alike, as long as it repeats: a title between the buttons of a toolbar stands there only
 * once, and tells no row.
 */
export function repeatedRunOf(element: Element, likes: readonly Element[]): readonly Node[] {
  const isLike = (other: Node): boolean => other === element || likes.some(like => like === other);
  const nodes = runOf(element, isLike);
  if (nodes.length === 0) return nodes;
  const step = isBegunBy(element, isLike) ? nextSibling : previousSibling;
  const isRepeated = likes.some(like => {
    const beside = nearest(step(like), step);
    return beside !== null && !isLike(beside);
  });
  return isRepeated ? nodes : [];
}

/** Whether the rows begin with an element and those like it, rather than end with them. */
function isBegunBy(element: Element, isLike: IsLike): boolean {
  const first = nearest(parentNode(element)?.firstChild ?? null, nextSibling);
  return first === element || (first instanceof Element && isLike(first));
}

/** Nodes with something in them up to the next one like the element. */
function reach(element: Element, step: Step, isLike: IsLike): { nodes: Node[]; isEnded: boolean } {
  const nodes: Node[] = [];
  for (let node = step(element); node !== null && nodes.length <= RUN_REACH; node = step(node)) {
    if (node instanceof Element && isLike(node)) return { nodes, isEnded: false };
    if (isFilled(node)) nodes.push(node);
  }
  return { nodes, isEnded: true };
}

/** The first node with something in it, from a node on. */
function nearest(from: Node | null, step: Step): Node | null {
  let node = from;
  while (node !== null && !isFilled(node)) node = step(node);
  return node;
}

function isFilled(node: Node): boolean {
  if (nodeType(node) === Node.TEXT_NODE) return /\S/.test((node as Text).data);
  return nodeType(node) === Node.ELEMENT_NODE;
}

/** Nodes before an element, nearest last, in ever longer stretches: one of them may be the row that it stood in. */
export function* stretchesAround(element: Element): Generator<readonly Node[]> {
  const none = (): boolean => false;
  for (const step of [previousSibling, nextSibling]) {
    const { nodes } = reach(element, step, none);
    for (let i = 1; i <= nodes.length; i++) {
      const stretch = nodes.slice(0, i);
      yield step === previousSibling ? stretch.reverse() : stretch;
    }
  }
}

/** Whether two elements beside each other are called the same; a title names what has no text, as a button with an icon. */
export function isNamesake(a: Element, b: Element): boolean {
  const label = getAttribute(a, 'aria-label');
  const text = textContent(a)?.trim();
  if (tagName(a) !== tagName(b) || label !== getAttribute(b, 'aria-label') || text !== textContent(b)?.trim())
    return false;
  return label !== null || text !== '' || getAttribute(a, 'title') === getAttribute(b, 'title');
}
