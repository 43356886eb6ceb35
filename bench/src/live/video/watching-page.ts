import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../chromium.ts';
import { installWatcher, type Watched, type Watcher } from '../../page-code/watch-stream.ts';

type Window = { watcher: Watcher };
declare const watcher: Window['watcher'];

/** A person's browser that shows a live view: what is measured in it was decoded and drawn. */
export class WatchingPage {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** @param address A page of loopback: decoders are for secure contexts. */
  static async open(address: string): Promise<WatchingPage> {
    const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true });
    const page = await browser.newPage();
    await page.goto(address);
    await page.evaluate(installWatcher);
    return new WatchingPage(browser, page);
  }

  async watch(url: string): Promise<void> {
    await this.#page.evaluate(address => watcher.watch(address), url);
  }

  async seen(): Promise<Watched> {
    const watched = await this.#page.evaluate(() => watcher.seen());
    if (watched.error !== undefined) throw new Error(`the stream could not be decoded: ${watched.error}`);
    return watched;
  }

  /** Resolves once pictures have come. */
  async untilShown(): Promise<Watched> {
    await this.#page.waitForFunction(() => watcher.seen().pictures > 0);
    return this.seen();
  }

  async send(message: object): Promise<void> {
    await this.#page.evaluate(given => watcher.send(given), message);
  }

  untilColour(colour: readonly number[], messages: readonly object[], patience: number): Promise<number | undefined> {
    return this.#page.evaluate(([wanted, given, limit]) => watcher.untilColour(wanted, given, limit), [
      colour,
      messages,
      patience,
    ] as const);
  }

  likeness(png: string): Promise<number> {
    return this.#page.evaluate(picture => watcher.likeness(picture), png);
  }

  async leave(): Promise<void> {
    await this.#page.evaluate(() => watcher.leave());
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
