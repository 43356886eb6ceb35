import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newContext } from '../../playground-ui/test/chromium.js';
import { refIn, textOf } from './connected.js';
import { BROKEN_TARGETS, statusOfRaw } from './raw-request.js';
import { site } from './site.js';
import { MAIN } from './started.js';

const url = site({
  '/': `<title>Counter</title><button style="position:fixed;inset:0" onclick="this.textContent = 'Pressed ' + (++window.n)">Press</button><script>n = 0</script>`,
});

/** A client of the command, and the address that the command told on standard error. */
let client: Client;
let address: string;
beforeAll(async () => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, '--live'], stderr: 'pipe' });
  const { promise: told, resolve } = Promise.withResolvers<string>();
  createInterface({ input: transport.stderr as Readable }).on('line', line => {
    const shown = /live view: (http:\S+)/.exec(line)?.[1];
    if (shown !== undefined) resolve(shown);
  });
  client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  address = await told;
});
afterAll(() => client.close());

async function viewer(opened: string): Promise<Page> {
  const context = await newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(opened);
  return page;
}

describe('the live view', () => {
  it('shows the browser of the client, lets a person take over, and the client is told of it', async () => {
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
  });

  it('is a resource with a fresh address', async () => {
    const { contents } = await client.readResource({ uri: 'browser://live' });
    const page = await viewer((contents[0] as { text: string }).text);
    await client.callTool({ name: 'browser_navigate', arguments: { url: url('/') } });
    await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual([expect.stringContaining('Counter')]);
  });

  it('shows nothing to whoever has no address', async () => {
    await client.callTool({ name: 'browser_navigate', arguments: { url: url('/') } });
    const thread = new URLSearchParams(new URL(address).hash.slice(1)).get('thread');
    const sessions = new URL(`/browser/browser/tabs?threadId=${thread}`, address);
    expect((await fetch(sessions)).status).toBe(401);
    expect((await fetch(new URL('/../package.json', address))).status).toBe(404);
  });

  it('is ended by no request', async () => {
    for (const target of BROKEN_TARGETS) expect([400, 404]).toContain(await statusOfRaw(address, target));
    expect((await fetch(address)).status).toBe(200);
    expect((await client.callTool({ name: 'browser_navigate', arguments: { url: url('/') } })).isError).toBeFalsy();
  });
});
