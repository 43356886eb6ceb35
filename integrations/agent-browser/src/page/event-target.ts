import { isWithin, topmostAt } from './cover.js';
import { isConnected } from './dom.js';
import { treeScopeOf } from './tree-scope.js';

/** Whether an event goes to the element or to something in it. */
export function isAt(element: Element, event: Event): boolean {
  const path = event.composedPath();
  if (path.includes(element)) return true;
  // What is in a closed shadow tree stands in no path that others can see, but its host does.
  const host = closedHostOf(element);
  if (host === undefined || !path.includes(host)) return false;
  return event instanceof MouseEvent ? isUnder(element, event) : hasFocus(element);
}

/** Whether the element lies on top where the mouse is. */
export function isUnder(element: Element, event: MouseEvent): boolean {
  if (!isConnected(element)) return false;
  const hit = topmostAt(element, event.clientX, event.clientY);
  return hit !== null && isWithin(hit, element);
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
