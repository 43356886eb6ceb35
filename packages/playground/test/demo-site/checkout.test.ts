import { describe, expect } from 'vitest';
import { addToCart, fillAddress, test } from './fixtures.js';

describe('the checkout form', () => {
  test('names every field that is missing, and moves to the one chosen from the list', async ({ page }) => {
    await addToCart(page, 'Ember mug');
    await page.goto('/checkout');
    await page.getByRole('button', { name: 'Place order' }).click();

    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: '8 things need your attention' }).waitFor();
    expect(await alert.evaluate(element => element === document.activeElement)).toBe(true);
    const email = page.getByLabel('Email');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.getAttribute('aria-describedby')).toBe('email-hint email-error');
    expect(await page.locator('#email-error').textContent()).toBe('Enter an email address, like ann@example.com');

    await alert.getByRole('link', { name: 'Enter a city' }).click();
    expect(await page.getByLabel('City').evaluate(element => element === document.activeElement)).toBe(true);
  });

  test('takes an error back while the field is being put right', async ({ page }) => {
    await addToCart(page, 'Ember mug');
    await page.goto('/checkout');
    await page.getByRole('button', { name: 'Place order' }).click();
    await fillAddress(page);
    await page.getByRole('heading', { name: 'One thing needs your attention' }).waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
  });

  test('holds the postal code against the chosen country', async ({ page }) => {
    await addToCart(page, 'Ember mug');
    await page.goto('/checkout');
    await fillAddress(page);
    await page.getByLabel('Country').selectOption('Germany');
    await page.getByText('For example 20095.').waitFor();
    await page.locator('#postalCode-error').getByText('fits the country').waitFor();
    await page.getByLabel('Postal code').fill('20095');
    expect(await page.locator('#postalCode-error').isHidden()).toBe(true);
  });

  test('adds the shipping to the total', async ({ page }) => {
    await addToCart(page, 'Ember mug');
    await page.goto('/checkout');
    expect(await page.locator('#total-price').textContent()).toBe('$30.00');
    await page.getByLabel('Pick up at the harbor').check();
    expect(await page.locator('#total-price').textContent()).toBe('$24.00');
  });

  test('is checked again by the server, which shows what was typed as text', async ({ page, site }) => {
    await addToCart(page, 'Ember mug');
    const response = await page.request.post(`${site.url}/checkout`, {
      form: { email: 'nope', name: '<b>"Ann"</b>', country: 'NO', postalCode: '12', shipping: 'boat', terms: 'no' },
    });
    const body = await response.text();
    expect(response.status()).toBe(422);
    expect(body).toContain('7 things need');
    expect(body).toContain('value="&lt;b&gt;&quot;Ann&quot;&lt;/b&gt;"');
    expect(body).not.toContain('<b>');
    expect(site.orders()).toEqual([]);
  });

  test('opens the terms in a new tab', async ({ page }) => {
    await addToCart(page, 'Ember mug');
    await page.goto('/checkout');
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Read the terms' }).click();
    await (await opening).getByRole('heading', { name: 'Terms of sale' }).waitFor();
  });
});
