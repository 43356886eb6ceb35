import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { type AgentAction, type AgentEvent, BrowserAgent, defineAction, extracted, loadHistory } from '../src/index.js';
import { buyerOf, pageOf, stage } from './fixtures.js';
import { type Asked, type Mind, refOn, says } from './model-server.js';

const { server, shop, browser, agent } = stage();
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
    expect(first?.text).toContain(`<task>\nBuy the blue mug at ${shop.url}\nMore about it: No hurry\n</task>`);
    expect(first?.text).toContain('Did: navigate');
    expect(second?.text).toContain('Goal: Put the Blue mug into the cart\nDid: click');
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
      'Actions left over at the last step were dropped: the page is another one.',
    );
    expect(server.asked[1]?.text).toContain('Dropped: click');
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
      /Did: type.*The field holds "123"\n {2}That is not what was typed: "12345"/,
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

  test('begins with what its caller wants, after the page is open and one by one', async () => {
    shop.reset();
    const here = defineAction({
      name: 'here',
      description: 'On the page of the cart',
      input: z.object({}),
      domains: ['127.0.0.1'],
      run: async (_, { state }) => `At ${state.title}`,
    });
    const scrolls = Array.from({ length: 6 }, () => ({ scroll: { direction: 'down' } }));
    const run = agent(() => says([{ done: { text: '', success: true } }]), { actions: [here], only: ['click'] }).run({
      task: 'x',
      url: shop.url,
      initialActions: [
        ...scrolls,
        { navigate: { url: `${shop.url}cart` } },
        { here: {} },
        { click: { ref: '@e999' } },
        { here: {} },
      ],
    });
    const { history } = await run.result;
    const [first] = history.steps;
    expect(first?.results.map(({ action }) => action)).toEqual([
      ...['navigate', 'scroll', 'scroll', 'scroll', 'scroll', 'scroll', 'scroll', 'navigate', 'here', 'click'],
    ]);
    expect(first?.results[8]?.text).toBe('At Cart');
    expect(server.asked[0]?.text).toContain('Dropped: here');
    expect(server.asked[0]?.text).toContain('Actions left over at the last step were dropped: an action failed.');
  });

  test('whose first action asks a person waits for them, and goes on with the rest', async () => {
    shop.reset();
    const one = agent(({ text }) =>
      says([{ done: { text: /Asked "Who\?": (\w+)/.exec(text)?.[1] ?? '', success: true } }]),
    );
    const initialActions: AgentAction[] = [
      { ask_user: { question: 'Who?' } },
      { navigate: { url: `${shop.url}cart` } },
    ];
    const waits = await one.run({ task: 'x', url: shop.url, initialActions }).result;
    expect(waits).toMatchObject({ stopReason: 'suspended', waitsFor: { question: 'Who?' } });
    const { result, history } = await one.resume(waits.state, { answer: 'Ann' }).result;
    expect(result).toBe('Ann');
    expect(history.steps.map(({ results }) => results.map(({ action }) => action))).toEqual([
      ['navigate', 'ask_user', 'navigate'],
      ['done'],
    ]);
  });

  test('keeps files in a folder of its own, and hands over those that done names', async () => {
    const mind: Mind = ({ n }) => {
      if (n === 0)
        return says([
          { write_file: { name: 'todo.md', content: '- [ ] look' } },
          { write_file: { name: '../out.md', content: 'x' } },
        ]);
      if (n === 1)
        return says([
          { replace_file: { name: 'todo.md', old: '[ ]', new: '[x]' } },
          { read_file: { name: 'todo.md' } },
        ]);
      return says([{ done: { text: 'Done', success: true, files: ['todo.md'] } }]);
    };
    const { history } = await agent(mind, { folder }).run({ task: 'x', url: shop.url }).result;
    const [path = ''] = history.steps.at(-1)?.results[0]?.attachments ?? [];
    expect(await readFile(path, 'utf8')).toBe('- [x] look');
    expect(history.steps[1]?.results[1]).toMatchObject({
      success: false,
      error: expect.stringContaining('no name of a file'),
    });
    expect(server.asked[2]?.text).toContain('<read_state>');
    expect(server.asked[2]?.text).toContain('- [x] look');
    expect(server.asked[2]?.text).toContain('Files: todo.md');
  });

  test('takes actions of its owner, on the pages that they are for', async () => {
    shop.reset();
    const elsewhere = defineAction({
      name: 'elsewhere',
      description: 'Not here',
      input: z.object({}),
      domains: ['example.com'],
      run: async () => 'no',
    });
    const code = defineAction({
      name: 'read_code',
      description: 'The code from the phone',
      input: z.object({}),
      domains: ['127.0.0.1'],
      run: async () => ({ extractedContent: '4711' }),
    });
    const mind: Mind = ({ n }) =>
      n === 0
        ? says([{ read_code: {} }])
        : n === 1
          ? says([{ elsewhere: {} }])
          : says([{ done: { text: '', success: true } }]);
    const { history } = await agent(mind, { actions: [elsewhere, code] }).run({ task: 'x', url: shop.url }).result;
    expect(server.asked[1]?.text).toContain('4711');
    expect(history.steps[2]?.error).toContain('there is no action "elsewhere"');
  });

  test('extracts what a query asks for, by a model of its own', async () => {
    shop.reset();
    const mind: Mind = asked => {
      if (asked.system.startsWith('You read web pages'))
        return asked.text.includes('$9.50') ? '{"price": "$9.50"}' : 'nothing';
      if (asked.text.includes('$9.50"}')) return says([{ done: { text: '$9.50', success: true } }]);
      return says([{ extract: { query: 'price of the red mug', schema: { type: 'object' } } }]);
    };
    const { result, history, extracts } = await agent(mind).run({ task: 'Price of the red mug?', url: shop.url })
      .result;
    expect(result).toBe('$9.50');
    expect(extracts).toEqual([
      {
        step: 1,
        action: 'extract',
        content: '{"price":"$9.50"}',
        query: 'price of the red mug',
        url: shop.url,
        title: 'Shop',
        pages: { first: 1, last: 1, of: 1 },
      },
    ]);
    expect(extracted(JSON.parse(JSON.stringify(history)))).toEqual(extracts);
  });

  test('says where all that it read comes from, as far as that is known', async () => {
    const words = Array.from({ length: 12_000 }, (_, n) => `word${n}`).join(' ');
    shop.reset({ pages: { '/long': `<title>Long</title><article><h1>Long</h1><p>${words}</p></article>` } });
    const code = defineAction({
      name: 'read_code',
      description: 'The code from the phone',
      input: z.object({}),
      run: async () => ({ extractedContent: '4711' }),
    });
    const mind: Mind = asked => {
      if (asked.system.startsWith('You read web pages')) return 'words';
      const steps = [
        [{ read: { page: 2, maxTokens: 5000 } }, { read_code: {} }, { write_file: { name: 'a.md', content: 'note' } }],
        [{ read_file: { name: 'a.md' } }, { extract: { query: 'words' } }],
        [{ done: { text: 'read', success: true, data: { words: 12_000 } } }],
      ];
      return says(steps[asked.n - server.asked.filter(({ system }) => system.startsWith('You read')).length] ?? []);
    };
    const { output, extracts } = await agent(mind, { actions: [code], folder }).run({
      task: 'x',
      url: `${shop.url}long`,
      output: z.object({ words: z.number() }),
    }).result;
    expect(output).toEqual({ words: 12_000 });
    const page = { url: `${shop.url}long`, title: 'Long' };
    const read = server.asked.filter(({ system }) => system.startsWith('You read')).length;
    expect(read).toBeGreaterThan(1);
    expect(extracts.map(({ content: _, ...source }) => source)).toEqual([
      { step: 1, action: 'read', ...page, pages: { first: 2, last: 2, of: expect.any(Number) } },
      { step: 1, action: 'read_code' },
      { step: 2, action: 'read_file' },
      { step: 2, action: 'extract', query: 'words', ...page, pages: { first: 1, last: read, of: read } },
    ]);
  });

  test('is sent back once by a judge, who has the last word', async () => {
    shop.reset();
    let judged = 0;
    const mind: Mind = asked => {
      if (asked.system.startsWith('You judge')) return { verdict: ++judged > 1, reason: 'The cart is empty.' };
      return says([{ done: { text: 'Bought it', success: true } }]);
    };
    const { success, history } = await agent(mind, { judge: server.model }).run({ task: 'Buy a mug', url: shop.url })
      .result;
    expect([success, history.steps.length]).toEqual([true, 3]);
    expect(
      server.asked.find(({ text }) => text.includes('Not done yet, says who judges it: The cart is empty.')),
    ).toBeDefined();
  });

  test('shows its judge the page and the actions as they are when it claims to be done', async () => {
    shop.reset();
    let shown: Asked | undefined;
    const mind: Mind = asked => {
      if (asked.system.startsWith('You judge')) {
        shown = asked;
        return { verdict: true, reason: 'The cart is open.' };
      }
      const link = refOn(pageOf(asked), 'link', 'Cart');
      return says([
        { hover: { ref: link } },
        { press: { ref: link, keys: 'Tab' } },
        { done: { text: 'ok', success: true } },
      ]);
    };
    const one = agent(mind, { judge: server.model, vision: 'auto' });
    const page = `<title>Cart</title><a href="#" onfocus="document.querySelector('h1').textContent = 'Seen'">Cart</a><h1>Unseen</h1>`;
    shop.reset({ pages: { '/seen': page } });
    await one.run({ task: 'x', url: `${shop.url}seen` }).result;
    expect(shown?.text).toContain('heading "Seen"');
    expect(shown?.text).toContain('Did: hover');
    expect(shown?.pictures).toHaveLength(1);
  });

  test('counts the tokens and the cost of all models, also of those that read and judge', async () => {
    shop.reset();
    const mind: Mind = asked => {
      if (asked.system.startsWith('You judge')) return { verdict: true, reason: 'It is there.' };
      if (asked.system.startsWith('You read')) return '$9.50';
      return says(asked.n === 0 ? [{ extract: { query: 'price' } }] : [{ done: { text: '$9.50', success: true } }]);
    };
    const priced = agent(mind, { judge: server.model, prices: { mind: { input: 1, output: 10 } } });
    const { usage, history } = await priced.run({ task: 'Price?', url: shop.url }).result;
    const [, extracting, judged] = history.steps;
    const parts = [extracting?.usage, extracting?.results[0]?.usage, judged?.usage, judged?.results[0]?.usage];
    expect(parts.every(part => part !== undefined && part.input > 0 && part.output > 0)).toBe(true);
    expect(usage.input).toBe(parts.reduce((sum, part) => sum + (part?.input ?? 0), 0));
    expect(usage.output).toBe(parts.reduce((sum, part) => sum + (part?.output ?? 0), 0));
    expect(usage.cost).toBeCloseTo((usage.input + 10 * usage.output) / 1_000_000, 9);
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

  test('on the thread of another one goes on in its pages, and knows what it did', async () => {
    shop.reset();
    const one = agent(buyerOf('Red mug'));
    await one.run({ task: `Buy the red mug at ${shop.url}`, threadId: 'follow' }).result;
    server.thinks(asked =>
      says([{ done: { text: pageOf(asked).text.includes('Thank you') ? 'same page' : 'elsewhere', success: true } }]),
    );
    const { result } = await one.run({ task: 'What does the page say?', threadId: 'follow' }).result;
    expect(result).toBe('same page');
    expect(server.asked[0]?.text).toContain('It ended with: Ordered the Red mug.');
  });

  test('on the thread of one that did not come to its end knows at each step how far that came', async () => {
    shop.reset();
    const one = agent(asked =>
      asked.n === 0
        ? says([{ extract: { query: 'price of the mug' } }], { memory: 'Looked at 4711', plan: 'Buy it' })
        : asked.system.startsWith('You read')
          ? '$9.50'
          : says([{ scroll: { direction: 'down' } }]),
    );
    const first = await one.run({ task: 'Buy a mug', url: shop.url, threadId: 'left', maxSteps: 2 }).result;
    expect(first.stopReason).toBe('max_steps');
    server.thinks(({ n }) =>
      says([n === 0 ? { scroll: { direction: 'down' } } : { done: { text: '', success: true } }]),
    );
    const run = one.run({ task: 'Go on', threadId: 'left' });
    const memories: string[] = [];
    run.on('looked', () => memories.push(run.state.memory));
    await run.result;
    expect([memories[0], server.asked.length]).toEqual(['Looked at 4711', 2]);
    for (const { text } of server.asked) {
      const [, before = ''] = /<task_before>(.*)<\/task_before>/s.exec(text) ?? [];
      for (const part of ['did before: Buy a mug', 'max_steps', 'Memory: Looked at 4711', 'Plan: Buy it', '$9.50'])
        expect(before).toContain(part);
    }
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

describe('a wrong configuration', () => {
  test.each([
    [{ browser: undefined }, /browser must be a toolset/],
    [{ model: undefined }, /model is missing/],
    [{ model: [] }, /model is missing/],
    [{ maxSteps: 0 }, /maxSteps/],
    [{ maxStep: 5 }, /maxStep/],
    [{ except: ['clik'] }, /there is no action clik/],
    [{ searchUrl: 'https://example.com' }, /where the query stands/],
    [{ browser: { tools: {} } }, /browser has no tool browser_snapshot/],
    [{ model: 42 }, /model must be what a Mastra agent takes/],
    [{ model: {} }, /model must be/],
    [{ model: 'gpt-5' }, /model must be/],
    [{ model: ['openai/gpt-5', 'gpt-5'] }, /model must be/],
    [{ judge: [] }, /judge is missing/],
    [{ judge: null }, /judge must be/],
    [{ extractModel: {} }, /extractModel must be/],
    [{ actions: {} }, /expected a list.*actions/s],
    [{ actions: [{}] }, /actions\[0\]\.name/],
  ])('%j is told with the name of the option', (wrong, message) => {
    expect(() => new BrowserAgent({ browser, model: 'openai/gpt-5-mini', ...wrong } as never)).toThrow(message);
  });

  test.each([
    [{ task: undefined }, /task/],
    [{ task: ' ' }, /task is empty/],
    [{ maxSteps: 0 }, /maxSteps/],
    [{ maxSteps: 'x' }, /maxSteps/],
    [{ output: { type: 'object' } }, /schema of zod.*output/s],
    [{ additionalInfos: 'x' }, /additionalInfos/],
    [{ onStep: 'x' }, /onStep/],
    [{ initialActions: [{ clik: {} }] }, /initialActions: there is no action "clik"/],
    [{ initialActions: [{}] }, /initialActions: an action has 0 names/],
    [{ initialActions: [{ click: { ref: 5 } }] }, /initialActions: click/],
  ])('of a run, %j is told with the name of the option', (wrong, message) => {
    expect(() => agent(() => '').run({ task: 'x', ...wrong } as never)).toThrow(message);
  });

  test('an own action needs a proper name', () => {
    expect(() =>
      defineAction({ name: 'My Action', description: '', input: z.object({}), run: async () => '' }),
    ).toThrow(/My Action/);
  });
});
