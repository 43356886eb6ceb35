import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import type { ViewportSize } from '../input/geometry.js';
import { canTake, isDriving } from '../stream/state.js';
import { BrowserViewFrame, type BrowserViewFrameProps } from './browser-view-frame.js';
import { ControlBar, ControlNotice } from './control-bar.js';
import { DialogCard } from './dialog-card.js';
import { IconButton } from './icon-button.js';
import { pageNameOf } from './page-name.js';
import { QuestionCard } from './question-card.js';
import { StageMessage } from './stage-message.js';
import { StatusBadge } from './status-badge.js';
import { StreamDetails } from './stream-details.js';
import { TabStrip } from './tab-strip.js';
import { UrlBar } from './url-bar.js';
import type { BrowserStream } from './use-browser-stream.js';

/** `hidden` is a bar that brings the view back, `small` a card without tabs and address. */
export type BrowserViewSize = 'hidden' | 'small' | 'large';

export interface BrowserViewPanelProps extends Omit<BrowserViewFrameProps, 'fit'> {
  /** The size when the host decides it; else the panel keeps it. */
  size?: BrowserViewSize;
  /** @default 'large' */
  defaultSize?: BrowserViewSize;
  onSizeChange?: (size: BrowserViewSize) => void;
  /** The agent's questions are asked here. False for a host that asks them elsewhere. @default true */
  showQuestions?: boolean;
  /** The title of the panel. @default 'Browser' */
  title?: string;
}

/** The whole live view: tabs, address, page, who drives, and what the agent asks. It fills the width of its place. */
export function BrowserViewPanel({
  size,
  defaultSize = 'large',
  onSizeChange,
  showQuestions = true,
  title = 'Browser',
  theme,
  className = '',
  ...frame
}: BrowserViewPanelProps): ReactElement {
  const { stream } = frame;
  const { model } = stream;
  const stageRef = useRef<HTMLDivElement>(null);
  const [ownSize, setOwnSize] = useState(defaultSize);
  const [fit, setFit] = useState<'contain' | 'actual'>('contain');
  const shown = size ?? ownSize;
  const resize = (next: BrowserViewSize) => {
    setOwnSize(next);
    onSizeChange?.(next);
  };
  const stageId = useId();
  const isLarge = shown === 'large';
  const disabled = !isDriving(stream.state) && !canTake(stream.state);
  const sizes = <SizeButtons size={shown} onResize={resize} />;
  return (
    <section className={`bt-root bt-panel ${className}`} data-size={shown} data-theme={theme} aria-label={title}>
      {isLarge ? (
        <header className="bt-header">
          <div className="bt-row">
            <TabStrip stream={stream} panelId={stageId} disabled={disabled} />
            {sizes}
          </div>
          <div className="bt-row">
            <UrlBar stream={stream} disabled={disabled} />
            <StreamDetails stream={stream} />
            <FitButton fit={fit} onChange={setFit} />
            {stream.state.control?.mayResize && (
              <IconButton
                icon="matchSize"
                label="Match size"
                title="Match size: give the page the width and height of this panel"
                disabled={disabled}
                onClick={() => void model.resize(sizeOf(stageRef.current))}
              />
            )}
          </div>
        </header>
      ) : (
        <CompactHeader stream={stream} title={title}>
          {sizes}
        </CompactHeader>
      )}
      {shown !== 'hidden' && (
        <>
          <RefusalMessage stream={stream} />
          <div ref={stageRef} id={stageId} className="bt-stage" role="tabpanel" aria-label="Page">
            <BrowserViewFrame {...frame} fit={isLarge ? fit : 'contain'} />
            <StageMessage stream={stream} />
          </div>
          <ControlNotice stream={stream} />
        </>
      )}
      <DialogCard stream={stream} />
      {showQuestions && <QuestionCard stream={stream} />}
      {shown !== 'hidden' && <ControlBar stream={stream} />}
    </section>
  );
}

/** Less than that no page is laid out for. */
const LEAST_PAGE = { width: 320, height: 240 };

function sizeOf(stage: HTMLElement | null): ViewportSize {
  const { clientWidth = 0, clientHeight = 0 } = stage ?? {};
  return { width: Math.max(LEAST_PAGE.width, clientWidth), height: Math.max(LEAST_PAGE.height, clientHeight) };
}

function CompactHeader({
  stream,
  title,
  children,
}: {
  stream: BrowserStream;
  title: string;
  children: ReactNode;
}): ReactElement {
  const active = stream.state.tabs.find(tab => tab.active);
  const hasPage = active !== undefined || stream.state.url !== undefined;
  return (
    <header className="bt-header bt-compact">
      <div className="bt-row">
        <StatusBadge state={stream.state} />
        <span className="bt-page-name">{hasPage ? pageNameOf(active ?? { url: stream.state.url }) : title}</span>
        {children}
      </div>
    </header>
  );
}

function SizeButtons({
  size,
  onResize,
}: {
  size: BrowserViewSize;
  onResize(size: BrowserViewSize): void;
}): ReactElement {
  return (
    <span className="bt-sizes">
      {size !== 'large' && <IconButton icon="expand" label="Large view" onClick={() => onResize('large')} />}
      {size !== 'small' && <IconButton icon="card" label="Small view" onClick={() => onResize('small')} />}
      {size !== 'hidden' && <IconButton icon="minimize" label="Hide view" onClick={() => onResize('hidden')} />}
    </span>
  );
}

function FitButton({
  fit,
  onChange,
}: {
  fit: 'contain' | 'actual';
  onChange(fit: 'contain' | 'actual'): void;
}): ReactElement {
  return fit === 'contain' ? (
    <IconButton icon="actualSize" label="Show at actual size" onClick={() => onChange('actual')} />
  ) : (
    <IconButton icon="fitSize" label="Fit the whole page" onClick={() => onChange('contain')} />
  );
}

function RefusalMessage({ stream: { state, model } }: { stream: BrowserStream }): ReactElement | null {
  if (state.error === undefined) return null;
  return (
    <div className="bt-notice bt-refusal" role="alert">
      <span>{state.error.message}</span>
      <code>{state.error.error}</code>
      <IconButton icon="close" label="Dismiss" onClick={() => model.dismissError()} />
    </div>
  );
}
