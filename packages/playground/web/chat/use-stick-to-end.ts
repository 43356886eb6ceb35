import { useEffect, useRef } from 'react';

const NEAR_END = 80;

/** Keeps the end of a list in view while it grows, until the reader scrolls up; what is new to say leads back to the end. */
export function useStickToEnd(list: { readonly current: HTMLElement | null }, lastSaid: string | undefined): void {
  const isStuck = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message of the person is a reason
  useEffect(() => {
    isStuck.current = true;
    toEnd(list.current?.parentElement);
  }, [lastSaid]);

  useEffect(() => {
    const scroller = list.current?.parentElement;
    if (!scroller || !list.current) return;
    let lastTop = scroller.scrollTop;
    const onScroll = () => {
      const isNearEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END;
      // The list may have grown since it was scrolled to its end: only a reader scrolls up.
      if (isNearEnd) isStuck.current = true;
      else if (scroller.scrollTop < lastTop) isStuck.current = false;
      lastTop = scroller.scrollTop;
    };
    const sizes = new ResizeObserver(() => isStuck.current && toEnd(scroller));
    sizes.observe(list.current);
    sizes.observe(scroller);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [list]);
}

function toEnd(scroller: HTMLElement | null | undefined): void {
  if (scroller) scroller.scrollTop = scroller.scrollHeight;
}
