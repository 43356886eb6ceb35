import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../src/index.js';
import { InvalidAnswer } from '../src/model/invalid-answer.js';
import { ModelClient, sourcesOf } from '../src/model/model-client.js';
import { stage } from './fixtures.js';
import { says } from './model-server.js';
import { ProviderServer, type Replies } from './provider-server.js';

const { server, shop, agent } = stage();
const provider = new ProviderServer();
beforeAll(async () => {
  await provider.start();
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.sent.length = 0;
  provider.beforePiece = async () => undefined;
});

const model = () => ({ id: 'local/mind' as const, url: `${provider.url}/v1`, apiKey: 'none' });
/** An agent whose model answers with these. */
function agentOf(replies: Replies) {
  provider.replies = replies;
  return agent(() => '', { model: model() });
}
const job = () => ({ task: 'x', url: shop.url, threadId: 'asking' });
const whole = (...actions: object[]): string => JSON.stringify(says(actions));
const done = whole({ done: { text: 'fine', success: true } });
const promptOf = (n: number): string => JSON.stringify(provider.sent[n]?.body.messages);

describe('an answer that is cut off', () => {
  const cuts: [name: string, reply: { text: string; isCut?: true }][] = [
    ['as its provider says', { text: done, isCut: true }],
    ['in the middle of a string', { text: done.slice(0, -20) }],
    ['before its last bracket', { text: done.slice(0, -1) }],
    ['in its thinking', { text: `<think>I could say ${done}` }],
    ['before it begins', { text: '', isCut: true }],
  ];

  const client = () => new ModelClient(sourcesOf(model()), { maxRetries: 2, timeout: 20_000, backoff: 1 });
  const question = { system: '', text: '', schema: { type: 'object' }, signal: new AbortController().signal };

  test.each(cuts)('%s is asked for once more, with more room', async (_, cut) => {
    provider.replies = (_, n) => (n === 0 ? cut : { text: done });
    const { given, usage } = await client().ask(question);
    expect([given, usage]).toMatchObject([done, { input: 20, output: 10 }]);
    expect(provider.sent.map(({ body }) => body.max_tokens)).toEqual([undefined, 16_384]);
  });

  test.each(cuts)('%s, twice, is no answer', async (_, cut) => {
    provider.replies = () => cut;
    const asked = client().ask(question);
    await expect(asked).rejects.toThrow(InvalidAnswer);
    await expect(asked).rejects.toMatchObject({ message: expect.stringMatching(/cut off/), usage: { output: 10 } });
    expect(provider.sent).toHaveLength(2);
  });

  test('is asked for in the same way again, where the ways before that were refused', async () => {
    const body = (n: number) => provider.sent[n]?.body ?? {};
    provider.replies = (_, n) => (n === 0 ? { status: 400 } : n === 1 ? { text: done, isCut: true } : { text: done });
    expect((await client().ask(question)).given).toBe(done);
    expect(provider.sent.map((_, n) => 'tools' in body(n))).toEqual([false, true, true]);
    expect([body(1).max_tokens, body(2).max_tokens]).toEqual([undefined, 16_384]);
  });

  test('by a model that has no more room is no answer', async () => {
    provider.replies = (_, n) => (n === 0 ? { text: done, isCut: true } : { status: 400 });
    await expect(client().ask(question)).rejects.toThrow(InvalidAnswer);
  });

  test.each(cuts)('%s does nothing in a run, and ends it as failures do', async (_, cut) => {
    const { stopReason, success, history } = await agentOf(() => cut).run(job()).result;
    expect([stopReason, success]).toEqual(['failures', false]);
    expect(history.steps.slice(1).flatMap(({ results }) => results)).toEqual([]);
    expect(history.steps.at(-1)?.error).toMatch(/cut off/);
    expect(provider.sent).toHaveLength(6);
  });
});

test('a provider that leaves out the schema without refusing it is asked in another way', async () => {
  const forms: string[] = [];
  const scripted = {
    specificationVersion: 'v2',
    provider: 'custom.chat',
    modelId: 'mind',
    supportedUrls: {},
    doGenerate: async ({ responseFormat, tools }: { responseFormat?: object; tools?: object[] }) => {
      forms.push(responseFormat !== undefined ? 'schema' : tools !== undefined ? 'tool' : 'text');
      const ignored = { type: 'unsupported-setting', setting: 'responseFormat' };
      return {
        content: [{ type: 'text', text: done }],
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        warnings: responseFormat === undefined ? [] : [ignored],
      };
    },
  };
  const { stopReason } = await agent(() => '', { model: scripted as never }).run(job()).result;
  expect([stopReason, forms]).toEqual(['done', ['schema', 'tool']]);
});

