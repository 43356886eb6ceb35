import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { type AgentHistory, defineAction, detectVariables, toCode, toWorkflow } from '../src/index.js';
import { buyerOf, pageOf, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';
import type { ShopOptions } from './shop.js';

const PASSWORD = 'correct-horse';
const { server, shop, browser, agent } = stage({
  secrets: { PASSWORD: { value: PASSWORD, domains: ['127.0.0.1'] } },
});

async function recorded(): Promise<AgentHistory> {
  shop.reset();
  const { history, success } = await agent(buyerOf('Red mug')).run({ task: 'Buy the red mug', url: shop.url }).result;
  expect(success).toBe(true);
  shop.reset();
  server.thinks(() => ({ status: 500 }));
  return JSON.parse(JSON.stringify(history));
}

/** Runs the export for Playwright in a browser of its own. */
async function runPlaywright(history: AgentHistory, folder: string, given: object = {}): Promise<void> {
  await writeFile(join(folder, 'playwright.ts'), toCode(history, { as: 'playwright' }));
  const { chromium } = await import('playwright-core');
  const running = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const { run } = (await import(join(folder, 'playwright.ts'))) as {
      run(page: unknown, given: object): Promise<void>;
    };
    await run(await running.newPage(), given);
    // What the last action has set off may still be on its way.
    await running.contexts()[0]?.pages().at(-1)?.waitForLoadState('networkidle');
  } finally {
    await running.close();
  }
}

