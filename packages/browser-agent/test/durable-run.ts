import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buyerOf, pageOf } from './fixtures.js';
import { type Mind, type ModelServer, says } from './model-server.js';
import type { Shop } from './shop.js';

/** A buyer who looks whether an order was placed before they place another one. */
export function carefulBuyer(shop: Shop): Mind {
  return asked => {
    const { text } = pageOf(asked);
    const isUnsure = asked.text.includes('It is not known whether its actions were taken');
    if (text.includes('heading "Your orders"'))
      return shop.orders.length > 0
        ? says([{ done: { text: 'It was ordered.', success: true } }])
        : says([{ navigate: { url: shop.cart.length > 0 ? `${shop.url}cart` : shop.url } }]);
    const hasLooked = asked.text.includes('/orders');
    if (isUnsure && !hasLooked && !text.includes('heading "Thank you"'))
      return says([{ navigate: { url: `${shop.url}orders` } }]);
    return buyerOf('Red mug')(asked);
  };
}

export interface ProcessRequest {
  mode: 'start' | 'restart';
  /** Url of the storage: `file:` for LibSQL, `postgresql:` for PostgreSQL. */
  database: string;
  model: ModelServer['model'];
  task: string;
  runId: string;
  threadId: string;
  /** How many milliseconds its clock is ahead. */
  ahead?: number;
}

/** A process of its own that starts a run, or goes on with it. `ended` resolves to what it said. */
export function runProcess(request: ProcessRequest): { child: ChildProcess; ended: Promise<string> } {
  const main = join(import.meta.dirname, 'durable-child.mjs');
  const child = spawn(process.execPath, [main, JSON.stringify(request)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      said += chunk;
    });
  return { child, ended: once(child, 'close').then(() => said) };
}
