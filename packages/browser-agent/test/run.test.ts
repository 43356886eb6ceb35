import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { type AgentEvent, loadHistory } from '../src/index.js';
import { buyerOf, pageOf, stage } from './fixtures.js';
import { type Asked, type Mind, refOn, says } from './model-server.js';

const { server, shop, agent } = stage();
const folder = await mkdtemp(join(tmpdir(), 'browser-agent-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a run', () => {
  test('does a task to its end, with each step told and recorded', async () => {
    shop.reset();
    const historyFile = join(folder, 'history.json');
    const run = agent(buyerOf('Red mug')).run({ task: `Buy the red mug at ${shop.url}`, historyFile });
    const seen: AgentEvent['type'][] = [];
    run.onEvent(({ type }) => seen.push(type));
    const steps = [];
    for await (const { title, results } of run) steps.push([title, results.map(({ action }) => action)]);
    const result = await run.result;
    expect(result).toMatchObject({ success: true, stopReason: 'done', result: 'Ordered the Red mug.' });
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
    expect(steps).toEqual([
      ['', ['navigate']],
      ['Shop', ['click']],
      ['Cart', ['click']],
      ['Checkout', ['fill_form', 'click']],
      ['Thanks', ['done']],
    ]);
    expect(seen.filter(type => type === 'step-started')).toHaveLength(4);
    expect(seen.at(-1)).toBe('ended');
    expect(await loadHistory(historyFile)).toEqual(result.history);
    expect(result.history.steps[1]?.results[0]?.elements?.ref).toMatchObject({
      role: 'button',
      name: 'Add to cart',
      tag: 'button',
      path: 'main > ul > li:nth-of-type(2) > form > button',
    });
    expect(result.history.steps[3]?.results[0]?.elements).toMatchObject({
      'fields.0.ref': { name: 'Full name', tag: 'input', path: 'main > form > p:nth-of-type(1) > label > input' },
      'fields.1.ref': { name: 'Email', tag: 'input', path: 'main > form > p:nth-of-type(2) > label > input' },
    });
  });

  test('shows the model the task, what was done and the page, and the same beginning at each step', async () => {
    shop.reset();
    await agent(buyerOf('Blue mug')).run({ task: `Buy the blue mug at ${shop.url}`, addInfos: 'No hurry' }).result;
    const [first, second] = server.asked;
    expect(first?.text).toContain(`<task>\nBuy the blue mug at ${shop.url}\nAdditional information: No hurry\n</task>`);
    expect(first?.text).toContain('Did: navigate');
    expect(second?.text).toMatch(/Goal: Put the Blue mug into the cart\n\[page \w+\]\nDid: click/);
    expect(second?.system).toBe(first?.system);
    const history = (text = ''): string => text.slice(0, text.indexOf('</agent_history>'));
    expect(second?.text.startsWith(history(first?.text))).toBe(true);
  });

  test('gives its result as data of the form that was asked for', async () => {
    shop.reset();
    const mind: Mind = ({ n }) =>
      n === 0
        ? says([{ done: { text: 'x', success: true, data: { price: 'cheap' } } }])
        : says([{ done: { text: 'It costs 9.5', success: true, data: { price: 9.5 } } }]);
    const result = await agent(mind).run({ task: 'Price?', url: shop.url, output: z.object({ price: z.number() }) })
      .result;
    expect(result.output).toEqual({ price: 9.5 });
    expect(server.asked[1]?.text).toMatch(/Your answer did not fit: done: .*expected number/s);
  });

  test('gives data with nulls where its form has them, whatever else is null', async () => {
    const output = z.object({ name: z.string(), price: z.number().nullable(), note: z.string().optional() });
    const result = async (done: object) =>
      (await agent(() => says([{ done }])).run({ task: 'x', output }).result).output;
    const data = { name: 'a', price: null };
    expect(await result({ text: 'x', success: true, data })).toEqual(data);
    expect(await result({ text: 'x', success: true, data, files: null })).toEqual(data);
    expect(await result({ text: 'x', success: true, data: { name: 'a', price: 1, note: null } })).toEqual({
      name: 'a',
      price: 1,
    });
    expect(await result({ text: 'x', success: false, data: null })).toBeUndefined();
  });

  test('marks what is new on the page', async () => {
    const page =
      '<title>T</title><button onclick="document.body.append(Object.assign(document.createElement(`button`), {textContent: `Fresh`}))">More</button>';
    const mind: Mind = asked =>
      asked.n === 0
        ? says([{ click: { ref: refOn(pageOf(asked), 'button', 'More') } }])
        : says([{ done: { text: '', success: true } }]);
    shop.reset({ pages: { '/more': page } });
    await agent(mind).run({ task: 'x', url: `${shop.url}more` }).result;
    expect(server.asked[1]?.text).toMatch(/\n\*button "Fresh" @e\d+\n/);
    expect(server.asked[1]?.text).toMatch(/\nbutton "More" @e\d+/);
  });

  test('marks nothing as new that was there before a dialog, or on a page that was loaded again', async () => {
    const page = `<title>T</title><button onclick="confirm('Sure?')">Ask</button><a href="">Again</a>`;
    const mind: Mind = asked => {
      const shown = pageOf(asked);
      if (asked.n === 0) return says([{ click: { ref: refOn(shown, 'button', 'Ask') } }]);
      if (asked.n === 1) return says([{ dialog: { action: 'accept' } }]);
      if (asked.n === 2) return says([{ click: { ref: refOn(shown, 'link', 'Again') } }]);
      return says([{ done: { text: '', success: true } }]);
    };
    shop.reset({ pages: { '/ask': page } });
    await agent(mind).run({ task: 'x', url: `${shop.url}ask` }).result;
    expect(server.asked[1]?.text).toContain('open dialog: confirm "Sure?"');
    for (const n of [2, 3]) expect(server.asked[n]?.text).toMatch(/\nbutton "Ask" @e\d+/);
  });

  test('reads and looks on where an action led, and presses nothing there', async () => {
    shop.reset();
    const mind: Mind = asked => {
      const shown = pageOf(asked);
      if (asked.n > 0) return says([{ done: { text: 'stopped', success: false } }]);
      return says([
        { click: { ref: refOn(shown, 'link', 'Cart') } },
        { read: {} },
        { find: { text: 'Checkout' } },
        { press: { keys: 'Enter' } },
        { read: {} },
      ]);
    };
    const { history } = await agent(mind).run({ task: 'x', url: shop.url }).result;
    expect(history.steps[1]?.results.map(({ action, metadata }) => [action, metadata?.url])).toEqual([
      ['click', `${shop.url}cart`],
      ['read', `${shop.url}cart`],
      ['find', `${shop.url}cart`],
    ]);
    expect(server.asked[1]?.text).toContain('Skipped: press, read');
  });

  test('shows the text of small pages, of all or of none', async () => {
    const long = '<p>Words that say little.</p>'.repeat(400);
    const text = (name: string): string =>
      `<title>${name}</title><button>Go</button><p>The code of the door is 4711, as ever it was, and nobody knows of another one that would do.</p>`;
    shop.reset({ pages: { '/small': text('Small'), '/large': `${text('Large')}${long}` } });
    const shows = async (fullText: 'small' | 'always' | 'never', page: string): Promise<boolean> => {
      const mind: Mind = () => says([{ done: { text: '', success: true } }]);
      await agent(mind, { fullText, snapshotTokens: 10_000 }).run({ task: 'x', url: `${shop.url}${page}` }).result;
      return server.asked[0]?.text.includes('4711') ?? false;
    };
    expect([await shows('small', 'small'), await shows('small', 'large')]).toEqual([true, false]);
    expect([await shows('always', 'small'), await shows('always', 'large')]).toEqual([true, true]);
    expect([await shows('never', 'small'), await shows('never', 'large')]).toEqual([false, false]);
  });

  test('drops what was meant for the page before, and says so', async () => {
    shop.reset();
    const mind: Mind = asked => {
      const shown = pageOf(asked);
      if (asked.n > 0) return says([{ done: { text: 'stopped', success: false } }]);
      return says([
        { click: { ref: refOn(shown, 'link', 'Cart') } },
        { click: { ref: refOn(shown, 'button', 'Search') } },
      ]);
    };
    const { history, success } = await agent(mind).run({ task: 'x', url: shop.url }).result;
    expect(history.steps[1]?.results.map(({ action }) => action)).toEqual(['click']);
    expect(server.asked[1]?.text).toContain(
      'The remaining actions of the last step were skipped: the page is another one.',
    );
    expect(server.asked[1]?.text).toContain('Skipped: click');
    expect(success).toBe(false);
  });

  test.each<[string, string, (asked: Asked) => object, RegExp]>([
    [
      'where a file came to lie',
      '<a href="data:text/csv,a" download="report.csv">Report</a>',
      asked => ({ click: { ref: refOn(asked, 'link', 'Report') } }),
      /Did: click.*\n {2}Download completed: \/.*report.*, 1 bytes/,
    ],
    [
      'what a field made of a text',
      '<label>Code <input maxlength="3"></label>',
      asked => ({ type: { ref: refOn(asked, 'textbox', 'Code'), text: '12345' } }),
      /Did: type.*The field holds "123"\n {2}This differs from what was typed: "12345"/,
    ],
    [
      'which requests failed',
      '<button onclick="fetch(`/missing`)">Send</button>',
      asked => ({ click: { ref: refOn(asked, 'button', 'Send') } }),
      /Did: click.*\n {2}Failed: GET \/missing 404/,
    ],
  ])('tells the model %s, and not what changed on the page', async (_, page, action, told) => {
    shop.reset({ pages: { '/one': `<title>One</title>${page}` }, missing: ['/missing'] });
    const mind: Mind = asked => says([asked.n === 0 ? action(pageOf(asked)) : { done: { text: '', success: true } }]);
    await agent(mind).run({ task: 'x', url: `${shop.url}one` }).result;
    const [history = ''] = server.asked[1]?.text.split('</agent_history>') ?? [];
    expect(history).toMatch(told);
    expect(history).not.toMatch(/no (?:other )?change seen|^\s*[~+-] /m);
  });

  test("in mode 'flash' asks for memory and actions alone", async () => {
    shop.reset();
    const mind: Mind = asked => {
      const { memory, actions } = buyerOf('Red mug')(asked) as { memory: string; actions: object[] };
      return { memory, actions };
    };
    const { success, history } = await agent(mind, { mode: 'flash' }).run({ task: 'Buy the red mug', url: shop.url })
      .result;
    expect(success).toBe(true);
    expect(shop.orders).toHaveLength(1);
    expect(server.asked[0]?.system).not.toMatch(/evaluation|nextGoal/);
    expect(history.steps[1]?.output).toMatchObject({ memory: 'Nothing yet', evaluation: '', nextGoal: '' });
  });

  test('sees the page where it is asked to, or says little, and never otherwise', async () => {
    shop.reset();
    const done: Mind = () => says([{ done: { text: '', success: true } }]);
    await agent(done, { vision: true }).run({ task: 'x', url: shop.url }).result;
    expect(server.asked[0]?.pictures[0]).toMatch(/^data:image\//);
    await agent(done, { vision: 'auto' }).run({ task: 'x', url: shop.url }).result;
    expect(server.asked[0]?.pictures).toEqual([]);
    await agent(({ n }) => (n === 0 ? says([{ screenshot: {} }]) : done({} as never)), { vision: 'auto' }).run({
      task: 'x',
      url: shop.url,
    }).result;
    expect(server.asked.map(({ pictures }) => pictures.length)).toEqual([0, 1]);
    await agent(done, { vision: false }).run({ task: 'x', url: shop.url }).result;
    expect(server.asked[0]?.system).not.toContain('- screenshot');
  });

  test('is shown the very picture that it took', async () => {
    shop.reset({ pages: { '/tall': '<title>Tall</title><h1>Tall</h1><div style="height: 3000px">Text</div>' } });
    const mind: Mind = ({ n }) =>
      says([n === 0 ? { screenshot: { fullPage: true, format: 'png' } } : { done: { text: '', success: true } }]);
    const { history } = await agent(mind, { vision: 'auto' }).run({ task: 'x', url: `${shop.url}tall` }).result;
    const [path = ''] = history.steps[1]?.results[0]?.images ?? [];
    expect(server.asked[1]?.pictures).toEqual([`data:image/png;base64,${await readFile(path, 'base64')}`]);
  });
});