describe('an answer that is a text', () => {
  const ask = () =>
    new ModelClient(sourcesOf(model()), { maxRetries: 0, timeout: 20_000, backoff: 1 }).ask({
      system: '',
      text: '',
      signal: new AbortController().signal,
    });

  test.each([
    ['<think>It may be $8.</think>\n$9.50', '$9.50'],
    ['It may be $8.\n</think>\n$9.50', '$9.50'],
    ['Models write <think> and </think>.', 'Models write <think> and </think>.'],
    ['{ 5 }', '{ 5 }'],
  ])('%j is %j', async (text, given) => {
    provider.replies = () => ({ text });
    expect((await ask()).given).toBe(given);
    expect(provider.sent).toHaveLength(1);
  });

  test('and nothing but thinking is none', async () => {
    provider.replies = () => ({ text: '<think>It may be $8' });
    await expect(ask()).rejects.toThrow(/cut off/);
  });
});

describe('an answer that is refused', () => {
  test('leaves its memory and its evaluation to the next step', async () => {
    const wrong = JSON.stringify(says([{ fly: {} }], { memory: 'Order 7', evaluation: 'Success: it was sent' }));
    const { stopReason, history } = await agentOf((_, n) => ({ text: n === 0 ? wrong : done })).run(job()).result;
    expect(stopReason).toBe('done');
    expect(history.steps[1]).toMatchObject({ output: { memory: 'Order 7', actions: [] }, results: [] });
    expect(promptOf(1)).toMatch(/Evaluation: Success: it was sent.*Memory: Order 7.*This step failed: .*no action/);
  });

  test('counts as a failure each time, whatever it says besides', async () => {
    const text = whole({ fly: {} });
    const { stopReason, history } = await agentOf(() => ({ text })).run(job()).result;
    expect([stopReason, history.steps.length]).toEqual(['failures', 4]);
  });
});

test('fields that nobody knows cost no step, and are told at the next one', async () => {
  const text = whole({ scroll: { direction: 'down', speed: 'fast' } });
  const { stopReason, history } = await agentOf((_, n) => ({ text: n === 0 ? text : done })).run(job()).result;
  expect([stopReason, history.steps.length]).toEqual(['done', 3]);
  expect(promptOf(1)).toContain('Unknown fields of your answer were ignored: scroll.speed.');
});

describe('a model whose answer is listened to', () => {
  test('is heard as it writes, and its actions begin when the answer is whole', async () => {
    const text = whole({ write_file: { name: 'a.md', content: 'x'.repeat(200) } });
    const reply = (_: unknown, n: number) => ({
      text: n === 0 ? text : done,
      thoughts: 'I write the file, and then I am done.',
    });
    const run = agentOf(reply).run(job());
    const events: AgentEvent[] = [];
    const heard = (): number => events.filter(({ type }) => type === 'thinking').length;
    let next = Promise.withResolvers<void>();
    run.onEvent(event => events.push(event));
    run.on('thinking', () => {
      next.resolve();
      next = Promise.withResolvers();
    });
    // The first piece says only whose words come: each one after it goes out when the one before was heard.
    let before = 0;
    provider.beforePiece = async n => {
      if (n === 0) before = heard();
      while (heard() - before < n - 1) await next.promise;
    };
    const { stopReason } = await run.result;
    expect(stopReason).toBe('done');
    expect(provider.sent.map(({ body }) => body.stream)).toEqual([true, true]);
    const ofFirst = events.slice(
      0,
      events.findIndex(({ type }) => type === 'answered'),
    );
    const said = (part: string): string =>
      ofFirst.map(event => (event.type === 'thinking' && event.part === part ? event.text : '')).join('');
    expect([said('thoughts'), said('answer')]).toEqual(['I write the file, and then I am done.', text]);
    // The step before opened the page.
    expect(ofFirst.filter(event => event.type === 'action-started' && event.step > 0)).toEqual([]);
  });

  test('and breaks off has failed that call, and nothing of it is done', async () => {
    const text = whole({ write_file: { name: 'broken.md', content: 'x'.repeat(200) } });
    const replies: Replies = (_, n) => (n === 0 ? { text, breaksAfter: 6 } : { text: done });
    const run = agentOf(replies).run(job());
    const failures: string[] = [];
    run.on('thinking', () => undefined);
    run.on('model-failed', ({ error }) => failures.push(error));
    const { stopReason, history } = await run.result;
    expect([stopReason, failures.length, provider.sent.length]).toEqual(['done', 1, 2]);
    expect(history.steps.flatMap(({ results }) => results.map(result => result.action))).toEqual(['navigate', 'done']);
  });

  test('is heard by way of a tool as well, where its provider refuses schemas', async () => {
    const run = agentOf(({ body }) => (body.response_format ? { status: 400 } : { text: done })).run(job());
    const words: string[] = [];
    run.on('thinking', ({ text }) => words.push(text));
    expect((await run.result).stopReason).toBe('done');
    expect(words.join('')).toBe(done);
    expect(words.length).toBeGreaterThan(1);
  });

  test('and knows no streams answers at once', async () => {
    const run = agent(() => says([{ done: { text: 'fine', success: true } }])).run(job());
    run.on('thinking', () => undefined);
    expect((await run.result).stopReason).toBe('done');
    expect(server.asked).toHaveLength(2);
  });

  test('is not streamed when nobody listens', async () => {
    expect((await agentOf(() => ({ text: done })).run(job()).result).stopReason).toBe('done');
    expect(provider.sent.map(({ body }) => body.stream ?? false)).toEqual([false]);
  });
});
