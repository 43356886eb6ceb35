import type { BrowserLiveSource, ScreencastStream } from '@browser-toolset/core';

export type Jpeg = Buffer<ArrayBuffer>;

/** Small enough that it costs the browser little beside the frames of a live view. */
const FRAMES = { maxWidth: 640, maxHeight: 480, quality: 60, everyNthFrame: 3 };

/** Small frames of one thread, whenever its browser runs; never starts one. */
export class Camera {
  readonly #browser: BrowserLiveSource;
  readonly #threadId: string;
  readonly #onFrame: (frame: Jpeg) => void;
  readonly #unsubscribe: () => void;
  #stream: ScreencastStream | undefined;
  #state: 'waiting' | 'starting' | 'running' | 'disposed' = 'waiting';

  constructor(browser: BrowserLiveSource, threadId: string, onFrame: (frame: Jpeg) => void) {
    this.#browser = browser;
    this.#threadId = threadId;
    this.#onFrame = onFrame;
    this.#unsubscribe = browser.onBrowserReady(() => void this.#start(), threadId);
  }

  dispose(): void {
    this.#state = 'disposed';
    this.#unsubscribe();
    void this.#end(this.#stream);
  }

  async #start(): Promise<void> {
    if (this.#state !== 'waiting') return;
    this.#state = 'starting';
    try {
      const stream = await this.#browser.startScreencastIfBrowserActive({ threadId: this.#threadId, ...FRAMES });
      if (this.#isDisposed()) await this.#end(stream);
      else this.#run(stream);
    } catch (error) {
      this.#complain(error);
      if (!this.#isDisposed()) this.#state = 'waiting';
    }
  }

  #run(stream: ScreencastStream | null): void {
    this.#state = stream ? 'running' : 'waiting';
    this.#stream = stream ?? undefined;
    stream?.on('frame', ({ data }) => this.#onFrame(Buffer.from(data, 'base64')));
    stream?.on('error', error => this.#complain(error));
    stream?.on('stop', () => {
      this.#stream = undefined;
      if (!this.#isDisposed()) this.#state = 'waiting';
    });
  }

  async #end(stream: ScreencastStream | null | undefined): Promise<void> {
    try {
      await stream?.stop();
    } catch (error) {
      this.#complain(error);
    }
  }

  #isDisposed(): boolean {
    return this.#state === 'disposed';
  }

  #complain(error: unknown): void {
    console.error(`Thread ${this.#threadId} has no thumbnails:`, error instanceof Error ? error.message : error);
  }
}
