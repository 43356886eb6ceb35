import type { FrameData } from '../stream/client.js';

/** The parts of a canvas that the painter uses. */
export interface PaintSurface {
  width: number;
  height: number;
  getContext(kind: '2d', options: { alpha: boolean }): Pick<CanvasRenderingContext2D, 'drawImage'> | null;
}

export interface FramePainterOptions<Frame> {
  /** Called with each frame that is on the canvas now. */
  onDrawn?: (frame: Frame, count: number) => void;
  /** Called for a picture that cannot be decoded; the one before stays. */
  onBroken?: (error: unknown) => void;
  /** @default createImageBitmap of the window */
  decode?: (picture: Blob) => Promise<ImageBitmap>;
}

/**
 * Draws JPEG pictures on a canvas, which takes their size.
 *
 * Invariant: latest frame wins. One picture is decoded at a time; of those that come meanwhile only the last is kept.
 * Each bitmap is closed, and no object URL is made, so that memory does not grow with the number of frames.
 */
export class FramePainter<Frame extends { data: FrameData }> {
  readonly #canvas: PaintSurface;
  readonly #options: FramePainterOptions<Frame>;
  #waiting: Frame | undefined;
  #isDecoding = false;
  #isDisposed = false;
  #drawn = 0;

  constructor(canvas: PaintSurface, options: FramePainterOptions<Frame> = {}) {
    this.#canvas = canvas;
    this.#options = options;
  }

  /** How many frames were drawn. */
  get drawnFrames(): number {
    return this.#drawn;
  }

  /** Size of the last picture, in its own pixels. */
  get naturalSize(): { width: number; height: number } {
    return { width: this.#canvas.width, height: this.#canvas.height };
  }

  paint(frame: Frame): void {
    this.#waiting = frame;
    if (!this.#isDecoding) void this.#work();
  }

  /** Draws nothing from now on. */
  dispose(): void {
    this.#isDisposed = true;
    this.#waiting = undefined;
  }

  async #work(): Promise<void> {
    this.#isDecoding = true;
    while (this.#waiting !== undefined) {
      const frame = this.#waiting;
      this.#waiting = undefined;
      try {
        await this.#decodeAndDraw(frame);
      } catch (error) {
        this.#options.onBroken?.(error);
      }
    }
    this.#isDecoding = false;
  }

  async #decodeAndDraw(frame: Frame): Promise<void> {
    const { decode = picture => createImageBitmap(picture), onDrawn } = this.#options;
    const bitmap = await decode(new Blob([bytesOf(frame.data)], { type: 'image/jpeg' }));
    try {
      if (this.#isDisposed) return;
      drawPicture(this.#canvas, bitmap, bitmap);
    } finally {
      bitmap.close();
    }
    this.#drawn += 1;
    onDrawn?.(frame, this.#drawn);
  }
}

/** Draws a picture on a canvas, which takes its size. */
export function drawPicture(
  canvas: PaintSurface,
  picture: CanvasImageSource,
  { width, height }: { width: number; height: number },
): void {
  // Setting a size clears the canvas, even to the same size.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.getContext('2d', { alpha: false })?.drawImage(picture, 0, 0);
}

function bytesOf(data: FrameData): Uint8Array<ArrayBuffer> {
  return typeof data === 'string' ? Uint8Array.from(atob(data), character => character.charCodeAt(0)) : data;
}
