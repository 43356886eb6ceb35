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
