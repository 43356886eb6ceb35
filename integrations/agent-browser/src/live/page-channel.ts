import type { CDPSession, Page } from 'playwright-core';

/** A DevTools session of a page, for as long as either lives. */
export class PageChannel {
  readonly page: Page;
  readonly cdp: CDPSession;
  #isOpen = true;

  private constructor(page: Page, cdp: CDPSession) {
    this.page = page;
    this.cdp = cdp;
    cdp.on('close', () => {
      this.#isOpen = false;
    });
  }

  static async open(page: Page): Promise<PageChannel> {
    return new PageChannel(page, await page.context().newCDPSession(page));
  }

  /** False once the page is gone or the channel was closed. */
  get isOpen(): boolean {
    return this.#isOpen && !this.page.isClosed();
  }

  /** Detaches, without waiting: of a page that crashed, a session detaches only when the page is closed. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.cdp.detach().catch(ignoreGoneSession);
  }
}

/** `detach` rejects only when the page or the browser took the session with it. */
function ignoreGoneSession(): void {}
