import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { scriptedModel } from '../../examples/scripted-model.ts';
import type { BrowserToolsetConfig } from '../../src/index.js';
import { extract } from '../../src/tools/extract.js';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';

const site = await servePages({
  '/': `<!doctype html><title>Mugs</title><h1>Mugs</h1><ul><li><a href="/blue">Blue mug</a> costs <b>$1,299.00</b>
    <li><a href="/red">Red&nbsp;mug</a> costs <b>$8</b></ul><p hidden>Green mug costs $1</p>`,
});
const product = z.object({ name: z.string(), price: z.number() });
const schema = z.object({
  items: z.array(product),
  checked: z
    .string()
    .optional()
    .transform(text => text ?? 'today'),
});
const jsonSchema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };

const answer = JSON.stringify({
  data: {
    items: [
      { name: 'Blue mug', price: 1299 },
      { name: 'Red mug', price: 8 },
      { name: 'Green mug', price: 1 },
    ],
  },
  sources: [
    { path: 'items[0].name', quote: 'Blue mug' },
    { path: 'data.items.0.price', quote: 'Blue mug costs $1,299.00' },
    { path: '$.items[1].name', quote: 'Red mug costs' },
    { path: 'items[1].price', quote: 'costs' },
    { path: 'items[2].name', quote: 'Green mug' },
  ],
});

async function openShop(extract: BrowserToolsetConfig['extract']) {
  const session = testToolset({ extract }).session();
  expectSuccess(await session.navigate({ url: site.url() }));
  return session;
}

describe('plain code', () => {
  test('gets what a zod schema describes, and for each value whether the page bears it out', async () => {
    const model = scriptedModel([answer]);
    const session = await openShop({ model });
    const result = expectSuccess(await session.extract({ schema, instruction: 'all mugs' }));
    expect(result.data).toEqual({
      items: [
        { name: 'Blue mug', price: 1299 },
        { name: 'Red mug', price: 8 },
        { name: 'Green mug', price: 1 },
      ],
      checked: 'today',
    });
    expect(result.verified).toBe(false);
    expect(result.sources).toEqual([
      { path: 'items[0].name', quote: 'Blue mug', verified: true, exact: true },
      { path: 'items[0].price', quote: 'Blue mug costs $1,299.00', verified: true, exact: true },
      { path: 'items[1].name', quote: 'Red mug costs', verified: true, exact: true },
      { path: 'items[1].price', quote: 'costs', verified: true, exact: false },
      { path: 'items[2].name', quote: 'Green mug', verified: false, exact: false },
      { path: 'items[2].price', verified: false, exact: false },
    ]);
    const asked = JSON.stringify(model.calls[0]?.prompt);
    expect(asked).toContain('all mugs');
    expect(asked).toContain('Blue mug');
    expect(asked).not.toContain('Green mug');
  });

  test('is told when the answer does not fit, when the schema is none, and when there is no model', async () => {
    const session = await openShop({ model: scriptedModel(['{"data":{"items":"none"},"sources":[]}']) });
    expectFailure(await session.extract({ schema }), 'browser_error');
    expectFailure(await session.extract({ schema: { type: 'nonsense' } as never }), 'invalid_input');
    const alone = await openShop(undefined);
    const refused = expectFailure(await alone.extract({ schema }), 'browser_error');
    expect(refused).toMatchObject({ message: expect.stringContaining('extract: { model }'), canRetry: false });
  });

  test('is not told that an answer without values was borne out', async () => {
    const session = await openShop({ model: scriptedModel(['{"data":{"items":[]},"sources":[]}']) });
    const result = expectSuccess(await session.extract({ schema: z.object({ items: z.array(product) }) }));
    expect(result).toMatchObject({ data: { items: [] }, sources: [], verified: false });
    expect(extract.headline(result)).toContain('Nothing of it was found on the page.');
  });
});

describe('an agent', () => {
  const tools = { also: ['browser_extract'] };
  const script = [
    { tool: 'browser_navigate', input: { url: site.url() } },
    { tool: 'browser_extract', input: { schema: jsonSchema } },
    (read: string[]) => `Read: ${read.at(-1)}`,
  ];

  /** A model that runs the agent, and answers the extraction, which brings no tools to call. */
  function modelThatReads() {
    const filled = JSON.stringify({ data: { title: 'Mugs' }, sources: [{ path: 'title', quote: 'Mugs' }] });
    const own = scriptedModel(script);
    const stream = own.doStream.bind(own);
    const reader = scriptedModel([filled]);
    own.doStream = options => (options.tools?.length ? stream(options) : reader.doStream(options));
    const generate = own.doGenerate.bind(own);
    own.doGenerate = options => (options.tools?.length ? generate(options) : reader.doGenerate(options));
    return { own, reader };
  }

  test("with the toolset in Mastra's browser slot has the schema filled by its own model", async () => {
    const ways = {
      generate: async (agent: Agent) => (await agent.generate('What is it about?')).text,
      stream: async (agent: Agent) => (await agent.stream('What is it about?')).text,
    };
    for (const say of Object.values(ways)) {
      const { own, reader } = modelThatReads();
      const browser = testToolset({ tools });
      const text = await say(new Agent({ id: 'web', name: 'Web', instructions: '', model: own, browser }));
      expect(text).toMatch(/^Read: \[page \d{4}\]\n\{"title":"Mugs"\}\n/);
      expect(reader.calls).toHaveLength(1);
    }
  });

  test('has the schema filled by its own model', async () => {
    const { own, reader } = modelThatReads();
    const agent = new Agent({
      id: 'web',
      name: 'Web',
      instructions: '',
      model: own,
      tools: testToolset({ tools }).tools,
    });
    const mastra = new Mastra({ agents: { web: agent }, logger: false });
    const { text } = await mastra.getAgentById('web').generate('What is it about?');
    expect(text).toMatch(/^Read: \[page \d{4}\]\n\{"title":"Mugs"\}\n/);
    expect(reader.calls).toHaveLength(1);
  });

  test('that no Mastra instance knows is told how to get a model', async () => {
    const agent = new Agent({
      id: 'web',
      name: 'Web',
      instructions: '',
      model: scriptedModel(script),
      tools: testToolset({ tools }).tools,
    });
    expect((await agent.generate('What is it about?')).text).toContain('extract: { model }');
  });
});
