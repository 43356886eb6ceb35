import { describe, expect, onTestFinished, test } from 'vitest';
import { type AgentHistory, detectVariables, toWorkflow } from '../src/index.js';
import { buyerOf, pageOf, purchaseRecorder, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';
import type { ShopOptions } from './shop.js';

const scene = stage();
const { server, shop, browser, agent, impatient } = scene;
const recorded = purchaseRecorder(scene);

describe('one of several that read alike in the same row', () => {
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
    const { stopReason, problem } = await impatient().rerun(history);
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
    const { success, stopReason, problem } = await impatient().rerun(history);
    expect([success, stopReason]).toEqual([false, 'drift']);
    expect(problem).toMatch(/button "Add to cart" in "Red mug.*stands in "Blue mug/);
    expect([shop.cart, shop.orders]).toEqual([[], []]);
  });

  test('finds what comes seconds after its page', async () => {
    const button = '<button onclick="fetch(`/pressed`)">Late</button>';
    shop.reset({ pages: { '/late': `<title>Late</title>${button}` } });
    const mind: Mind = asked =>
      says([
        asked.n === 0
          ? { click: { ref: refOn(pageOf(asked), 'button', 'Late') } }
          : { done: { text: '', success: true } },
      ]);
    const { history } = await agent(mind).run({ task: 'x', url: `${shop.url}late` }).result;
    const late = `setTimeout(() => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(button)}), 3_000)`;
    shop.reset({ pages: { '/late': `<title>Late</title><script>${late}</script>` } });
    const pressed: string[] = [];
    shop.onRequest = path => void pressed.push(path);
    onTestFinished(() => {
      shop.onRequest = () => undefined;
    });
    expect(await agent(() => '').rerun(history)).toMatchObject({ success: true });
    expect(pressed).toContain('GET /pressed');
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
});
