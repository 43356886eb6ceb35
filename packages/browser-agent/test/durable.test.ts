import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carefulBuyer, runProcess } from './durable-run.js';
import { ModelServer } from './model-server.js';
import { Shop } from './shop.js';

const server = new ModelServer();
const shop = new Shop();
const careful = carefulBuyer(shop);
const begin = (
  mode: 'start' | 'restart',
  order: { database: string; runId: string; threadId: string; ahead?: number },
) => runProcess({ mode, ...order, model: server.model, task: `Buy the red mug at ${shop.url}` });
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browser-agent-durable-'));
  await Promise.all([server.start(), shop.start()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), shop.stop()]);
  await rm(folder, { recursive: true, force: true });
});

describe('a run whose process is killed', () => {
  const moments: [name: string, at: (kill: () => void) => void][] = [
    ['while the model thinks about its first step', kill => atQuestion(0, kill)],
    ['as the shop gets the order', kill => atRequest('POST /order', kill)],
    ['as the page after the order loads', kill => atRequest('GET /thanks', kill)],
  ];
  test.each(moments)('%s goes on in another one, and orders once', async (name, at) => {
    shop.reset();
    server.thinks(careful);
    const order = { database: `file:${join(folder, `${name.replace(/\W/g, '-')}.db`)}`, runId: 'run', threadId: 'ann' };
    const first = begin('start', order);
    at(() => first.child.kill('SIGKILL'));
    const before = await first.ended;
    expect(before).toBe('');
    shop.onRequest = () => undefined;
    server.mind = careful;
    // The process that was killed has the browser of its thread for thirty seconds: few of them are left.
    const said = await begin('restart', { ...order, ahead: 25_000 }).ended;
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
