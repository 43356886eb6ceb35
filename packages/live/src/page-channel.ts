import type { CDPSession, Page } from 'playwright-core';

/** A page's CDP session, until either closes. */
export class PageChannel {
  #isOpen = true;

  private constructor(
    readonly page: Page,
    readonly cdp: CDPSession,
  ) {
    cdp.on('close', () => {
      this.#isOpen = false;
    });
  }

  static async open(page: Page): Promise<PageChannel> {
    return new PageChannel(page, await page.context().newCDPSession(page));
  }

  get isOpen(): boolean {
    return this.#isOpen && !this.page.isClosed();
  }

  /** Detaches without waiting: a crashed page's session detaches only when the page is closed. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.cdp.detach().catch(ignoreGone);
  }
}

/** Ignores the failure of a message to a session, page or frame that is gone. */
export function ignoreGone(): void {}
