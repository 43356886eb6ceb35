import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

interface SplitterProps {
  readonly label: string;
  /** Width of the pane it sizes, in CSS pixels. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** The side of the splitter on which that pane lies. */
  readonly side: 'left' | 'right';
  readonly onResize: (size: number) => void;
}

const STEP = 16;

/** Sizes the pane beside it, by dragging or with the arrow keys. */
export function Splitter({ label, size, min, max, side, onResize }: SplitterProps) {
  const start = useRef<{ x: number; size: number }>(undefined);
  const direction = side === 'left' ? 1 : -1;
  const resize = (wanted: number) => onResize(Math.round(Math.min(max, Math.max(min, wanted))));

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, size };
  };
  const onPointerMove = ({ clientX }: PointerEvent<HTMLElement>) => {
    if (start.current) resize(start.current.size + direction * (clientX - start.current.x));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    resize(size + direction * steps * STEP);
  };
  const letGo = () => {
    start.current = undefined;
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that takes the focus is a widget, which hr is not (ARIA 1.2)
    <div
      className="splitter"
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={letGo}
      onLostPointerCapture={letGo}
      onKeyDown={onKeyDown}
    />
  );
}
