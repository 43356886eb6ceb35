import type { LiveAction } from '@browser-toolset/core';
import type { CSSProperties, ReactElement } from 'react';
import { shareOfPicture, type ViewportSize } from '../input/geometry.js';
import type { BrowserStreamState } from '../stream/state.js';

/** A place on the page that a host points at. */
export interface ViewOutline {
  /** In CSS pixels of the viewport. */
  box: { x: number; y: number; width: number; height: number };
  /** Empty where the outline says enough. */
  label: string;
  /** Stands out among several. */
  isCurrent?: boolean;
}

interface AgentOverlayProps {
  outlines: readonly ViewOutline[];
  state: BrowserStreamState;
  viewport: ViewportSize;
}

/** The agent on the picture: its cursor, the element that it acts on, and a ripple where it clicked. */
export function AgentOverlay({
  state: { actions, control },
  outlines,
  viewport,
}: AgentOverlayProps): ReactElement | null {
  const latest = actions.at(-1);
  const point = actions.findLast(action => action.point !== undefined)?.point;
  // While a person drives, what the agent did before says nothing about the page.
  const isOfAgent = latest !== undefined && control?.holder !== 'human';
  if (outlines.length > 0) return <Outlined outlines={outlines} viewport={viewport} />;
  if (!isOfAgent) return null;
  return (
    <div className="bt-overlay" aria-hidden="true">
      {latest.box && (
        <Highlight
          key={latest.id}
          box={latest.box}
          label={labelOf(latest)}
          phase={latest.phase}
          isFailed={latest.success === false}
          viewport={viewport}
        />
      )}
      {latest.point && latest.phase === 'ended' && /click|press|drag/.test(latest.tool) && (
        <span
          key={`${latest.id} ripple`}
          className="bt-ripple bt-ripple-agent"
          style={placeOf(latest.point, viewport)}
        />
      )}
      {point && (
        <svg className="bt-cursor" viewBox="0 0 20 20" style={placeOf(point, viewport)}>
          <title>Cursor of the agent</title>
          <path d="M3 2.5 16.2 9 10.3 11 8 16.8Z" />
        </svg>
      )}
    </div>
  );
}

function Outlined({ outlines, viewport }: Pick<AgentOverlayProps, 'outlines' | 'viewport'>): ReactElement {
  return (
    <div className="bt-overlay" aria-hidden="true">
      {outlines.map(outline => {
        const { x, y } = outline.box;
        const how = { phase: 'waiting' as const, isFailed: false, viewport, hasOthers: outlines.length > 1 };
        return <Highlight key={`${x} ${y}`} {...outline} {...how} />;
      })}
    </div>
  );
}

interface HighlightProps extends ViewOutline {
  phase: LiveAction['phase'] | 'waiting';
  isFailed: boolean;
  viewport: ViewportSize;
  /** Others stand above it as often as not, as the fields of a form stand above its button. */
  hasOthers?: boolean;
}

function Highlight({ box, label, isCurrent, phase, isFailed, viewport, hasOthers }: HighlightProps): ReactElement {
  const start = shareOfPicture(box, viewport);
  const end = shareOfPicture({ x: box.x + box.width, y: box.y + box.height }, viewport);
  const style: CSSProperties = {
    left: percent(start.x),
    top: percent(start.y),
    width: percent(end.x - start.x),
    height: percent(end.y - start.y),
  };
  return (
    <div
      className="bt-highlight"
      data-phase={phase}
      data-failed={isFailed || undefined}
      data-current={isCurrent || undefined}
      style={style}
    >
      {label !== '' && (
        <span
          className="bt-highlight-label"
          data-below={start.y < 0.08 || (hasOthers && end.y < 0.92) || undefined}
          data-left={start.x > 0.6 || undefined}
        >
          {label}
        </span>
      )}
    </div>
  );
}

/** Such as `@e12 button "Pay"`. */
export function labelOf({ ref, target }: LiveAction): string {
  const name = ref === undefined || ref.startsWith('@') ? ref : `@${ref}`;
  return [name, target].filter(part => part !== undefined).join(' ');
}

function placeOf(point: { x: number; y: number }, viewport: ViewportSize): CSSProperties {
  const share = shareOfPicture(point, viewport);
  return { left: percent(share.x), top: percent(share.y) };
}

function percent(share: number): string {
  return `${share * 100}%`;
}
