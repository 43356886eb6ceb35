import {
  type CSSProperties,
  createContext,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Splitter } from './splitter.js';
import { useStored } from './stored.js';
import { TabList } from './tab-list.js';
import { goToWritingPlace } from './writing-place.js';

interface ColumnsProps {
  readonly left: ReactNode;
  readonly middle: ReactNode;
  readonly right: ReactNode;
  /** The agent waits for the person, in the middle. */
  readonly isWaiting: boolean;
}

const LEFT = { min: 176, max: 360 };
const RIGHT_MIN = 300;
const MIDDLE_MIN = 320;
/** Window width, in CSS pixels, below which three columns do not fit; the skeleton's style has it too. */
const TABS_BELOW = 800;

const VIEWS = ['Chat', 'Browser', 'Threads'] as const;
type View = (typeof VIEWS)[number];

/** Shows the chat, ready to write in: what a list does that has opened a thread. */
export const OpenChat = createContext(() => {});

/** Three columns; the outer ones are sized by the person, the middle takes what is left. In a narrow window they are tabs. */
export function Columns({ left, middle, right, isWaiting }: ColumnsProps) {
  const width = useWindowWidth();
  const isTabbed = width < TABS_BELOW;
  const [view, setView] = useState<View>('Chat');
  const chat = useRef<HTMLElement>(null);
  const sizes = useSizes(width);
  // What is hidden takes no focus, so the chat is shown first.
  const showChat = useCallback(() => flushSync(() => setView('Chat')), []);
  const openChat = useCallback(() => {
    showChat();
    goToWritingPlace();
  }, [showChat]);
  const skip = (event: MouseEvent) => {
    // The fragment of the address is the route.
    event.preventDefault();
    showChat();
    chat.current?.focus();
  };
  /** Landmarks where all is shown, panels where one is. The elements are the same, so that what they hold lives on. */
  const part = (name: View, role: string, label?: string) => ({
    id: `panel-${name}`,
    ...(isTabbed
      ? { role: 'tabpanel', 'aria-labelledby': `tab-${name}`, hidden: name !== view }
      : { role, 'aria-label': label }),
  });
  return (
    <OpenChat value={openChat}>
      <div
        className={isTabbed ? 'columns tabbed' : 'columns'}
        role={isTabbed ? 'main' : undefined}
        style={{ '--left': `${sizes.left}px`, '--right': `${sizes.right}px` } as CSSProperties}
      >
        {/* biome-ignore lint/a11y/useValidAnchor: it does lead to a place in the page, whose address has another use for fragments */}
        <a className="skip-link" href="#panel-Chat" onClick={skip}>
          Skip to the chat
        </a>
        {isTabbed && (
          <TabList
            label="Views"
            tabs={VIEWS}
            chosen={view}
            {...(isWaiting && view !== 'Chat' && { waiting: 'Chat' })}
            onChoose={setView}
          />
        )}
        <section {...part('Threads', 'navigation', 'Agents and threads')}>
          {isTabbed && <h1 className="visually-hidden">Threads</h1>}
          <div className="column left">{left}</div>
          {!isTabbed && (
            <Splitter label="Width of the threads" size={sizes.left} {...LEFT} side="left" onResize={sizes.setLeft} />
          )}
        </section>
        <section {...part('Chat', 'main')} ref={chat} className="column" tabIndex={-1}>
          {middle}
        </section>
        <section {...part('Browser', 'complementary', 'Browser')}>
          {isTabbed && <h1 className="visually-hidden">Browser</h1>}
          {!isTabbed && (
            <Splitter
              label="Width of the browser"
              size={sizes.right}
              min={RIGHT_MIN}
              max={sizes.rightMax}
              side="right"
              onResize={sizes.setRight}
            />
          )}
          <div className="column right">{right}</div>
        </section>
      </div>
    </OpenChat>
  );
}

/** As the person has sized them, else by the window, within what the window has room for. */
function useSizes(width: number) {
  const [storedLeft, setLeft] = useStored('left', readSize);
  const [storedRight, setRight] = useStored('right', readSize);
  const isSmall = width < 1200;
  const leftMax = Math.max(LEFT.min, width - RIGHT_MIN - MIDDLE_MIN);
  const left = Math.min(storedLeft || (isSmall ? 212 : 248), leftMax);
  const rightMax = Math.max(RIGHT_MIN, width - left - MIDDLE_MIN);
  const right = Math.min(storedRight || Math.round(width * 0.48) - (isSmall ? 72 : 40), rightMax);
  return { left, setLeft, right, rightMax, setRight };
}

/** 0 for none. */
function readSize(stored: string | null): number {
  return stored !== null && /^\d{2,4}$/.test(stored) ? Number(stored) : 0;
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
