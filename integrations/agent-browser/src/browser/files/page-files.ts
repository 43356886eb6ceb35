import type { CDPSession, FileChooser, Frame, Page, Request } from 'playwright-core';
import type { Progress } from '../../results/effects.js';
import { Signal, untilOnPage } from '../signal.js';
import type { Limits } from '../tab/engine.js';

interface Received {
  url: string;
  received: number;
  /** In bytes; 0 when the server sends no length. */
  total: number;
}

/** The wait for Playwright's file chooser event, which never comes when the input was removed. */
const CHOOSER_CLAIM_MS = 500;

/** A download that a document requested and that has not begun. */
interface AwaitedDownload {
  frame: Frame;
  /** The latest time of the request (`performance.now()`). */
  at: number;
}

/** Tracks the downloads and file choosers that a page requested before Playwright reports them. */
export class PageFiles {
  /** What came of the page's downloads so far, which Playwright does not report. */
  readonly #received = new Map<string, Received>();
  /** How many downloads of a URL have their progress. */
  readonly #followed = new Map<string, number>();
  readonly #session: Promise<CDPSession>;
  #asked: AwaitedDownload[] = [];
  /** When downloads began that no document has reported (`performance.now()`). */
  #unasked: number[] = [];
  /** Frames with a navigation under way. */
  readonly #leaving = new WeakSet<Frame>();
  #choosers = { opened: 0, reported: 0 };
  readonly #changed = new Signal();

  constructor(readonly page: Page) {
    this.#session = page.context().newCDPSession(page);
    // The page is closed; no download can follow.
    this.#watchDownloads().catch(() => undefined);
    page.on('download', () => {
      if (this.#asked.shift() === undefined) this.#unasked.push(performance.now());
      this.#changed.emit();
    });
    page.on('request', request => {
      const frame = request.isNavigationRequest() ? frameOf(request) : undefined;
      if (frame !== undefined) this.#leaving.add(frame);
    });
    // A cross-origin redirect can turn a requested download into a navigation of the frame.
    page.on('framenavigated', frame => {
      if (!this.#leaving.delete(frame)) return;
      this.#asked = this.#asked.filter(asked => asked.frame !== frame);
      this.#changed.emit();
    });
  }

  /** The progress of the next download of a URL that nobody follows; call it once per download. */
  progressOfNext(url: string): Progress {
    const index = this.#followed.get(url) ?? 0;
    this.#followed.set(url, index + 1);
    return () => {
      const known = [...this.#received.values()].filter(download => download.url === url)[index];
      if (known === undefined) return {};
      return { receivedBytes: known.received, ...(known.total > 0 && { totalBytes: known.total }) };
    };
  }

  /** Calls back with the page's file choosers, and keeps the browser from showing them. */
  onChooser(listener: (chooser: FileChooser) => void): void {
    this.page.on('filechooser', chooser => {
      this.#choosers.reported++;
      listener(chooser);
      this.#changed.emit();
    });
    this.#watchChoosers().catch(() => {
      // The page is gone.
    });
  }

  /**
   * Records downloads that a document reported.
   * @param ages Milliseconds between each request and the report.
   * @param questioned When the report was requested (`performance.now()`), which is before the document made it.
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
   * Resolves when every download and chooser requested since `since` (`performance.now()`) has begun, cannot begin, or
   * the timeout is over: to whether there were any. A download that fails begins as well.
   */
  async arrived({ since, timeout, signal }: Limits & { since: number }): Promise<boolean> {
    this.#asked = this.#asked.filter(({ at }) => at >= since);
    const waits = [
      this.#until(() => this.#asked.length === 0, { timeout, signal }),
      this.#until(() => this.#choosers.reported >= this.#choosers.opened, { timeout: CHOOSER_CLAIM_MS, signal }),
    ];
    const hadToWait = (await Promise.all(waits)).some(Boolean);
    this.#asked = [];
    this.#unasked = [];
    this.#choosers = { opened: 0, reported: 0 };
    return hadToWait;
  }

  async #watchDownloads(): Promise<void> {
    const session = await this.#session;
    session.on('Page.downloadWillBegin', ({ guid, url }) => this.#received.set(guid, { url, received: 0, total: 0 }));
    session.on('Page.downloadProgress', ({ guid, receivedBytes, totalBytes }) => {
      const known = this.#received.get(guid);
      if (known !== undefined) Object.assign(known, { received: receivedBytes, total: totalBytes });
    });
    await session.send('Page.enable');
  }

  async #watchChoosers(): Promise<void> {
    const session = await this.#session;
    session.on('Page.fileChooserOpened', () => this.#choosers.opened++);
    await session.send('Page.setInterceptFileChooserDialog', { enabled: true });
  }

  async #until(holds: () => boolean, limits: Limits): Promise<boolean> {
    if (holds() || limits.signal.aborted || this.page.isClosed()) return false;
    await untilOnPage(this.page, { holds, changed: this.#changed }, limits);
    return true;
  }
}

/** Playwright throws for a request whose frame does not exist yet, and for service workers. */
export function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}
