import type { ScrollState } from './protocol.js';

/** The nearest box around an element that scrolls in the given direction, else the document's. */
export function scrollerOf(element: Element | undefined, dx: number, dy: number): Element {
  const root = document.scrollingElement ?? document.documentElement;
  for (let node = element; node != null && node !== root; node = node.parentElement ?? undefined) {
    if (canScroll(node, dx, dy)) return node;
  }
  return root;
}

function canScroll(element: Element, dx: number, dy: number): boolean {
  const style = getComputedStyle(element);
  if (dy !== 0 && element.scrollHeight > element.clientHeight + 1 && /auto|scroll|overlay/.test(style.overflowY))
    return true;
  return dx !== 0 && element.scrollWidth > element.clientWidth + 1 && /auto|scroll|overlay/.test(style.overflowX);
}

/** Scrolls at once, whatever smooth scrolling the page asks for, and says where that led. */
export function scrollBy(scroller: Element, dx: number, dy: number): ScrollState {
  scroller.scrollBy({ left: dx, top: dy, behavior: 'instant' });
  return scrollState(scroller);
}

export function scrollState(scroller: Element): ScrollState {
  return {
    top: Math.round(scroller.scrollTop),
    left: Math.round(scroller.scrollLeft),
    height: scroller.scrollHeight,
    width: scroller.scrollWidth,
    viewportHeight: scroller.clientHeight,
    viewportWidth: scroller.clientWidth,
  };
}
