import type { Browser, Page } from 'playwright-core';
import { plainMessage } from '../outcome/errors.js';

/** Never asked for over a network: because of it the page is in a secure context, as WebCodecs wants. */
const URL = 'https://encoder.invalid/';
const BODY = '<!doctype html><title>Video</title><link rel="icon" href="data:,">';

/** A page to encode in, with nothing of a session in it. */
export class EncoderPage {
  private constructor(
    readonly page: Page,
    readonly close: () => Promise<void>,
  ) {}

  /**
   * @param home A blank page of the session's context, for browsers of pools that have one context and make no more.
   * @param onGone Called when the page is of no use any more.
   */
  static async open(browser: Browser, home: () => Promise<Page>, onGone: () => void): Promise<EncoderPage> {
    const { page, close } = await blankPage(browser, home);
    page.on('close', onGone);
    page.on('crash', onGone);
    try {
      await page.route('**', route => route.fulfill({ contentType: 'text/html', body: BODY }));
      await page.goto(URL);
    } catch (error) {
      await close();
      throw error;
    }
    return new EncoderPage(page, close);
  }
}

async function blankPage(browser: Browser, home: () => Promise<Page>) {
  try {
    const context = await browser.newContext();
    return { page: await context.newPage(), close: () => context.close() };
  } catch (error) {
    if (!plainMessage(error).includes('Target.createBrowserContext')) throw error;
    const page = await home();
    return { page, close: () => page.close() };
  }
}
