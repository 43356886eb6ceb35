import { isWithin, topmostAt } from './cover.js';
import { checkVisibility } from './dom.js';

/**
 * Where a press hits an element, in CSS pixels of the viewport; undefined when it is not in sight, covered, or moving, so
 * that whoever presses has to scroll, wait or find out more.
 */
export function pointOn(element: Element): { x: number; y: number } | undefined {
  if (window.visualViewport?.scale !== 1 || !checkVisibility(element, { visibilityProperty: true })) return undefined;
  const box = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
  if (box === undefined || isAnimated(element)) return undefined;
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  if (x < 0 || y < 0 || x >= window.innerWidth || y >= window.innerHeight) return undefined;
  const hit = topmostAt(element, x, y);
  return hit !== null && isWithin(hit, element) ? { x, y } : undefined;
}

/** Whether the element, or anything around it, is on its way by an animation or a transition. */
function isAnimated(element: Element): boolean {
  return document.getAnimations().some(({ playState, effect }) => {
    const moving = playState === 'running' && effect instanceof KeyframeEffect ? effect.target : null;
    return moving !== null && isWithin(element, moving);
  });
}
