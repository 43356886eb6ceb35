import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { refIn, textOf } from './connected.js';
import { BROKEN_TARGETS, statusOfRaw } from './raw-request.js';
import { site } from './site.js';

const MAIN = new URL('../dist/cli/main.js', import.meta.url).pathname;
const url = site({
  '/': `<title>Counter</title><button style="position:fixed;inset:0" onclick="this.textContent = 'Pressed ' + (++window.n)">Press</button><script>n = 0</script>`,
});

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' });
});
afterAll(() => browser.close());

const open: Client[] = [];
afterEach(() => Promise.all(open.splice(0).map(client => client.close())));

/** A client of the command, and what the command told on standard error. */
async function started(...flags: string[]) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, ...flags], stderr: 'pipe' });
  let told = '';
  transport.stderr?.on('data', chunk => {
    told += chunk;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  open.push(client);
  await expect.poll(() => told).toContain('live view: http://127.0.0.1:');
  return { client, address: /http:\S+/.exec(told)?.[0] ?? '' };
}

async function viewer(address: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(address);
  return page;
}

describe('the live view', () => {
  it('shows the browser of the client, lets a person take over, and the client is told of it', async () => {
    const { client, address } = await started('--live');
    const page = await viewer(address);
    const opened = await client.callTool({ name: 'browser_navigate', arguments: { url: url('/') } });
    await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual([expect.stringContaining('Counter')]);
    await page.getByRole('button', { name: /take control/i }).click();
    const frame = await page.locator('canvas').boundingBox();
    if (frame === null) throw new Error('no frame is shown');
    await page.mouse.click(frame.x + frame.width / 2, frame.y + frame.height / 2);
    await page.getByRole('button', { name: /hand back|release|give back/i }).click();
    const result = await client.callTool({ name: 'browser_hover', arguments: { ref: refIn(opened, 'Press') } });
    expect(textOf(result)).toContain('Pressed 1');
    expect(result.structuredContent).toMatchObject({ humanActions: expect.anything() });
    await page.close();
  });

  it('is a resource with a fresh address', async () => {
    const { client } = await started('--live');
    const { contents } = await client.readResource({ uri: 'browser://live' });
    const page = await viewer((contents[0] as { text: string }).text);
    await client.callTool({ name: 'browser_navigate', arguments: { url: url('/') } });
    await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual([expect.stringContaining('Counter')]);
    await page.close();
  });

  it('shows nothing to whoever has no address', async () => {
    const { client, address } = await started('--live');
    await client.callTool({ name: 'browser_navigate', arguments: { url: url('/') } });
    const thread = new URLSearchParams(new URL(address).hash.slice(1)).get('thread');
    const sessions = new URL(`/browser/browser/tabs?threadId=${thread}`, address);
    expect((await fetch(sessions)).status).toBe(401);
    expect((await fetch(new URL('/../package.json', address))).status).toBe(404);
  });
  it('is ended by no request', async () => {
    const { client, address } = await started('--live');
    for (const target of BROKEN_TARGETS) expect([400, 404]).toContain(await statusOfRaw(address, target));
    expect((await fetch(address)).status).toBe(200);
    expect((await client.callTool({ name: 'browser_navigate', arguments: { url: url('/') } })).isError).toBeFalsy();
  });
});
