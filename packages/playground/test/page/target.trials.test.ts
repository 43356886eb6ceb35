import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import { test } from './fixtures.js';
import { runTool } from './run-tool.js';

const CLICKS = trials.size({ slice: 20, full: 100 });
const SIZE = 5;

/** A target of five pixels that is elsewhere after each press, wherever that went. */
const TARGET = `<!doctype html><title>Target</title><link rel="icon" href="data:,">
  <body style="margin: 0"><i id="target" style="position: absolute; width: ${SIZE}px; height: ${SIZE}px; background: red"></i>
  <script>
    let count = 0;
    const place = () => {
      target.style.left = (count * 197) % (innerWidth - ${SIZE}) + 'px';
      target.style.top = (count * 131) % (innerHeight - ${SIZE}) + 'px';
      const { left, top } = target.getBoundingClientRect();
      return { left, top, width: innerWidth, height: innerHeight };
    };
    const tell = (path, told) => fetch(path, { method: 'POST', body: JSON.stringify(told) });
    addEventListener('mousedown', event => {
      const isHit = event.target === target;
      count++;
      tell('/pressed', { isHit, ...place() });
    });
    tell('/shown', place());
  </script>`;

/** Where the target is in the viewport of its page, and whether the press before hit it. */
interface Told {
  isHit?: boolean;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Serves the target; each call of `told` answers with what the page tells next. */
async function serveTarget(): Promise<{ url: string; told(): Promise<Told> }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(TARGET);
    let body = '';
    for await (const part of request) body += part;
    response.end();
    server.emit('told', JSON.parse(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    told: async () => (await once(server, 'told'))[0] as Told,
  };
}

/** The middle of the target as the live view shows it: the picture stands in the panel with bars beside or above it. */
async function middleOf(page: Page, { left, top, width, height }: Told): Promise<[number, number]> {
  const shown = (await page.locator('canvas').first().boundingBox()) ?? expect.fail('no picture is shown');
  return [shown.x + ((left + SIZE / 2) / width) * shown.width, shown.y + ((top + SIZE / 2) / height) * shown.height];
}

test(`a person hits a target of five pixels in the live view ${CLICKS} times of ${CLICKS}`, async ({ page }) => {
  const { url, told } = await serveTarget();
  const shown = told();
  await runTool(page, 'navigate', form => form.getByLabel('url').fill(url));
  await page.getByRole('tab', { name: 'Live' }).click();
  let at = await shown;
  await page.getByRole('button', { name: 'Take control' }).click();
  await page.getByText('You are in control').waitFor();
  await page.locator('canvas[data-frames]').first().waitFor();
  const picture = await page.locator('canvas').first().boundingBox();
  expect(picture?.width).toBeLessThan(at.width * 0.8);
  let hits = 0;
  for (let click = 0; click < CLICKS; click++) {
    const pressed = told();
    await page.mouse.click(...(await middleOf(page, at)));
    at = await pressed;
    if (at.isHit) hits++;
  }
  expect(hits).toBe(CLICKS);
});
