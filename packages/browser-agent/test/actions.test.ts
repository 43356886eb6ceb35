import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { type AgentAction, defineAction, extracted } from '../src/index.js';
import { stage } from './fixtures.js';
import { type Mind, says } from './model-server.js';

const { server, shop, agent } = stage();
const folder = await mkdtemp(join(tmpdir(), 'browser-agent-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a run', () => {
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
    expect(server.asked[0]?.text).toContain('Skipped: here');
    expect(server.asked[0]?.text).toContain('The remaining actions of the last step were skipped: an action failed.');
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
      if (asked.system.startsWith('You extract'))
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

  test('asks once more for what does not fit the schema, and fails in words where that does not either', async () => {
    shop.reset();
    const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
    const extracting = (answers: string[], asked: object = schema): Mind => {
      let n = 0;
      return ({ system, text }) => {
        if (system.startsWith('You extract')) return answers[n++] ?? 'no more';
        return says([
          text.includes('<step 1>')
            ? { done: { text: '', success: true } }
            : { extract: { query: 'price', schema: asked } },
        ]);
      };
    };
    const run = async (mind: Mind) => {
      const { history } = await agent(mind).run({ task: 'x', url: shop.url }).result;
      const questions = server.asked.filter(({ system }) => system.startsWith('You extract'));
      return { result: history.steps[1]?.results[0], questions };
    };
    const mended = await run(extracting(['{"price": "$9.50"}', '{"price": 9.5}']));
    expect(mended.result).toMatchObject({ success: true, extractedContent: '{"price":9.5}' });
    expect(mended.questions[1]?.text).toMatch(
      /Your last answer was refused: price: must be number\nIt was:\n\[page \w+\]\n\{"price": "\$9\.50"\}\n\[end/,
    );
    const failed = await run(extracting(['nothing', '{"cost": 9.5}']));
    expect(failed.questions).toHaveLength(2);
    expect(failed.result).toMatchObject({ success: false });
    expect(failed.result?.error).toMatch(/^Nothing was extracted: .*must have required property 'price'/);
    const senseless = await run(extracting([], { type: 'strin' }));
    expect([senseless.result?.success, senseless.questions.length]).toEqual([false, 0]);
    expect(senseless.result?.error).toMatch(/^schema is not a JSON Schema: /);
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
      if (asked.system.startsWith('You extract')) return 'words';
      const steps = [
        [{ read: { page: 2, maxTokens: 5000 } }, { read_code: {} }, { write_file: { name: 'a.md', content: 'note' } }],
        [{ read_file: { name: 'a.md' } }, { extract: { query: 'words' } }],
        [{ done: { text: 'read', success: true, data: { words: 12_000 } } }],
      ];
      return says(steps[asked.n - server.asked.filter(({ system }) => system.startsWith('You extract')).length] ?? []);
    };
    const { output, extracts } = await agent(mind, { actions: [code], folder }).run({
      task: 'x',
      url: `${shop.url}long`,
      output: z.object({ words: z.number() }),
    }).result;
    expect(output).toEqual({ words: 12_000 });
    const page = { url: `${shop.url}long`, title: 'Long' };
    const read = server.asked.filter(({ system }) => system.startsWith('You extract')).length;
    expect(read).toBeGreaterThan(1);
    expect(extracts.map(({ content: _, ...source }) => source)).toEqual([
      { step: 1, action: 'read', ...page, pages: { first: 2, last: 2, of: expect.any(Number) } },
      { step: 1, action: 'read_code' },
      { step: 2, action: 'read_file' },
      { step: 2, action: 'extract', query: 'words', ...page, pages: { first: 1, last: read, of: read } },
    ]);
  });
});
