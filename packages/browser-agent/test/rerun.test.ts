import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AgentHistory, detectVariables, toCode, toWorkflow } from '../src/index.js';
import { buyerOf, stage } from './fixtures.js';
import { type Mind, says } from './model-server.js';
import type { ShopOptions } from './shop.js';

const { server, shop, browser, agent } = stage();

async function recorded(): Promise<AgentHistory> {
  shop.reset();
  const { history, success } = await agent(buyerOf('Red mug')).run({ task: 'Buy the red mug', url: shop.url }).result;
  expect(success).toBe(true);
  shop.reset();
  server.thinks(() => ({ status: 500 }));
  return JSON.parse(JSON.stringify(history));
}

describe('a recorded task', () => {
  const shops: [string, ShopOptions][] = [
    ['in the same shop', {}],
    ['with other markup, a banner and the fields in another order', { changed: true }],
    ['on slow pages', { slow: 700 }],
    [
      'with other prices and goods',
      {
        goods: [
          ['Grey vase', '$30.00'],
          ['Red mug', '$11.25'],
          ['Blue mug', '$1.00'],
        ],
      },
    ],
  ];
  test.each(shops)('is done again without a model %s', async (_, options) => {
    const history = await recorded();
    shop.reset(options);
    const result = await agent(() => ({ status: 500 })).rerun(history);
    expect(result).toMatchObject({ success: true, stopReason: 'done' });
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
    expect(server.asked).toEqual([]);
  });

  test('is done again with other values', async () => {
    const history = await recorded();
    expect(Object.values(detectVariables(history)).map(({ name, kind }) => [name, kind])).toEqual([
      ['origin', 'origin'],
      ['full_name', 'name'],
      ['email', 'email'],
    ]);
    await agent(() => '').rerun(history, { variables: { full_name: 'Bo Ek', email: 'bo@example.com' } });
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Bo Ek', email: 'bo@example.com' }]);
    await expect(agent(() => '').rerun(history, { variables: { nick: 'x' } })).rejects.toThrow(
      /no variable nick.*full_name/,
    );
  });

  test('stops where the control is gone, and says what it looked for and what it found', async () => {
    const history = await recorded();
    shop.reset({
      goods: [
        ['Blue mug', '$12.00'],
        ['Green bowl', '$20.00'],
      ],
    });
    const { success, stopReason, problem } = await agent(() => '').rerun(history);
    expect([success, stopReason]).toEqual([false, 'drift']);
    expect(problem).toMatch(/button "Add to cart" in "Red mug.*stands in "Blue mug/);
    expect([shop.cart, shop.orders]).toEqual([[], []]);
  });

  test('lets a model do the one step that cannot be told, when it is asked to', async () => {
    const history = await recorded();
    shop.reset({
      goods: [
        ['Red mug with a handle', '$9.50'],
        ['Green bowl', '$20.00'],
      ],
    });
    const looksFirst: Mind = asked => {
      const looks = [{ find: { text: 'Red mug' } }, { scroll: { direction: 'down' } }];
      return asked.n === 0 ? says(looks) : buyerOf('Red mug')(asked);
    };
    const result = await agent(looksFirst).rerun(history, { onDrift: 'ask-model' });
    expect(result.success).toBe(true);
    expect(result.steps.filter(({ isHealed }) => isHealed)).toHaveLength(1);
    expect(shop.orders[0]?.items).toEqual(['Red mug with a handle']);
  });

  test('is a workflow of Mastra, with its variables as input', async () => {
    const history = await recorded();
    const workflow = toWorkflow(history, { browser, variables: ['email'] });
    const run = await workflow.createRun();
    const result = await run.start({ inputData: { email: 'cy@example.com' } as never });
    expect(result.status).toBe('success');
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'cy@example.com' }]);
    shop.reset({ goods: [] });
    const failed = await (await workflow.createRun()).start({ inputData: {} as never });
    expect(failed.status).toBe('failed');
  });

  test('is no source of another kind', async () => {
    const history = { version: 1, runId: 'r', threadId: 't', task: 'x', steps: [] } as const;
    expect(() => toCode({ ...history, steps: [] }, { as: 'pyton' as never })).toThrow(
      /as must be 'mastra' or 'playwright', not "pyton"/,
    );
  });

  test('is source that runs, for Playwright and for Mastra', async () => {
    const history = await recorded();
    const folder = await mkdtemp(join(import.meta.dirname, 'exported-'));
    try {
      await writeFile(join(folder, 'playwright.ts'), toCode(history, { as: 'playwright' }));
      await writeFile(join(folder, 'mastra.ts'), toCode(history, { as: 'mastra' }));
      const { chromium } = await import('playwright-core');
      const running = await chromium.launch({
        executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
        args: ['--no-sandbox'],
      });
      try {
        const { run } = (await import(join(folder, 'playwright.ts'))) as {
          run(page: unknown, given: object): Promise<void>;
        };
        await run(await running.newPage(), { email: 'pw@example.com' });
      } finally {
        await running.close();
      }
      const { recordedTask } = (await import(join(folder, 'mastra.ts'))) as {
        recordedTask(toolset: unknown): ReturnType<typeof toWorkflow>;
      };
      const started = await (await recordedTask(browser).createRun()).start({
        inputData: { email: 'mastra@example.com' } as never,
      });
      expect(started.status).toBe('success');
      expect(shop.orders.map(({ email }) => email)).toEqual(['pw@example.com', 'mastra@example.com']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
