import { until } from '@browser-toolset/core/waiting';
import type { CDPSession, FileChooser, Frame, Page, Request } from 'playwright-core';
import type { Progress } from '../../results/effects.js';
import type { Limits } from '../tab/engine.js';

interface Received {
  url: string;
  received: number;
  /** 0 when the server does not say. */
  total: number;
}

/** Knows how much of each download of a page has come: Playwright tells of their beginning and end alone. */
class DownloadProgress {
  readonly #known = new Map<string, Received>();
  readonly #asked = new Map<string, number>();

  constructor(readonly session: Promise<CDPSession>) {}

  /** Begins to listen. Rejects when the page is gone. */
  async watch(): Promise<void> {
    const session = await this.session;
    session.on('Page.downloadWillBegin', ({ guid, url }) => this.#known.set(guid, { url, received: 0, total: 0 }));
    session.on('Page.downloadProgress', ({ guid, receivedBytes, totalBytes }) => {
      const known = this.#known.get(guid);
      if (known !== undefined) Object.assign(known, { received: receivedBytes, total: totalBytes });
    });
    await session.send('Page.enable');
  }

  /** How much has come of the next download of a url; asked once for each. */
  next(url: string): Progress {
    const index = this.#asked.get(url) ?? 0;
    this.#asked.set(url, index + 1);
    return () => {
      const known = [...this.#known.values()].filter(download => download.url === url)[index];
      if (known === undefined) return {};
      return { receivedBytes: known.received, ...(known.total > 0 && { totalBytes: known.total }) };
    };
  }
}

/** Milliseconds that Playwright may take to tell of a file chooser; of one whose field is gone it never does. */
const CHOOSER_CLAIM_MS = 500;

/** A download that a document asked for, and that has not begun yet. */
interface AwaitedDownload {
  frame: Frame;
  /** `performance.now()` of that time at the latest. */
  at: number;
}

/** Knows of downloads that a page asked for, and of file choosers that it opened, before Playwright tells of them. */
export class PageFiles {
  readonly progress: DownloadProgress;
  readonly #session: Promise<CDPSession>;
  #asked: AwaitedDownload[] = [];
  /** When downloads began that nobody is known to have asked for (`performance.now()`). */
  #unasked: number[] = [];
  /** Frames that have asked for another document. */
  readonly #leaving = new WeakSet<Frame>();
  #choosers = { opened: 0, told: 0 };
  readonly #listeners = new Set<() => void>();

  constructor(readonly page: Page) {
    this.#session = page.context().newCDPSession(page);
    this.progress = new DownloadProgress(this.#session);
    // Of a page that is gone already nothing more will come.
    this.progress.watch().catch(() => undefined);
    page.on('download', () => {
      if (this.#asked.shift() === undefined) this.#unasked.push(performance.now());
      this.#changed();
    });
    page.on('request', request => {
      const frame = request.isNavigationRequest() ? frameOf(request) : undefined;
      if (frame !== undefined) this.#leaving.add(frame);
    });
    // Chromium opens a download in the frame where it is sent on to another origin and shown there.
    page.on('framenavigated', frame => {
      if (!this.#leaving.delete(frame)) return;
      this.#asked = this.#asked.filter(asked => asked.frame !== frame);
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

  /**
   * A document has told of downloads that it asked for.
   * @param ages How long before it told so, in milliseconds.
   * @param questioned When it was asked, before which it cannot have told (`performance.now()`).
   */
  asked(frame: Frame, ages: readonly number[], questioned: number): void {
    const now = performance.now();
    for (const age of ages) {
      const begun = this.#unasked.findIndex(time => time > questioned - age);
      if (begun < 0) this.#asked.push({ frame, at: now - age });
      else this.#unasked.splice(begun, 1);
    }
  }

  /**
   * Resolves when what the page asked for since has begun, or will not, or the time is over: to whether there was anything
   * to wait for. What cannot be downloaded begins as well, and fails.
   * @param since `performance.now()` of that time.
   */
  async arrived({ since, timeout, signal }: Limits & { since: number }): Promise<boolean> {
    this.#asked = this.#asked.filter(({ at }) => at >= since);
    const waits = [
      this.#until(() => this.#asked.length === 0, { timeout, signal }),
      this.#until(() => this.#choosers.told >= this.#choosers.opened, { timeout: CHOOSER_CLAIM_MS, signal }),
    ];
    const hadToWait = (await Promise.all(waits)).some(Boolean);
    this.#asked = [];
    this.#unasked = [];
    this.#choosers = { opened: 0, told: 0 };
    return hadToWait;
  }

  async #watchChoosers(): Promise<void> {
    const session = await this.#session;
    session.on('Page.fileChooserOpened', () => this.#choosers.opened++);
    await session.send('Page.setInterceptFileChooserDialog', { enabled: true });
  }

  /** Resolves to whether there was anything to wait for. */
  async #until(holds: () => boolean, limits: Limits): Promise<boolean> {
    const { page } = this;
    if (holds() || limits.signal.aborted || page.isClosed()) return false;
    await until(holds, limits, (check, giveUp) => {
      this.#listeners.add(check);
      page.on('close', giveUp).on('crash', giveUp).on('dialog', giveUp);
      return () => {
        this.#listeners.delete(check);
        page.off('close', giveUp).off('crash', giveUp).off('dialog', giveUp);
      };
    });
    return true;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Playwright throws for a navigation whose frame does not exist yet. */
function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}
