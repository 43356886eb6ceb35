import { checkVisibility, getAttribute } from '../dom.js';
import { closestAcrossShadows } from './tree-scope.js';

/** `unseen` has no visible text of its own (`visibility: hidden`), but elements below it may be visible again. */
export type Rendering = 'seen' | 'unseen' | 'none';

const WITH_VISIBILITY: CheckVisibilityOptions = { visibilityProperty: true };

/** How an element whose parent is rendered shows itself. */
export function renderingOf(element: Element): Rendering {
  return checkVisibility(element, WITH_VISIBILITY) ? 'seen' : renderingByStyle(element);
}

/** A box is missing for many reasons; `display: contents` and `visibility` are those that leave something to read. */
function renderingByStyle(element: Element): Rendering {
  const style = getComputedStyle(element);
  if (style.display === 'none') return 'none';
  if (style.visibility !== 'visible') return 'unseen';
  return style.display === 'contents' ? 'seen' : 'none';
}

export function isAriaHidden(element: Element): boolean {
  const value = getAttribute(element, 'aria-hidden');
  return value !== null && (value === 'true' || value.trim().toLowerCase() === 'true');
}

/** Whether a referenced element is hidden from everybody or, itself or by an ancestor, from assistive technology. */
export function isHiddenTarget(element: Element): boolean {
  if (renderingOf(element) !== 'seen') return true;
  return closestAcrossShadows(element, '[aria-hidden="true" i]') !== null;
}