// A rerun that stops has looked for its element for a while.
describe('one of several that read alike in the same row', { timeout: 120_000 }, () => {
  /** A table with a row for the chair and one for the lamp, which have the same buttons. */
  const goods = (...buttons: string[]): string => {
    const row = (name: string): string =>
      `<tr><td>${name}</td>${buttons.map(each => `<td>${each.replace('PATH', name)}</td>`).join('')}</tr>`;
    return `<title>Goods</title><table>${row('Chair')}${row('Lamp')}</table>`;
  };
  const button = (kind: string): string => `<button onclick="fetch('/PATH/${kind}')">Save</button>`;
  const inParagraph = `<p>${button('paragraph')}</p>`;
  const inDiv = `<div>${button('div')}</div>`;

  /** A history in which the last of the buttons of the lamp was pressed. */
  async function pressedLast(page: string): Promise<AgentHistory> {
    shop.reset({ pages: { '/goods': page } });
    const mind: Mind = asked => {
      const refs = [...pageOf(asked).text.matchAll(/button "Save" (@e\d+)/g)];
      return says([asked.n === 0 ? { click: { ref: refs.at(-1)?.[1] } } : { done: { text: '', success: true } }]);
    };
    const { history } = await agent(mind).run({ task: 'x', url: `${shop.url}goods` }).result;
    return history;
  }

  /** The requests of the buttons that a rerun pressed, and what it says. */
  async function again(history: AgentHistory, page: string) {
    shop.reset({ pages: { '/goods': page } });
    const pressed: string[] = [];
    shop.onRequest = path => void (path.startsWith('GET /goods') || pressed.push(path));
    const { stopReason, problem } = await agent(() => '').rerun(history);
    shop.onRequest = () => undefined;
    return { stopReason, problem, pressed };
  }

  test('is the one at its place, as long as its path does not speak against that', async () => {
    const history = await pressedLast(goods(inParagraph, inDiv));
    expect(history.steps[1]?.results[0]?.elements?.ref).toMatchObject({
      row: 'Lamp',
      tag: 'button',
      path: 'table > tbody > tr:nth-of-type(2) > td:nth-of-type(3) > div > button',
      index: 1,
      count: 2,
    });
    const same = await again(history, goods(inParagraph, inDiv));
    expect(same).toEqual({ stopReason: 'done', problem: undefined, pressed: ['GET /Lamp/div'] });
    const wrapped = await again(history, `<main>${goods(inParagraph, `<section>${inDiv}</section>`)}</main>`);
    expect(wrapped).toMatchObject({ stopReason: 'done', pressed: ['GET /Lamp/div'] });
    const swapped = await again(history, goods(inDiv, inParagraph));
    expect(swapped).toMatchObject({ stopReason: 'drift', pressed: [] });
    expect(swapped.problem).toMatch(
      /^button "Save" in "Lamp": there are 2, and there were 2, in another order: it was number 2, at table > /,
    );
  });

  test('is told by its path alone where there are others now, unless one of these is of its kind', async () => {
    const history = await pressedLast(goods(inDiv));
    const beside = await again(history, goods(inDiv, inParagraph));
    expect(beside).toMatchObject({ stopReason: 'done', pressed: ['GET /Lamp/div'] });
    const alike = await again(history, goods(inDiv, inDiv));
    expect(alike).toMatchObject({ stopReason: 'drift', pressed: [] });
    expect(alike.problem).toBe('button "Save" in "Lamp": there are 2, and there were 1');
  });

  test('never stands in another row, whatever its path', async () => {
    const history = await pressedLast(goods(inDiv));
    const moved = await again(history, goods(inDiv).replace('Lamp', 'Desk'));
    expect(moved).toMatchObject({ stopReason: 'drift', pressed: [] });
  });
});

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

  test('with a secret, a search, another tab and a dialog runs as source too, and as a workflow with own actions', async () => {
    const pages = {
      '/start': `<title>Start</title><label>Password <input oninput="fetch('/got-' + this.value, { keepalive: true })"></label>`,
      '/find': '<title>Found</title><a href="/two" target="_blank">Two</a>',
      '/two': '<title>Two</title><button onclick="if (confirm(`Sure?`)) fetch(`/sent`)">Send</button>',
    };
    shop.reset({ pages });
    const noted: string[] = [];
    const note = defineAction({
      name: 'note',
      description: 'Note it',
      input: z.object({}),
      run: async () => String(noted.push('note')),
    });
    const mind: Mind = asked => {
      const shown = pageOf(asked);
      const steps = [
        () => [
          { type: { ref: refOn(shown, 'textbox', 'Password'), text: '<secret>PASSWORD</secret>' } },
          { search: { query: 'red & blue' } },
        ],
        () => [{ click: { ref: refOn(shown, 'link', 'Two') } }],
        () => [{ tabs: { action: 'switch', tab: 't2' } }],
        () => [{ click: { ref: refOn(shown, 'button', 'Send') } }],
        () => [{ dialog: { action: 'accept' } }],
        () => [{ note: {} }, { done: { text: '', success: true } }],
      ];
      return says(steps[asked.n]?.() ?? []);
    };
    const one = agent(mind, { searchUrl: `${shop.url}find?q=%s`, actions: [note] });
    const { history, success } = await one.run({ task: 'x', url: `${shop.url}start` }).result;
    expect(success).toBe(true);
    const requests: string[] = [];
    shop.onRequest = path => void requests.push(path);
    const all = [`GET /got-${PASSWORD}`, 'GET /find', 'GET /two', 'GET /sent'];
    const sent = async (): Promise<void> => {
      await expect.poll(() => requests).toEqual(expect.arrayContaining(all));
      requests.length = 0;
    };

    const workflow = toWorkflow(history, { browser, actions: [note] });
    expect((await (await workflow.createRun()).start({ inputData: {} as never })).status).toBe('success');
    expect(noted).toHaveLength(2);
    await sent();

    for (const as of ['playwright', 'mastra'] as const)
      expect(() => toCode(history, { as })).toThrow(/^Step 6: .*note/);
    const [, ...withoutNote] = history.steps.toReversed();
    const exported = { ...history, steps: withoutNote.toReversed() };
    const folder = await mkdtemp(join(import.meta.dirname, 'exported-'));
    try {
      process.env.PASSWORD = PASSWORD;
      await runPlaywright(exported, folder);
      await sent();
      await writeFile(join(folder, 'mastra.ts'), toCode(exported, { as: 'mastra' }));
      const { recordedTask } = (await import(join(folder, 'mastra.ts'))) as {
        recordedTask(toolset: unknown): ReturnType<typeof toWorkflow>;
      };
      const started = await (await recordedTask(browser).createRun()).start({ inputData: {} as never });
      expect(started.status).toBe('success');
      await sent();
    } finally {
      delete process.env.PASSWORD;
      shop.onRequest = () => undefined;
      await rm(folder, { recursive: true, force: true });
    }
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
      await writeFile(join(folder, 'mastra.ts'), toCode(history, { as: 'mastra' }));
      await runPlaywright(history, folder, { email: 'pw@example.com' });
      const { recordedTask } = (await import(join(folder, 'mastra.ts'))) as {
        recordedTask(toolset: unknown): ReturnType<typeof toWorkflow>;
      };
      const started = await (await recordedTask(browser).createRun()).start({
        inputData: { email: 'mastra@example.com' } as never,
      });
      expect(started.status).toBe('success');
      expect(shop.orders.map(({ email }) => email)).toEqual(['pw@example.com', 'mastra@example.com']);
      // Of two that are alike none is taken where there was one.
      shop.reset({ goods: ['Red mug', 'Red mug'].map(name => [name, '$9.50']) });
      const { status } = await (await recordedTask(browser).createRun()).start({ inputData: {} as never });
      expect([status, shop.cart]).toEqual(['failed', []]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
