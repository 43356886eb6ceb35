import type { BrowserContext, Page } from 'playwright-core';

/** Cookies and storage in Playwright's format. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** One tab as it was. */
export interface SavedTab {
  id: string;
  url: string;
  title: string;
  scroll: { x: number; y: number };
}

/** What a session needs to come back as it was. */
export interface SavedState {
  tabs: SavedTab[];
  active: string;
  storage?: StorageState;
}

/** Where the main document is scrolled to; the origin when the page does not answer. */
export async function scrollOf(page: Page): Promise<{ x: number; y: number }> {
  const body = page.locator('html');
  return body
    .evaluate(() => ({ x: window.scrollX, y: window.scrollY }), undefined, { timeout: 1_000 })
    .catch(() => ({ x: 0, y: 0 }));
}

/** Opens a tab's page again and scrolls it to where it was. A page that cannot be loaded stays blank. */
export async function restorePage(page: Page, saved: SavedTab, timeout: number): Promise<boolean> {
  if (!/^https?:/.test(saved.url)) return true;
  const { x, y } = saved.scroll;
  try {
    await page.goto(saved.url, { waitUntil: 'domcontentloaded', timeout });
    if (x !== 0 || y !== 0)
      await page.locator('html').evaluate((_, at) => window.scrollTo(at.x, at.y), saved.scroll, { timeout });
    return true;
  } catch {
    // The result says how many tabs came back; the agent sees the rest by their url.
    return false;
  }
}
