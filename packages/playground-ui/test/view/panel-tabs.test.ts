import { describe, expect } from 'vitest';
import { test } from '../page/fixtures.js';
import { YOU_DRIVE } from '../page/live-server.js';
import { button } from '../page/panel-parts.js';

describe('tabs and address', () => {
  test('ask the server, as the viewer that it knows', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount();
    await page.getByRole('tab', { name: 'Card payment' }).click();
    await button(page, 'New tab').click();
    await button(page, 'Close Your cart - Tidewater').click();
    await button(page, 'Back').click();
    await button(page, 'Forward').click();
    await button(page, 'Reload').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('shop.example/mugs');
    await page.keyboard.press('Enter');
    await server.until(() => server.requests.length === 7);
    const common = { method: 'POST', viewer: 'viewer-1' };
    const tabs = { ...common, path: '/browser/shopper/tabs' };
    const navigate = { ...common, path: '/browser/shopper/navigate' };
    const threadId = 'thread-1';
    expect(server.requests).toEqual([
      { ...tabs, body: { threadId, action: 'switch', tab: 't3' } },
      { ...tabs, body: { threadId, action: 'new' } },
      { ...tabs, body: { threadId, action: 'close', tab: 't1' } },
      { ...navigate, body: { threadId, direction: 'back' } },
      { ...navigate, body: { threadId, direction: 'forward' } },
      { ...navigate, body: { threadId, direction: 'reload' } },
      { ...navigate, body: { threadId, url: 'shop.example/mugs' } },
    ]);
  });

  test('follow the browser', async ({ page, server, mount }) => {
    await mount();
    await server.say({ url: 'https://pay.example/card' });
    await server.say({ tabs: [{ tab: 't3', url: 'https://pay.example/card', title: '', active: true }] });
    await page.getByRole('tab', { name: 'pay.example', selected: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('https://pay.example/card');
    expect(await page.getByRole('tab').count()).toBe(1);
  });

  test('take control from the agent before they ask', async ({ page, server, mount }) => {
    await mount();
    await button(page, 'Reload').click();
    await server.until(() => server.requests.length === 1);
    expect(server.messages).toEqual([{ type: 'control', action: 'take' }]);
    await page.getByText('You are in control').waitFor();
  });

  test('say why the server refused, and keep what was written', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    server.reply = {
      status: 403,
      body: { error: 'url_blocked', message: 'Addresses of this network are not allowed.' },
    };
    await mount();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('http://10.0.0.1/');
    // The browser tells its own console of each refused request.
    page.removeAllListeners('console');
    await address.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Addresses of this network are not allowed.' }).waitFor();
    expect(await address.inputValue()).toBe('http://10.0.0.1/');
    await button(page, 'Dismiss').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await address.press('Escape');
    expect(await address.inputValue()).toBe('https://tidewater.example/cart');
  });
});
