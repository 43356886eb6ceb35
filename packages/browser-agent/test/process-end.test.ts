import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buyerOf } from './fixtures.js';
import { type Answer, type Mind, ModelServer } from './model-server.js';
import { Shop } from './shop.js';

const server = new ModelServer();
const shop = new Shop();
beforeAll(async () => {
  await Promise.all([server.start(), shop.start()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), shop.stop()]);
});

interface Options {
  modelTimeout?: number;
  /** The event upon which the run is stopped. */
  stopAfter?: string;
}

/** How a process ended that ran an agent with this model and closed its toolset, and what it left behind. */
async function ended(mind: Mind, { modelTimeout = 20, stopAfter }: Options = {}) {
  // What it starts knows the folder by its environment, and leaves its files there.
  const folder = await mkdtemp(join(tmpdir(), 'browser-agent-process-'));
  shop.reset();
  let running: string[] = [];
  shop.onRequest = () => {
    running = processesWith(folder);
  };
  const request = { model: server.thinks(mind), task: `Buy the red mug at ${shop.url}`, modelTimeout, stopAfter };
  try {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'hostile-child.mjs'), JSON.stringify(request)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: folder, MASTRA_TELEMETRY_DISABLED: '1' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    let errors = '';
    child.stdout.on('data', chunk => (said += chunk));
    child.stderr.on('data', chunk => (errors += chunk));
    const [code, signal] = await once(child, 'close');
    expect({ code, signal, errors }).toEqual({ code: 0, signal: null, errors: '' });
    // Itself and its browser: what is left behind would be seen.
    if (process.platform === 'linux') expect(running.length).toBeGreaterThan(1);
    return { ...(JSON.parse(said) as { stopReason: string; problem?: string }), processes: processesWith(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Command lines of processes that have a text in their environment. Linux alone tells. */
function processesWith(text: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(id => {
      try {
        const has = readFileSync(`/proc/${id}/environ`, 'utf8').includes(text);
        return has ? readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ') : [];
      } catch {
        // It has ended meanwhile, or is another user's.
        return [];
      }
    });
}

describe('a process whose toolset is closed ends by itself, with no browser left, after a run with a model that', () => {
  const hostile: [name: string, answer: Answer, options: Options][] = [
    ['hangs', { does: 'hang' }, { modelTimeout: 0.3 }],
    ['drops its connection', { does: 'drop' }, {}],
    ['breaks off in the midst of its answer', { does: 'half' }, {}],
  ];
  test.each(hostile)('%s', async (_, answer, options) => {
    expect(await ended(() => answer, options)).toEqual({
      stopReason: 'failures',
      problem: expect.stringContaining('The model failed'),
      processes: [],
    });
  });

  const stopped: [name: string, answer: Answer, stopAfter: string][] = [
    ['hangs when the run is stopped', { does: 'hang' }, 'looked'],
    ['is waited for when the run is stopped', { status: 429, headers: { 'retry-after': '3600' } }, 'model-failed'],
  ];
  test.each(stopped)('%s', async (_, answer, stopAfter) => {
    const result = await ended(() => answer, { stopAfter });
    expect(result).toEqual({ stopReason: 'stopped', problem: 'It was stopped.', processes: [] });
  });

  test('answers well', async () => {
    expect(await ended(buyerOf('Red mug'))).toEqual({ stopReason: 'done', processes: [] });
    expect(shop.orders).toHaveLength(1);
  });
});
