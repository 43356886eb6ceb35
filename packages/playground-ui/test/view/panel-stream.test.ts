import { describe, expect } from 'vitest';
import { test } from '../page/fixtures.js';
import { VIEWPORT } from '../page/live-server.js';
import { button } from '../page/panel-parts.js';

const VIEWPORT_MESSAGE = { viewport: VIEWPORT };

describe('a stream that is not live', () => {
  test('comes back by itself after the server was lost', async ({ page, server, mount }) => {
    await mount();
    const before = server.streams.length;
    server.drop();
    await server.until(() => server.streams.length > before && server.viewers === 1);
    await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
    expect(server.streams.at(-1)).toBe('/browser/shopper/stream?threadId=thread-1&frames=video');
  });

  test('asks no more for what was answered while it was away', async ({ page, server, mount }) => {
    await mount();
    server.say({ question: { id: 'q1', threadId: 'thread-1', question: 'Which mug?' } });
    server.say({ dialog: { type: 'confirm', message: 'Leave the shop?' } });
    await page.getByText('Which mug?').waitFor();
    await page.getByText('Leave the shop?').waitFor();
    const before = server.streams.length;
    server.drop();
    await server.until(() => server.streams.length > before && server.viewers === 1);
    await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
    expect(await page.getByText('Which mug?').count()).toBe(0);
    expect(await page.getByText('Leave the shop?').count()).toBe(0);
  });

  test('says that the browser is closed, and launches it again', async ({ page, server, mount }) => {
    await mount();
    server.say({ status: 'browser_closed' });
    await button(page, 'Relaunch').click();
    await server.until(() => server.messages.length === 1);
    expect(server.messages).toEqual([{ type: 'relaunch' }]);
    server.say({ status: 'browser_starting' });
    await page.getByText('Starting the browser…').waitFor();
    server.say({ status: 'streaming' }, VIEWPORT_MESSAGE);
    await page.getByText('Waiting for the page…').waitFor();
  });

  for (const [code, reason, text] of [
    [4403, '', 'You are not allowed to watch this browser.'],
    [4404, '', 'There is no such agent or thread.'],
    [1008, 'Too many messages.', 'Too many messages.'],
  ] as const) {
    test(`says what close code ${code} means and does not try again by itself`, async ({ page, server, mount }) => {
      await mount();
      const before = server.streams.length;
      server.drop(code, reason);
      await page.getByText(text).waitFor();
      expect(server.streams.length).toBe(before);
      await button(page, 'Try again now').click();
      await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
    });
  }

  test('says why the server did not open it, which a browser hides', async ({ page, server, mount }) => {
    await mount();
    const before = server.streams.length;
    server.refusal = { status: 401, body: { error: 'invalid_token', message: 'The token is expired.' } };
    // The browser tells its own console of each refused request.
    page.removeAllListeners('console');
    server.drop();
    await page.getByText('The token is expired.').waitFor();
    expect(server.streams.length).toBe(before);
    server.refusal = undefined;
    await button(page, 'Try again now').click();
    await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
  });

  test('is closed with the component', async ({ page, server, mount }) => {
    await mount();
    await page.evaluate(() => window.unmount());
    await server.until(() => server.viewers === 0);
  });
});
