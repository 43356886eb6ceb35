import { assignedSlot, firstChild, hasEditContext, nextSibling, parentNode } from '../dom.js';
import { shadowRootOf } from './tree-scope.js';

/** The parent across slots and shadow roots (CSS Scoping, flat tree). */
export function parentInFlatTree(node: Node): Node | null {
  if (node instanceof Element) {
    const slot = assignedSlot(node);
    if (slot !== null) return slot;
  }
  const parent = parentNode(node);
  return parent instanceof ShadowRoot ? parent.host : parent;
}

/** A node and all that is in it across slots and shadow roots, in no order. Pages nest deeper than a call stack goes. */
export function* nodesInFlatTree(root: Node): Generator<Node> {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    const tree = (node instanceof Element && shadowRootOf(node)) || node;
    for (let child = firstChild(tree); child !== null; child = nextSibling(child)) stack.push(child);
    if (node instanceof HTMLSlotElement) stack.push(...node.assignedNodes());
  }
}

/**
 * What follows for an element from what follows for the element around it. It is found out once for each, and without
 * recursion: pages nest deeper than a call stack goes.
 */
export function fromAround<Fact extends object>(
  element: Element,
  known: Map<Node, Fact>,
  atRoot: () => Fact,
  inside: (element: Element, around: Fact) => Fact,
): Fact {
  const path: Element[] = [];
  let node: Node | null = element;
  let fact: Fact | undefined;
  while (node !== null) {
    fact = known.get(node);
    if (fact !== undefined) break;
    if (node instanceof Element) path.push(node);
    node = parentInFlatTree(node);
  }
  fact ??= atRoot();
  for (let at = path.length - 1; at >= 0; at--) {
    const inner = path[at] as Element;
    fact = inside(inner, fact);
    known.set(inner, fact);
  }
  return fact;
}

/**
 * The element in whose box a person sees what an element holds: itself, but for what takes the keys of an editor by an
 * EditContext, a line without a width beside the text.
 */
export function shownIn(element: Element): Element {
  const around = hasEditContext(element) ? parentInFlatTree(element) : null;
  return around instanceof Element ? around : element;
}
