import type { Page, Request, WebSocket } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from './fixtures.js';

const ANSWER = 'The tab is closed, and the shop is open again.';

/** What a window holds open of its server. */
class Connections {
  readonly sockets = new Set<WebSocket>();
  readonly requests = new Set<Request>();
  mostSockets = 0;

  constructor(page: Page) {
    page.on('websocket', socket => {
      this.sockets.add(socket);
      this.mostSockets = Math.max(this.mostSockets, this.sockets.size);
      socket.on('close', () => this.sockets.delete(socket));
    });
    page.on('request', request => this.requests.add(request));
    page.on('requestfinished', request => this.requests.delete(request));
    page.on('requestfailed', request => this.requests.delete(request));
  }
}

test('the live view can be seen as it is over a slow line', async ({ page, playground }) => {
  const sockets: string[] = [];
  page.on('websocket', socket => sockets.push(new URL(socket.url()).pathname));
  await page.goto(`${playground.url}/?line=1mbit#/scripted/far-away`);
  await page.getByRole('main').getByRole('button', { name: 'Read the terms' }).click();
  await page.getByText(ANSWER).first().waitFor();
  expect(sockets).toContain('/line/1mbit/browser/scripted/stream');
  const browser = page.getByRole('region', { name: 'Browser' });
  await browser.getByText('Live', { exact: true }).waitFor();
  await browser.locator('canvas[data-frames]').waitFor();
  await browser.getByRole('button', { name: 'Take control' }).click();
  await browser.getByText('You are in control').waitFor();
});

describe('six windows at once', () => {
  test('each do a task and show its answer, over two connections that last', async ({ context, playground }) => {
    const agents = ['scripted', 'browser-agent'];
    const windows = [];
    for (let count = 0; count < 6; count++) {
      const page = await context.newPage();
      const connections = new Connections(page);
      await page.goto(`${playground.url}/#/${agents[count % 2]}/window-${count}`);
      await page.getByRole('main').getByRole('button', { name: 'Read the terms' }).waitFor();
      windows.push({ page, connections });
    }
    await Promise.all(
      windows.map(({ page }) => page.getByRole('main').getByRole('button', { name: 'Read the terms' }).click()),
    );
    await Promise.all(windows.map(({ page }) => page.getByText(ANSWER).first().waitFor()));
    for (const { connections } of windows) {
      await expect.poll(() => [...connections.requests].map(request => request.url())).toEqual([]);
      expect(connections.mostSockets).toBeLessThanOrEqual(2);
      const paths = [...connections.sockets].map(socket => new URL(socket.url()).pathname);
      expect(paths.filter(path => path === '/playground/events')).toHaveLength(1);
    }
  });
});
