import { describe, expect, onTestFinished, test } from 'vitest';
import { type AgentHistory, detectVariables, toWorkflow } from '../src/index.js';
import { exportRunner, impatiently } from './exported.js';
import { buyerOf, pageOf, purchaseRecorder, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';
import type { ShopOptions } from './shop.js';

const scene = stage();
const { server, shop, browser, agent, impatient } = scene;
const recorded = purchaseRecorder(scene);
const exports = exportRunner();

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

  /** The requests of the buttons that a rerun pressed, and what it says. The export for Playwright must do the same. */
  async function again(history: AgentHistory, page: string) {
    shop.reset({ pages: { '/goods': page } });
    const pressed: string[] = [];
    shop.onRequest = path => void (path.startsWith('GET /goods') || pressed.push(path));
    const { success, stopReason, problem } = await impatient().rerun(history);
    const byRerun = pressed.splice(0);
    const exported = exports.playwright(history, {}, impatiently);
    await (success ? exported : expect(exported).rejects.toThrow(/^There is no one button "Save" in "Lamp"/));
    shop.onRequest = () => undefined;
    expect(pressed).toEqual(byRerun);
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

describe('an element that a step changed before it acted on it', () => {
  const add = `<button onclick="cart.textContent = 'Cart, ' + ++n + ' items'">Add</button>`;
  const pages = {
    '/start': `<title>Start</title><script>let n = 0</script><a id="cart" href="/cart">Cart, 0 items</a> ${add}`,
    '/cart': '<title>Cart</title><h1>Your cart</h1>',
  };

  test('is recorded as it was then, and found so by a rerun and by both exports', async () => {
    shop.reset({ pages });
    const mind: Mind = asked => {
      const shown = pageOf(asked);
      if (shown.text.includes('heading "Your cart"')) return says([{ done: { text: '', success: true } }]);
      const [add, cart] = [refOn(shown, 'button', 'Add'), refOn(shown, 'link', 'Cart, 0 items')];
      return says([
        { click: { ref: add } },
        { click: { ref: add } },
        { hover: { ref: cart } },
        { press: { ref: cart, keys: 'Enter' } },
      ]);
    };
    const { history, success } = await agent(mind).run({ task: 'x', url: `${shop.url}start` }).result;
    expect(success).toBe(true);
    const [, step] = history.steps;
    expect(step?.results.map(({ success: done }) => done)).toEqual([true, true, true, true]);
    expect(step?.results.at(-1)?.elements?.ref).toMatchObject({ role: 'link', name: 'Cart, 2 items', id: 'cart' });
    const asked: string[] = [];
    shop.onRequest = path => void asked.push(path);
    expect((await agent(() => '').rerun(history)).problem).toBe(undefined);
    await exports.playwright(history);
    expect(await exports.mastra(history, browser)).toBe('success');
    expect(asked.filter(path => path === 'GET /cart')).toHaveLength(3);
    shop.onRequest = () => undefined;
  });
});

test('what only reads like the control is not taken for it, by a rerun or by an export', async () => {
  const press = `onclick="fetch('/pressed', { keepalive: true })"`;
  shop.reset({ pages: { '/notes': `<title>Notes</title><button ${press}>Archive</button>` } });
  const mind: Mind = asked =>
    says([
      asked.n === 0
        ? { click: { ref: refOn(pageOf(asked), 'button', 'Archive') } }
        : { done: { text: '', success: true } },
    ]);
  const { history } = await agent(mind).run({ task: 'x', url: `${shop.url}notes` }).result;
  const others = `<h2 ${press}>Archive</h2><label ${press}>Archive <input></label><button aria-label="Delete" ${press}>Archive</button>`;
  shop.reset({ pages: { '/notes': `<title>Notes</title>${others}` } });
  const pressed: string[] = [];
  shop.onRequest = path => void (path.startsWith('GET /notes') || pressed.push(path));
  expect(await impatient().rerun(history)).toMatchObject({ stopReason: 'drift' });
  await expect(exports.playwright(history, {}, impatiently)).rejects.toThrow('There is no one button "Archive"');
  shop.onRequest = () => undefined;
  expect(pressed).toEqual([]);
});

describe('a row with a number in it', () => {
  /** Whose button was pressed is asked for. */
  const rows = (...names: string[]): string =>
    `<title>Stock</title><ul>${names.map(name => `<li><b>${name}</b><button onclick="fetch('/${name.split(' ')[0]}', { keepalive: true })">Order</button></li>`).join('')}</ul>`;

  test('is found with the same number and with another one, by a rerun and by both exports', async () => {
    shop.reset({ pages: { '/stock': rows('Bert 3 apples', 'Anna 3 apples') } });
    const mind: Mind = asked => {
      const ref = /"Anna[\s\S]*?button "Order" (@e\d+)/.exec(pageOf(asked).text)?.[1];
      return says([asked.n === 0 ? { click: { ref } } : { done: { text: '', success: true } }]);
    };
    const { history } = await agent(mind).run({ task: 'x', url: `${shop.url}stock` }).result;
    expect(history.steps[1]?.results[0]?.elements?.ref?.row).toMatch(/^Anna 3 apples/);
    const pressed: string[] = [];
    shop.onRequest = path => void (path.startsWith('GET /stock') || pressed.push(path));
    for (const page of [rows('Bert 3 apples', 'Anna 3 apples'), rows('Anna 12 apples', 'Bert 9 apples')]) {
      shop.options.pages = { '/stock': page };
      expect((await agent(() => '').rerun(history)).problem).toBe(undefined);
      await exports.playwright(history);
      expect(await exports.mastra(history, browser)).toBe('success');
    }
    expect(pressed).toEqual(Array(6).fill('GET /Anna'));
    shop.options.pages = { '/stock': rows('Bert 3 apples', 'Anna 3 pears') };
    await expect(exports.playwright(history, {}, impatiently)).rejects.toThrow(
      /^There is no one button "Order" in "Anna 3 a/,
    );
    expect(pressed).toHaveLength(6);
    shop.onRequest = () => undefined;
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
