import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../pages/random.ts';
import { colours, target } from './pages.ts';
import { colourShown } from './picture-colour.ts';
import { LiveViewer } from './viewer.ts';

const openingPatience = 10_000;

/** The flat form of a mouse message, which all stacks take. */
export function mouse(eventType: string, { x, y }: { x: number; y: number }): object {
  return { type: 'mouse', eventType, x, y, button: 'left', clickCount: 1, modifiers: 0 };
}

/** Somebody who clicks on the colour page and watches for the frame that shows it. */
export class ColourClicker {
  readonly viewer: LiveViewer;
  readonly #random = new Random('clicks');
  #colour = 0;

  private constructor(viewer: LiveViewer) {
    this.viewer = viewer;
  }

  /** Connects to the stream of a colour page that nobody has clicked yet, and waits until that is seen. */
  static async open(url: string): Promise<ColourClicker> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const viewer = await LiveViewer.open(url, ({ data }) => {
      if (colourShown(data) === 0) resolve(true);
    });
    const timer = setTimeout(() => resolve(false), openingPatience);
    const isSeen = await promise;
    clearTimeout(timer);
    viewer.onFrame = undefined;
    if (!isSeen) throw new Error('the colour page was never seen');
    return new ColourClicker(viewer);
  }

  /** Milliseconds from the press to the frame that shows the next colour; undefined when it does not come in time. */
  async click(patience = 10_000): Promise<number | undefined> {
    const wanted = (this.#colour + 1) % colours.length;
    const changed = this.viewer.frameThat(({ data }) => colourShown(data) === wanted, patience);
    const start = performance.now();
    this.viewer.send(mouse('mousePressed', target));
    const frame = await changed;
    if (!this.viewer.isOpen) return undefined;
    this.viewer.send(mouse('mouseReleased', target));
    if (frame) this.#colour = wanted;
    return frame && frame.at - start;
  }

  /** A person's next click comes at any moment of the screen's refresh, and never right after the last. */
  async think(): Promise<void> {
    await pause(20 + this.#random.int(0, 32));
  }
}
