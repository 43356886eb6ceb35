import { type RefObject, useEffect, useState } from 'react';
import type { ViewportSize } from '../input/geometry.js';
import type { BrowserStreamModel, StreamFrame } from '../stream/model.js';
import { FramePainter } from './frame-painter.js';
import { VideoPainter } from './video-painter.js';

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
    let drawn = 0;
    const onDrawn = ({ viewport: told }: Pick<StreamFrame, 'viewport'>): void => {
      drawn += 1;
      canvas.dataset.frames = `${drawn}`;
      const { width, height } = canvas;
      const shown = told ?? model.getSnapshot().viewport ?? { width, height };
      setViewport(known => (isSame(known, shown) ? known : shown));
    };
    const painter = new FramePainter<StreamFrame>(canvas, { onDrawn });
    const video = new VideoPainter(canvas, {
      onDrawn,
      onLost: () => model.requestKeyframe(),
      onFailed: () => model.giveUpVideo(),
    });
    const stops = [model.onFrame(frame => painter.paint(frame)), model.onChunk(chunk => video.paint(chunk))];
    return () => {
      for (const stop of stops) stop();
      painter.dispose();
      video.dispose();
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
