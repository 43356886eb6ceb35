import type { CDPSession, FileChooser, Page } from 'playwright-core';
import type { Limits } from '../tab/engine.js';
import { DownloadProgress } from './download-progress.js';

/** Milliseconds that Playwright may take to tell of a file chooser; of one whose field is gone it never does. */
const CHOOSER_TIME = 500;
/** Milliseconds that an answer of the page may be under way. */
const WAY = 50;

/** Knows of downloads that a page asked for, and of file choosers that it opened, before Playwright tells of them. */
export class PageFiles {
  readonly progress: DownloadProgress;
  readonly #session: Promise<CDPSession>;
  /** When downloads were asked for (`performance.now()`). */
  #asked: number[] = [];
  #begun: number[] = [];
  #choosers = { opened: 0, told: 0 };
  readonly #listeners = new Set<() => void>();

  constructor(readonly page: Page) {
    this.#session = page.context().newCDPSession(page);
    this.progress = new DownloadProgress(this.#session);
    // Of a page that is gone already nothing more will come.
    this.progress.watch().catch(() => undefined);
    page.on('download', () => {
      this.#begun.push(performance.now());
      this.#changed();
    });
  }

  /** Calls back with the file choosers that the page opens, which no window shows from here on. */
  onChooser(listener: (chooser: FileChooser) => void): void {
    this.page.on('filechooser', chooser => {
      this.#choosers.told++;
      listener(chooser);
      this.#changed();
    });
    this.#watchChoosers().catch(() => {
      // The page is gone.
    });
  }

  /** @param ages How long ago a document asked for downloads, in milliseconds. */
  asked(ages: readonly number[]): void {
    const now = performance.now();
    for (const age of ages) this.#asked.push(now - age);
  }

  /**
   * Resolves when Playwright has told of what the page asked for since, or the time is over. What Chromium cannot download
   * begins as well, and fails.
   * @param since `performance.now()` of that time.
   */
  async arrived({ since, timeout, signal }: Limits & { since: number }): Promise<void> {
    this.#asked = this.#asked.filter(at => at >= since - WAY);
    this.#begun = this.#begun.filter(at => at >= since);
    await Promise.all([
      this.#until(() => this.#begun.length >= this.#asked.length, { timeout, signal }),
      this.#until(() => this.#choosers.told >= this.#choosers.opened, { timeout: CHOOSER_TIME, signal }),
    ]);
    this.#choosers = { opened: 0, told: 0 };
  }

  async #watchChoosers(): Promise<void> {
    const session = await this.#session;
    session.on('Page.fileChooserOpened', () => this.#choosers.opened++);
    await session.send('Page.setInterceptFileChooserDialog', { enabled: true });
  }

  async #until(holds: () => boolean, { timeout, signal }: Limits): Promise<void> {
    if (holds() || signal.aborted || this.page.isClosed()) return;
    const over = Promise.withResolvers<void>();
    const check = (): void => {
      if (holds()) over.resolve();
    };
    const end = (): void => over.resolve();
    const timer = setTimeout(end, timeout);
    this.page.on('close', end);
    signal.addEventListener('abort', end);
    this.#listeners.add(check);
    await over.promise;
    clearTimeout(timer);
    this.page.off('close', end);
    signal.removeEventListener('abort', end);
    this.#listeners.delete(check);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
