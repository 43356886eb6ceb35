import type { Page } from 'playwright-core';
import { test as base } from 'vitest';
import { SharedContext } from '../../../playground-ui/test/chromium.js';
import { type DemoSite, startDemoSite } from '../../src/demo-site/index.js';

interface Fixtures {
  site: DemoSite;
  page: Page;
}

/** Each test gets a shop and a page of its own, which fails the test on any script error. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's needs from this pattern
  site: async ({}, use) => {
    await using site = await startDemoSite();
    await use(site);
  },
  page: async ({ site }, use) => {
    const shared = await SharedContext.of();
    const page = await shared.context.newPage();
    const goto = page.goto.bind(page);
    // A path is one of this shop.
    page.goto = (path, options) => goto(new URL(path, site.url).href, options);
    const mistakes: Error[] = [];
    page.on('pageerror', error => mistakes.push(error));
    await use(page);
    await shared.clear();
    if (mistakes.length > 0) throw new AggregateError(mistakes, 'a script of the page failed');
  },
});

export async function addToCart(page: Page, product: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: `Add ${product} to cart` }).click();
  await page.getByRole('status').filter({ hasText: 'added to your cart' }).waitFor();
}

export async function fillAddress(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ann@example.com');
  await page.getByLabel('Full name').fill('Ann Berg');
  await page.getByLabel('Country').selectOption('Norway');
  await page.getByLabel('Street and number').fill('Bryggen 12');
  await page.getByLabel('Postal code').fill('5003');
  await page.getByLabel('City').fill('Bergen');
  await page.getByLabel('I accept the terms of sale').check();
}

export async function confirmCard(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  const frame = page.frameLocator('iframe[title="Card payment"]');
  await frame.getByLabel('Name on card').fill('Ann Berg');
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiry date').fill('12/49');
  await frame.getByLabel('Security code').fill('123');
  await frame.getByRole('button', { name: 'Confirm card' }).click();
}
