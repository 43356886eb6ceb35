import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { Splitter } from './splitter.js';
import { useStored } from './stored.js';

interface ColumnsProps {
  readonly left: ReactNode;
  readonly middle: ReactNode;
  readonly right: ReactNode;
  /** Where the columns lie above each other, the middle has a screen of its own to scroll to. */
  readonly hasTallMiddle?: boolean;
}

const LEFT = { min: 176, max: 360 };
const RIGHT_MIN = 360;
const MIDDLE_MIN = 320;

/** Three columns; the outer ones are sized by the person, the middle takes what is left. */
export function Columns({ left, middle, right, hasTallMiddle = false }: ColumnsProps) {
  const width = useWindowWidth();
  const [leftSize, setLeft] = useStored('left', readSize(width < 1200 ? 212 : 248));
  const [rightSize, setRight] = useStored('right', readSize(Math.round(width * 0.48) - (width < 1200 ? 72 : 40)));
  const rightMax = Math.max(RIGHT_MIN, width - leftSize - MIDDLE_MIN);
  const shownRight = Math.min(rightSize, rightMax);
  const style = { '--left': `${leftSize}px`, '--right': `${shownRight}px` } as CSSProperties;
  return (
    <div className={hasTallMiddle ? 'columns tall' : 'columns'} style={style}>
      <nav aria-label="Agents and threads">
        <div className="column left">{left}</div>
        <Splitter label="Width of the threads" size={leftSize} {...LEFT} side="left" onResize={setLeft} />
      </nav>
      <main className="column">{middle}</main>
      <aside aria-label="Browser">
        <Splitter
          label="Width of the browser"
          size={shownRight}
          min={RIGHT_MIN}
          max={rightMax}
          side="right"
          onResize={setRight}
        />
        <div className="column right">{right}</div>
      </aside>
    </div>
  );
}

function readSize(usual: number): (stored: string | null) => number {
  return stored => (stored !== null && /^\d{2,4}$/.test(stored) ? Number(stored) : usual);
}

function useWindowWidth(): number {
  const [width, setWidth] = useState(window.innerWidth);
  useEffect(() => {
    const read = () => setWidth(window.innerWidth);
    window.addEventListener('resize', read);
    return () => window.removeEventListener('resize', read);
  }, []);
  return width;
}
