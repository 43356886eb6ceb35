import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { PRODUCTS } from '../../src/demo-site/shop/catalog.js';
import { addToCart, test } from './fixtures.js';

const shownNames = (page: Page) => page.locator('.card:visible .card-name').allInnerTexts();

describe('the product list', () => {
  test('narrows by words, category, price and stock, and sorts what is left', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('checkbox', { name: 'Kitchen' }).check();
    await page.getByRole('switch', { name: 'In stock only' }).check();
    await page.getByLabel('To', { exact: true }).fill('50');
    await page.getByLabel('Sort by').selectOption('Price, low to high');
    await page.getByText('4 products', { exact: true }).waitFor();
    expect(await shownNames(page)).toEqual(['Kelp espresso mug', 'Tidewater mug', 'Ember mug', 'Driftwood spoon set']);

    await page.getByLabel('Search products').fill('towel');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByText('18 products', { exact: true }).waitFor();
  });

  test('comes back as it was left', async ({ page }) => {
    await page.goto('/');
    await page.getByLabel('Search products').fill('oak');
    await page.getByLabel('Sort by').selectOption('Name, A to Z');
    await page.waitForURL(/search=oak&sort=name/);
    await page.reload();
    expect(await page.getByLabel('Search products').inputValue()).toBe('oak');
    expect((await shownNames(page))[0]).toBe('Beacon table lamp');
  });

  test('has a drawing of every product', async ({ site }) => {
    const answers = await Promise.all(PRODUCTS.map(({ slug }) => fetch(`${site.url}/assets/art/${slug}.svg`)));
    expect(answers.map(answer => answer.status)).toEqual(PRODUCTS.map(() => 200));
  });

  test('is as long as it is asked to be', async ({ page }) => {
    await page.goto('/big?n=1200');
    expect(await page.getByRole('listitem').count()).toBeGreaterThanOrEqual(1200);
    await page.goto('/big?n=-3');
    await page.getByRole('heading', { name: '500 products' }).waitFor();
  });
});

describe('the cart', () => {
  test('changes quantities in place and keeps the focus where it was', async ({ page }) => {
    await addToCart(page, 'Shoal bowl');
    await page.goto('/cart');
    await page.getByRole('button', { name: 'One more Shoal bowl' }).click();
    await page.getByRole('link', { name: 'Cart, 2 items' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('more-shoal-bowl');
    await page.getByText('$72.00').first().waitFor();

    await page.getByRole('button', { name: 'Remove Shoal bowl' }).click();
    await page.getByText('Your cart is empty.').waitFor();
  });

  test('is emptied only after a yes', async ({ page }) => {
    await addToCart(page, 'Shoal bowl');
    await addToCart(page, 'Ember mug');
    await page.goto('/cart');
    const questions: string[] = [];
    page.once('dialog', dialog => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('button', { name: 'Empty cart' }).click();
    expect(await page.getByRole('list', { name: 'Items' }).getByRole('listitem').count()).toBe(2);

    page.once('dialog', dialog => void dialog.accept());
    await page.getByRole('button', { name: 'Empty cart' }).click();
    await page.getByText('Your cart is empty.').waitFor();
    expect(questions).toEqual(['Remove all 2 items from your cart?']);
  });

  test('never holds more than there is, nor what is sold out', async ({ page, site }) => {
    await page.goto('/');
    await page.request.post(`${site.url}/cart/items`, { form: { slug: 'oak-step-stool', quantity: '99' } });
    await page.request.post(`${site.url}/cart/items`, { form: { slug: 'pier-kettle', quantity: '1' } });
    await page.goto('/cart');
    await page.getByRole('link', { name: 'Cart, 4 items' }).waitFor();
    expect(await page.getByRole('button', { name: 'One more Oak step stool' }).isDisabled()).toBe(true);
  });

  test('belongs to one visitor', async ({ page, site }) => {
    await addToCart(page, 'Ember mug');
    const stranger = await (await fetch(`${site.url}/cart`)).text();
    expect(stranger).toContain('Your cart is empty.');
  });
});

describe('the server', () => {
  test('refuses forms of other sites, nonsense and oversized bodies', async ({ site }) => {
    const post = (body: string, headers = {}) => fetch(`${site.url}/cart/items`, { method: 'POST', body, headers });
    expect((await post('slug=ember-mug&quantity=1', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await post('slug=ember-mug&quantity=-1')).status).toBe(400);
    expect((await post('slug=../../etc&quantity=1')).status).toBe(400);
    expect((await post('x'.repeat(100_000))).status).toBe(400);
  });

  test('answers what does not exist with a page that leads back', async ({ page }) => {
    expect((await page.goto('/products/flying-carpet'))?.status()).toBe(404);
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByRole('heading', { name: 'Products' }).waitFor();
  });

  test('is gone after close', async ({ site }) => {
    await site.close();
    await expect(fetch(site.url)).rejects.toThrow('fetch failed');
  });
});
