import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buyerOf, pageOf } from './fixtures.js';
import { type Mind, ModelServer, says } from './model-server.js';
import { Shop } from './shop.js';

const server = new ModelServer();
const shop = new Shop();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browser-agent-durable-'));
  await Promise.all([server.start(), shop.start()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), shop.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** A buyer who looks whether an order was placed before they place another one. */
const careful: Mind = asked => {
  const { text } = pageOf(asked);
  const isUnsure = asked.text.includes('is not known: see on the page');
  if (text.includes('heading "Your orders"'))
    return shop.orders.length > 0
      ? says([{ done: { text: 'It was ordered.', success: true } }])
      : says([{ navigate: { url: shop.cart.length > 0 ? `${shop.url}cart` : shop.url } }]);
  const hasLooked = asked.text.includes('/orders');
  if (isUnsure && !hasLooked && !text.includes('heading "Thank you"'))
    return says([{ navigate: { url: `${shop.url}orders` } }]);
  return buyerOf('Red mug')(asked);
};

interface Order {
  database: string;
  runId: string;
  threadId: string;
}

function begin(mode: 'start' | 'restart', order: Order): { child: ChildProcess; ended: Promise<string> } {
  const given = { mode, ...order, model: server.model, task: `Buy the red mug at ${shop.url}` };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'durable-child.mjs'), JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1' },
  });
  let said = '';
  child.stdout?.on('data', chunk => {
    said += chunk;
  });
  child.stderr?.on('data', chunk => {
    said += chunk;
  });
  return { child, ended: once(child, 'close').then(() => said) };
}

describe('a run whose process is killed', () => {
  const moments: [name: string, at: (kill: () => void) => void][] = [
    ['while the model thinks about its first step', kill => atQuestion(0, kill)],
    ['as the shop gets the order', kill => atRequest('POST /order', kill)],
    ['as the page after the order loads', kill => atRequest('GET /thanks', kill)],
  ];
  test.each(moments)('%s goes on in another one, and orders once', { timeout: 120_000 }, async (name, at) => {
    shop.reset();
    server.thinks(careful);
    const order = { database: join(folder, `${name.replace(/\W/g, '-')}.db`), runId: 'run', threadId: 'ann' };
    const first = begin('start', order);
    at(() => first.child.kill('SIGKILL'));
    const before = await first.ended;
    expect(before).toBe('');
    shop.onRequest = () => undefined;
    server.mind = careful;
    const said = await begin('restart', order).ended;
    expect(said).toContain('"status":"success"');
    const { result } = JSON.parse(said) as { result: { success: boolean; history: { steps: { step: number }[] } } };
    expect(result, JSON.stringify(result, null, 1).slice(0, 6000)).toMatchObject({ success: true });
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
    expect(result.history.steps.map(({ step }) => step)).toEqual(result.history.steps.map((_, i) => i));
  });
});

function atQuestion(n: number, kill: () => void): void {
  server.mind = asked => {
    if (asked.n < n) return careful(asked);
    kill();
    return { does: 'hang' };
  };
}

function atRequest(wanted: string, kill: () => void): void {
  shop.onRequest = path => {
    if (path === wanted) kill();
  };
}
