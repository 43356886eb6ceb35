import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { addToCart, confirmCard, fillAddress, test } from './fixtures.js';

describe('a purchase', () => {
  test('goes from the search to a confirmed order', async ({ page, site }) => {
    await page.goto('/');
    await page.getByLabel('Search products').fill('tidewater');
    await page.getByText('1 product', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Tidewater mug' }).click();
    await page.getByLabel('Quantity').fill('2');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByRole('link', { name: 'Cart, 2 items' }).click();
    await page.getByRole('link', { name: 'Go to checkout' }).click();
    await fillAddress(page);
    await page.getByLabel('Express').check();
    await confirmCard(page);
    await page.getByText('Card ending in 4242 is confirmed.').waitFor();
    await page.getByRole('button', { name: 'Place order' }).click();

    await page.getByRole('heading', { name: 'Order HO-10428 is confirmed' }).waitFor();
    expect(site.orders()).toMatchObject([
      {
        number: 'HO-10428',
        email: 'ann@example.com',
        address: { street: 'Bryggen 12', city: 'Bergen', postalCode: '5003', country: 'Norway' },
        lines: [{ slug: 'tidewater-mug', quantity: 2, total: 4800 }],
        shipping: { name: 'Express', price: 1400 },
        total: 6200,
        cardLastFour: '4242',
      },
    ]);
    await page.getByRole('link', { name: 'Cart, 0 items' }).waitFor();
  });

  test('offers its invoice as a PDF file and keeps it from other visitors', async ({ page }) => {
    await addToCart(page, 'Salt jar');
    await page.goto('/checkout');
    await fillAddress(page);
    await confirmCard(page);
    await page.getByText('Card ending in 4242 is confirmed.').waitFor();
    await page.getByRole('button', { name: 'Place order' }).click();

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download invoice' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('invoice-HO-10428.pdf');
    const text = await readFile(await download.path(), 'latin1');
    expect(text).toMatch(/^%PDF-1\.4\n/);
    expect(text).toContain('(1 x Salt jar) Tj');
    expect(text).toContain('(Paid by card ending in 4242) Tj');

    const stranger = await fetch(new URL('/orders/HO-10428/invoice.pdf', page.url()));
    expect(stranger.status).toBe(404);
  });
});

describe('the payment frame', () => {
  test('is another site, and the shop takes a token from nobody else', async ({ page, site }) => {
    expect(new URL(site.paymentUrl).origin).not.toBe(site.url);
    await addToCart(page, 'Dune vase');
    await page.goto('/checkout');
    await page.evaluate(() => window.postMessage({ type: 'harbor-pay:card', token: 'forged', lastFour: '1111' }, '*'));
    await fillAddress(page);
    await page.getByRole('button', { name: 'Place order' }).click();

    await page.getByRole('alert').getByText('Confirm your card before you place the order').waitFor();
    expect(await page.getByText('ending in 1111').count()).toBe(0);
  });

  test('explains a declined card and accepts the next one', async ({ page }) => {
    await addToCart(page, 'Dune vase');
    await page.goto('/checkout');
    await confirmCard(page, '4000 0000 0000 0002');
    const frame = page.frameLocator('iframe[title="Card payment"]');
    await frame.getByText('The bank declined this card').waitFor();
    expect(await frame.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true');

    await confirmCard(page);
    await page.getByText('Card ending in 4242 is confirmed.').waitFor();
  });

  test('a card confirmation pays for one order only', async ({ page, site }) => {
    await addToCart(page, 'Dune vase');
    await page.goto('/checkout');
    await fillAddress(page);
    await confirmCard(page);
    await page.getByText('Card ending in 4242 is confirmed.').waitFor();
    const token = await page.locator('[name=paymentToken]').inputValue();
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('heading', { name: 'Order HO-10428 is confirmed' }).waitFor();

    await addToCart(page, 'Dune vase');
    await page.goto('/checkout');
    await fillAddress(page);
    await page.locator('[name=paymentToken]').evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, token);
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('alert').getByText('confirm the card again').waitFor();
    expect(site.orders()).toHaveLength(1);
  });
});
