import { type RefObject, useEffect, useState } from 'react';
import type { ViewportSize } from '../input/geometry.js';
import type { BrowserStreamModel, StreamFrame } from '../stream/model.js';
import { FramePainter } from './frame-painter.js';

/**
 * Draws the frames of a stream on a canvas, and answers what it shows: undefined before the first frame. A component
 * renders anew only when that changes.
 */
export function useFrames(
  model: BrowserStreamModel,
  canvasRef: RefObject<HTMLCanvasElement | null>,
): ViewportSize | undefined {
  const [viewport, setViewport] = useState<ViewportSize>();
  useEffect(() => {
    const canvas = canvasRef.current;
    if (canvas === null) return;
    const painter = new FramePainter<StreamFrame>(canvas, {
      onDrawn: frame => {
        canvas.dataset.frames = `${painter.drawnFrames}`;
        const shown = frame.viewport ?? model.getSnapshot().viewport ?? painter.naturalSize;
        setViewport(known => (isSame(known, shown) ? known : shown));
      },
    });
    const unsubscribe = model.onFrame(frame => painter.paint(frame));
    return () => {
      unsubscribe();
      painter.dispose();
    };
  }, [model, canvasRef]);
  return viewport;
}

function isSame(one: ViewportSize | undefined, other: ViewportSize): boolean {
  return (
    one?.width === other.width &&
    one.height === other.height &&
    one.offsetTop === other.offsetTop &&
    one.pageScaleFactor === other.pageScaleFactor
  );
}
