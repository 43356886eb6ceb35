import type { CDPSession, Page } from 'playwright-core';

/** Speaks the DevTools protocol with a page for as long as the work takes. */
export async function withCdp<T>(page: Page, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page);
  try {
    return await work(session);
  } finally {
    // A page that is gone has taken the session along.
    await session.detach().catch(() => undefined);
  }
}
