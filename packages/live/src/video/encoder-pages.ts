import { within } from '@browser-toolset/core/waiting';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { ignoreGone } from '../page-channel.js';

/** Encoders that may fail at one picture, one after another. */
export const ENCODER_ATTEMPTS = 3;
/** In milliseconds, for the pictures that are waiting. A busy machine needs seconds to open an encoder. */
export const ENCODE_MS = 15_000;
const ENCODER_CLOSE_MS = 2_000;
/** In characters of pictures: without a collection their strings and bytes grow to hundreds of megabytes. */
const GARBAGE_LENGTH = 8_000_000;

/** Where pages to encode in are opened. */
export interface EncoderHome {
  /** Undefined while there is none. */
  readonly browser: Browser | undefined;
  /** Opens a page in the home's own context, for hosted browsers that create no others. */
  scratchPage(): Promise<Page>;
}

/** Pages to encode in: one per browser, for all recordings and live videos of its sessions, closed with the last. */
export class EncoderPages {
  readonly #pages = new Map<Browser, Promise<EncoderPage>>();
  readonly #users = new Map<object, Browser>();

  /** `home` opens a page in the session's context, for hosted browsers that create no other contexts. */
  async open(user: object, browser: Browser, home: () => Promise<Page>): Promise<Page> {
    if (this.#users.get(user) !== browser) await this.leave(user);
    this.#users.set(user, browser);
    const known = this.#pages.get(browser);
    if (known !== undefined) return (await known).page;
    const forget = (): void => {
      if (this.#pages.get(browser) === opening) this.#pages.delete(browser);
    };
    const opening = EncoderPage.open(browser, home, forget);
    opening.catch(forget);
    this.#pages.set(browser, opening);
    return (await opening).page;
  }

  /**
   * Frees the page of a user, now and then, of what the pictures that were brought to it leave behind. Resolves once that
   * is done. Never rejects.
   */
  async brought(user: object, picture: string): Promise<void> {
    const browser = this.#users.get(user);
    // A page that failed to open holds nothing.
    const page = browser && (await this.#pages.get(browser)?.catch(() => undefined));
    await page?.brought(picture);
  }

  /** Resolves once a page without users is closed, after a few seconds at most. Never rejects. */
  async leave(user: object): Promise<void> {
    const browser = this.#users.get(user);
    this.#users.delete(user);
    if (browser === undefined || [...this.#users.values()].includes(browser)) return;
    const opened = this.#pages.get(browser);
    this.#pages.delete(browser);
    // A page that failed to open need not be closed.
    const closed = opened?.then(page => page.close()).catch(() => undefined);
    if (closed !== undefined) await within(ENCODER_CLOSE_MS, closed);
  }
}

/** Never requested over a network; it gives the page a secure context, which WebCodecs requires. */
const URL = 'https://encoder.invalid/';
const BODY = '<!doctype html><title>Video</title><link rel="icon" href="data:,">';

/** A page for the encoder, outside all sessions. */
class EncoderPage {
  #garbage = 0;

  private constructor(
    readonly page: Page,
    readonly cdp: CDPSession,
    readonly close: () => Promise<void>,
  ) {}

  static async open(browser: Browser, home: () => Promise<Page>, onGone: () => void): Promise<EncoderPage> {
    const { page, close } = await blankPage(browser, home);
    page.on('close', onGone);
    page.on('crash', onGone);
    try {
      await page.route('**', route => route.fulfill({ contentType: 'text/html', body: BODY }));
      await page.goto(URL);
      return new EncoderPage(page, await page.context().newCDPSession(page), close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  async brought({ length }: string): Promise<void> {
    this.#garbage += length;
    if (this.#garbage < GARBAGE_LENGTH) return;
    this.#garbage = 0;
    await this.cdp.send('HeapProfiler.collectGarbage').catch(ignoreGone);
  }
}

async function blankPage(browser: Browser, home: () => Promise<Page>) {
  try {
    const context = await browser.newContext();
    return { page: await context.newPage(), close: () => context.close() };
  } catch (error) {
    if (!String(error).includes('Target.createBrowserContext')) throw error;
    const page = await home();
    return { page, close: () => page.close() };
  }
}
