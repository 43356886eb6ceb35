import type { ScreencastFrame } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import type { CastSettings } from './cast-settings.js';
import { type CoverSource, FrameCovers } from './frame-covers.js';
import { FrameThinner } from './frame-thinner.js';
import { PageChannel } from './page-channel.js';

function viewportOf({
  deviceWidth,
  deviceHeight,
  offsetTop,
  pageScaleFactor,
}: CastMetadata): ScreencastFrame['viewport'] {
  return { width: deviceWidth, height: deviceHeight, offsetTop, pageScaleFactor };
}

/** DevTools protocol, `Page.ScreencastFrameMetadata`. */
interface CastMetadata {
  deviceWidth: number;
  deviceHeight: number;
  offsetTop: number;
  pageScaleFactor: number;
}

export interface CastListener {
  onFrame(frame: ScreencastFrame): void;
  /** The cast ended by itself: the page or the browser is gone. */
  onLost(): void;
}

/** The frames of one page, until it is closed. */
export class PageCast {
  readonly #channel: PageChannel;
  readonly #thinner: FrameThinner;
  readonly #listener: CastListener;
  #settings: CastSettings;
  #covers: FrameCovers | undefined;
  #isClosed = false;

  private constructor(channel: PageChannel, settings: CastSettings, listener: CastListener) {
    this.#channel = channel;
    this.#listener = listener;
    this.#settings = settings;
    this.#thinner = new FrameThinner(settings, frame => this.#pass(frame));
    channel.cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      // Chromium drops frames while older ones are not acknowledged; the last one of a change must not be lost.
      channel.cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => this.#lose());
      this.#thinner.offer({ data, viewport: viewportOf(metadata) });
    });
    channel.cdp.on('close', () => this.#lose());
  }

  /**
   * Starts the frames of a page. Rejects, and leaves nothing behind, while the page cannot give any.
   * @param source Where there are secrets to be covered.
   */
  static async start(
    page: Page,
    settings: CastSettings,
    { listener, source }: { listener: CastListener; source?: CoverSource },
  ): Promise<PageCast> {
    const channel = await PageChannel.open(page);
    const cast = new PageCast(channel, settings, listener);
    try {
      if (source !== undefined) {
        const pass = (frame: ScreencastFrame): void => listener.onFrame(frame);
        const refresh = (): void => cast.refresh();
        cast.#covers = await FrameCovers.start(source, { page, settings: () => cast.#settings, pass, refresh });
      }
      // A page that is busy gives frames, and in some versions of Chromium no answer (seen in 150).
      const shown = new Promise<void>(resolve => channel.cdp.once('Page.screencastFrame', () => resolve()));
      const begun = cast.#begin();
      begun.catch(() => cast.#lose());
      await Promise.race([begun, shown]);
    } catch (error) {
      cast.close();
      throw error;
    }
    return cast;
  }

  /** Chromium takes other settings for a cast that runs. How frames are thinned stays as it is. */
  change(settings: CastSettings): void {
    this.#settings = settings;
    this.refresh();
  }

  /** Asks for a frame of the page as it is now. */
  refresh(): void {
    this.#begin().catch(() => this.#lose());
  }

  close(): void {
    this.#isClosed = true;
    this.#thinner.stop();
    this.#covers?.close();
    this.#channel.close();
  }

  async #begin(): Promise<void> {
    const { format, quality, maxWidth, maxHeight } = this.#settings;
    await this.#channel.cdp.send('Page.startScreencast', { format, quality, maxWidth, maxHeight, everyNthFrame: 1 });
  }

  #pass(frame: ScreencastFrame): void {
    if (this.#isClosed) return;
    if (this.#covers === undefined) this.#listener.onFrame(frame);
    else this.#covers.offer(frame);
  }

  #lose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#thinner.stop();
    this.#covers?.close();
    this.#listener.onLost();
  }
}
