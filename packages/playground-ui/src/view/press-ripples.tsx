import { type ReactElement, type RefObject, useCallback, useRef, useState } from 'react';

interface Ripple {
  id: number;
  left: string;
  top: string;
}

export interface PressRipplesState {
  ripples: readonly Ripple[];
  onEnd(id: number): void;
}

/** Ripples where the viewer pressed, each until it has faded. */
export function usePressRipples(pictureRef: RefObject<HTMLElement | null>) {
  const [ripples, setRipples] = useState<readonly Ripple[]>([]);
  const lastId = useRef(0);
  const add = useCallback(
    ({ clientX, clientY }: { clientX: number; clientY: number }) => {
      const box = pictureRef.current?.getBoundingClientRect();
      if (box === undefined) return;
      lastId.current += 1;
      const id = lastId.current;
      const left = `${((clientX - box.left) / box.width) * 100}%`;
      const top = `${((clientY - box.top) / box.height) * 100}%`;
      setRipples(known => [...known, { id, left, top }]);
    },
    [pictureRef],
  );
  const onEnd = useCallback((id: number) => setRipples(known => known.filter(ripple => ripple.id !== id)), []);
  return { ripples, add, onEnd };
}

export function PressRipples({ ripples, onEnd }: PressRipplesState): ReactElement {
  return (
    <div className="bt-overlay" aria-hidden="true">
      {ripples.map(({ id, left, top }) => (
        <span key={id} className="bt-ripple" style={{ left, top }} onAnimationEnd={() => onEnd(id)} />
      ))}
    </div>
  );
}
