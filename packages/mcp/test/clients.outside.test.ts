import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Buyer, expectPurchase } from './purchase.js';
import { ReceiptShop } from './receipt-shop.js';
import { type HttpCommand, MAIN, startHttp } from './started.js';

const shop = new ReceiptShop();
let shared: HttpCommand;
beforeAll(async () => {
  await shop.start();
  shared = await startHttp({ flags: ['--shared'] });
});
afterAll(async () => {
  await Promise.all([shared.stop(), shop.stop()]);
});

function inspector(...server: string[]): Buyer & { list(): Promise<unknown> } {
  const bin = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
  const main = new URL('./clients/launcher/build/index.js', `file://${bin}`).pathname;
  const run = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--cli', ...server, ...args]);
    return JSON.parse(stdout);
  };
  return {
    call: (tool, input) => {
      const given = Object.entries(input).map(([key, value]) => {
        return `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
      });
      const args = given.length === 0 ? [] : ['--tool-arg', ...given];
      return run('--method', 'tools/call', '--tool-name', tool, ...args);
    },
    list: () => run('--method', 'tools/list'),
    close: async () => undefined,
  };
}

describe('a purchase with its receipt', () => {
  it('is made by the command line of the inspector', async () => {
    // Each call of it is a connection of its own: what it did is there for the next call in a browser that all share.
    await expectPurchase(inspector(shared.url), shop);
  });
});

it('the command line of the inspector lists and calls tools over stdio', async () => {
  const { list, call } = inspector(process.execPath, MAIN);
  expect(await list()).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'browser_click' })]),
  });
  expect(JSON.stringify(await call('browser_navigate', { url: shop.url }))).toContain('Buy the Red mug');
});
