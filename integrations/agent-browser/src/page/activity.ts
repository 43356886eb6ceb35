import { boxOf, textContent } from './dom.js';

/** Values of properties with which nothing of an element is seen. */
const UNSEEN_STYLES: Readonly<Record<string, RegExp>> = {
  opacity: /^0$/,
  visibility: /^hidden$/,
  display: /^none$/,
  height: /^0px$/,
  maxHeight: /^0px$/,
  gridTemplateRows: /^0fr$/,
};
const MOVES = ['transform', 'translate', 'left', 'right', 'top', 'bottom'];
const CONTENT = 'a, button, input, select, textarea, img, svg';
/** What takes longer than this, in milliseconds, is no step from one state to the next. */
const LONGEST_FADE_MS = 1_000;

/** Milliseconds until what is coming to be seen, or about to be gone, by animations is so; 0 when nothing is. */
export function fadingTime(): number {
  return Math.max(0, ...fading().map(timeLeft));
}

/** Resolves when what is fading now has come or gone, or the time in milliseconds is over. */
export async function untilFaded(milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([Promise.allSettled(fading().map(({ finished }) => finished)), late]);
  clearTimeout(timer);
}

function fading(): Animation[] {
  return document.getAnimations().filter(animation => {
    const { playState, effect } = animation;
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return false;
    return timeLeft(animation) <= LONGEST_FADE_MS && effect.target !== null && showsContent(effect, effect.target);
  });
}

function timeLeft({ effect, currentTime, playbackRate }: Animation): number {
  const end = Number(effect?.getComputedTiming().endTime ?? 0);
  return (end - Number(currentTime ?? 0)) / Math.abs(playbackRate || 1);
}

/** Whether an animation shows or hides something that can be read or acted on, bit by bit or by moving it into view. */
function showsContent(effect: KeyframeEffect, target: Element): boolean {
  const frames = effect.getKeyframes();
  const isShowing = Object.entries(UNSEEN_STYLES).some(([name, value]) =>
    frames.some(frame => value.test(`${frame[name]}`)),
  );
  const isMoving = MOVES.some(name => frames.some(frame => frame[name] !== undefined));
  if (!isShowing && !(isMoving && isOutOfView(target))) return false;
  return Boolean(textContent(target)?.trim()) || target.querySelector(CONTENT) !== null;
}

function isOutOfView(element: Element): boolean {
  const { left, right, top, bottom } = boxOf(element);
  return right <= 0 || bottom <= 0 || left >= window.innerWidth || top >= window.innerHeight;
}

/**
 * What came of waiting for a document: it did something, it did nothing in the time, or it can do nothing by itself, for
 * it has no scripts, no animations and nothing to load.
 */
export type Stirring = 'stirred' | 'quiet' | 'inert';

const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };
/** Changes by style sheets and by the browser, which cause no mutation. */
const EVENTS = ['transitionend', 'animationend', 'scrollend', 'toggle', 'input', 'change', 'load'];
/** A page that is busy is looked at after so many milliseconds all the same. */
const BUSY = 50;

/**
 * Resolves when the document does something, and has done what follows from it at once; or when the time is over.
 * @param hasStirred Whether it has done something since it was last looked at.
 */
export function untilStirred(milliseconds: number, hasStirred: () => boolean): Promise<Stirring> {
  if (!hasStirred() && isInert()) return Promise.resolve('inert');
  return new Promise(resolve => {
    const end = (how: Stirring): void => {
      clearTimeout(timer);
      observer.disconnect();
      for (const type of EVENTS) window.removeEventListener(type, onStir, { capture: true });
      if (how === 'quiet') resolve(how);
      else requestIdleCallback(() => resolve(how), { timeout: BUSY });
    };
    const onStir = (): void => end('stirred');
    const observer = new MutationObserver(onStir);
    const timer = setTimeout(() => end('quiet'), milliseconds);
    observer.observe(document, OBSERVED);
    for (const type of EVENTS) window.addEventListener(type, onStir, { capture: true, passive: true });
    if (hasStirred()) onStir();
  });
}

/** Whether nothing in the document can change by itself any more. */
function isInert(): boolean {
  if (document.readyState !== 'complete' || document.scripts.length > 0) return false;
  if (document.getAnimations().some(({ playState }) => playState === 'running')) return false;
  if (document.querySelector('iframe, frame, object, embed, meta[http-equiv="refresh" i]') !== null) return false;
  const handlers = 'boolean(//@*[starts-with(name(), "on")])';
  return !document.evaluate(handlers, document, null, XPathResult.BOOLEAN_TYPE).booleanValue;
}
