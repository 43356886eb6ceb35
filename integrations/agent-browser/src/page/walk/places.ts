import type { PlaceAnswer } from '../answers.js';
import { boxOf, firstChild, nextSibling, shadowRoot } from '../dom.js';
import { describeNow } from './identity.js';
import type { ElementIds } from './refs.js';
import { whereIs } from './scroll.js';

interface Knowledge {
  ids: ElementIds;
  closedRoots: { closed(host: Element): ShadowRoot | undefined };
}

/** Where nodes stand, and as what the elements that hold them can be acted on; null for what is gone. */
export function placesOf({ ids, closedRoots }: Knowledge, wanted: readonly number[]): (PlaceAnswer | null)[] {
  const found = nodesOf(new Set(wanted), { ids, closedRoots });
  return wanted.map(id => {
    const node = found.get(id);
    const element = node instanceof Element ? node : node?.parentElement;
    if (node === undefined || element == null) return null;
    const elementId = ids.idOf(element);
    ids.rememberContainer(element, elementId);
    const box = node instanceof Element ? boxOf(node) : boxOfText(node);
    const { x, y } = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    return {
      id: elementId,
      now: describeNow(element),
      where: whereIs(element, { x, y }),
      x,
      y,
      corner: cornerOf(element),
    };
  });
}

function cornerOf(element: Element): [left: number, top: number] {
  const { left, top } = boxOf(element);
  return [left, top];
}

function boxOfText(node: Node): DOMRect {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

/** Texts are known by their ids alone, so that they are looked for, all at once. */
function nodesOf(wanted: ReadonlySet<number>, { ids, closedRoots }: Knowledge): Map<number, Node> {
  const found = new Map<number, Node>();
  const stack: Node[] = [document];
  for (let node = stack.pop(); node !== undefined && found.size < wanted.size; node = stack.pop()) {
    const id = ids.known(node);
    if (id !== undefined && wanted.has(id)) found.set(id, node);
    const root = node instanceof Element ? (shadowRoot(node) ?? closedRoots.closed(node)) : undefined;
    if (root != null) stack.push(root);
    for (let child = firstChild(node); child !== null; child = nextSibling(child)) stack.push(child);
  }
  return found;
}
