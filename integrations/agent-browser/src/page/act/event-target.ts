import { isConnected } from '../dom.js';
import { isPartOfField, isWithin, topmostAt } from '../visibility/cover.js';
import { treeScopeOf } from '../visibility/tree-scope.js';
import { innerWidget, takesPressOn } from './press-point.js';

/** Whether an event goes to the element or to something in it. */
export function isAt(element: Element, event: Event): boolean {
  const path = event.composedPath();
  if (path.includes(element)) return true;
  // The paths of events leave out the inside of a closed shadow tree, but not its host.
  const host = closedHostOf(element);
  if (host === undefined || !path.includes(host)) return false;
  return event instanceof MouseEvent ? isUnder(element, event) : hasFocus(element);
}

/** Whether an event of the mouse or a finger presses the element, and nothing in it that is pressed for itself. */
export function isPressOf(element: Element, event: Event): boolean {
  const hit = event.composedPath()[0];
  if (!isAt(element, event)) return hit instanceof Element && isPartOfField(element, hit);
  // A point inside a closed shadow tree was looked up by its place.
  return !(hit instanceof Element) || !isWithin(hit, element) || innerWidget(element, hit) === undefined;
}

/** Whether a press where the mouse is would go to the element. */
export function isUnder(element: Element, { clientX, clientY }: MouseEvent): boolean {
  return isConnected(element) && takesPressOn(element, topmostAt(element, clientX, clientY));
}

/** The outermost host of a closed shadow tree around an element. */
function closedHostOf(element: Element): Element | undefined {
  let host: Element | undefined;
  for (let scope = treeScopeOf(element); scope instanceof ShadowRoot; scope = treeScopeOf(scope.host)) {
    if (scope.mode === 'closed') host = scope.host;
  }
  return host;
}

function hasFocus(element: Element): boolean {
  const scope = treeScopeOf(element);
  const active = scope instanceof ShadowRoot || scope instanceof Document ? scope.activeElement : null;
  return active !== null && isWithin(active, element);
}
