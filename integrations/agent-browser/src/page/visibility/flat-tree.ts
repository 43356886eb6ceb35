import { assignedSlot, parentNode } from '../dom.js';

/** The parent across slots and shadow roots (CSS Scoping, flat tree). */
export function parentInFlatTree(node: Node): Node | null {
  if (node instanceof Element) {
    const slot = assignedSlot(node);
    if (slot !== null) return slot;
  }
  const parent = parentNode(node);
  return parent instanceof ShadowRoot ? parent.host : parent;
}
