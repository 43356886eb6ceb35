import { type CSSProperties, type ReactElement, useId, useRef, useState } from 'react';
import { canTake, isDriving } from '../stream/state.js';
import { AgentOverlay, type ViewOutline } from './agent-overlay.js';
import { PressRipples, usePressRipples } from './press-ripples.js';
import { TypingField, TypingHint } from './typing-field.js';
import type { BrowserStream } from './use-browser-stream.js';
import { useFrames } from './use-frames.js';
import { useInputCapture } from './use-input-capture.js';

export interface BrowserViewFrameProps {
  stream: BrowserStream;
  /** The whole page, or one pixel for each of its CSS pixels with scroll bars. @default 'contain' */
  fit?: 'contain' | 'actual';
  /** Places on the page to point at, such as where an action would act that waits for approval. */
  outlines?: readonly ViewOutline[];
  /** The first press on the page takes control while the agent has it. @default true */
  takeOnInteraction?: boolean;
  /** Keys that stay with the host. All others go to the page while it has the focus, but for Shift+Escape: it leaves. */
  shouldIgnoreKey?: (event: KeyboardEvent) => boolean;
  /** @default by the reader's preference, or a `data-theme` further up */
  theme?: 'light' | 'dark' | undefined;
  className?: string;
}

/**
 * The page as it is now, with what the agent does drawn over it. Who may act clicks and types right in it.
 *
 * Keyboard: Enter on the frame types into the page from then on, Tab and Escape included; Shift+Escape leaves.
 */
export function BrowserViewFrame({ stream, ...props }: BrowserViewFrameProps): ReactElement {
  const { fit = 'contain', takeOnInteraction = true, outlines = [], shouldIgnoreKey, theme, className = '' } = props;
  const { state, model } = stream;
  const surfaceRef = useRef<HTMLDivElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const [isTyping, setTyping] = useState(false);
  const viewport = useFrames(model, canvasRef);
  const ripples = usePressRipples(canvasRef);
  const isLive = state.hasFrame && state.connection.phase === 'open';
  const mayAct = isDriving(state) || (takeOnInteraction && canTake(state));
  const elements = { surfaceRef, fieldRef };
  useInputCapture(stream, elements, {
    viewport: state.hasFrame ? viewport : undefined,
    takeOnInteraction,
    shouldIgnoreKey,
    onLeave: () => surfaceRef.current?.focus(),
    onPress: ripples.add,
  });
  const hintId = useId();
  return (
    <div
      className={`bt-root bt-view ${className}`}
      data-theme={theme}
      data-fit={fit}
      data-live={isLive}
      data-driving={isDriving(state)}
      data-typing={isTyping}
      style={sizeStyle(viewport)}
    >
      <div className="bt-scroll">
        <div
          ref={surfaceRef}
          className="bt-surface"
          role="application"
          aria-label={state.url ? `The agent's browser, at ${state.url}` : "The agent's browser"}
          aria-describedby={mayAct ? hintId : undefined}
          tabIndex={mayAct ? 0 : undefined}
        >
          <div className="bt-picture">
            <canvas ref={canvasRef} className="bt-canvas" hidden={!state.hasFrame} />
            {isLive && viewport && <AgentOverlay {...{ state, outlines, viewport }} />}
            <PressRipples {...ripples} />
          </div>
          <TypingField fieldRef={fieldRef} onTyping={setTyping} />
        </div>
      </div>
      {mayAct && <TypingHint id={hintId} isTyping={isTyping} onType={() => fieldRef.current?.focus()} />}
    </div>
  );
}

function sizeStyle(viewport: { width: number; height: number } | undefined): CSSProperties {
  const { width, height } = viewport ?? { width: 16, height: 9 };
  return { '--bt-page-width': width, '--bt-page-height': height } as CSSProperties;
}
