import { describe, expect, test } from 'vitest';
import { stage } from './fixtures.js';
import { type Answer, type Mind, says } from './model-server.js';

const { server, shop, agent } = stage();
const done = says([{ done: { text: 'fine', success: true } }]);
/** Whatever the models do, they do it in one browser. */
const job = () => ({ task: 'x', url: shop.url, threadId: 'hostile' });

const always: [name: string, answer: Answer, told: RegExp][] = [
  ['no JSON', 'I would click the button.', /no JSON object/],
  ['an empty answer', '', /empty/],
  ['a refusal', "I'm sorry, but I can't help with that.", /no JSON object/],
  ['half JSON', '{"evaluation": "Success", "memory": "x", "nextG', /nextGoal|actions/],
  ['an unknown action', says([{ fly: {} }]), /no action "fly"/],
  ['wrong types', says([{ click: { ref: 5 } }]), /click/],
  ['no actions', says([]), /at least one action/],
  ['a list of nothing', '[]', /expected object/],
  ['2 MB', `{"evaluation": "${'x'.repeat(2_000_000)}"}`, /characters/],
  ['two names in one action', says([{ click: { ref: '@e1' }, type: { ref: '@e1', text: '' } }]), /2 names/],
  ['a request that is wrong', { status: 400 }, /400/],
  ['a server that fails', { status: 500 }, /500/],
  ['a limit of its rate', { status: 429, headers: { 'retry-after-ms': '1' } }, /429/],
  ['a connection that drops', { does: 'drop' }, /model failed/],
  ['an answer that breaks off', { does: 'half' }, /model failed/],
  ['calls of tools that nobody asked for', { does: 'call' }, /model failed|did not fit/],
  ['a connection that hangs', { does: 'hang' }, /model failed/],
];

describe('a model that gives nothing but', () => {
  test.each(always)('%s ends the run after three of these, with the reason', async (_, answer, told) => {
    const isHanging = typeof answer === 'object' && 'does' in answer && answer.does === 'hang';
    const { stopReason, success, history, problem } = await agent(() => answer, {
      modelTimeout: isHanging ? 0.3 : 20,
      modelRetries: 1,
    }).run(job()).result;
    expect([stopReason, success]).toEqual(['failures', false]);
    expect(problem).toMatch(told);
    expect(history.steps.slice(1).map(({ error }) => error)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(told)),
    );
  });
});

describe('a model that', () => {
  test('puts JSON into prose, a fence or a list, or nearly writes it, is understood', async () => {
    const text = JSON.stringify(done);
    for (const answer of [
      `Sure! Here it is:\n\`\`\`json\n${text}\n\`\`\`\nGood luck`,
      `I think: ${text} - ok?`,
      `[${text}]`,
      text.replaceAll('"', "'"),
      `${text.slice(0, -1)},}`,
    ]) {
      const { stopReason } = await agent(() => answer).run(job()).result;
      expect([answer.slice(0, 40), stopReason]).toEqual([answer.slice(0, 40), 'done']);
    }
  });

  test('makes refs up is told, and can go on', async () => {
    const mind: Mind = ({ n }) => (n === 0 ? says([{ click: { ref: '@e9999' } }]) : done);
    const { stopReason, history } = await agent(mind).run(job()).result;
    expect([stopReason, history.steps[1]?.results[0]?.code]).toEqual(['done', 'invalid_ref']);
    expect(server.asked[1]?.text).toContain('Failed: click {"ref":"@e9999"}: @e9999 does not exist in this session');
  });

  test('asks for a thousand actions gets as many as a step has', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ scroll: { direction: i % 2 ? 'up' : 'down' } }));
    const { history } = await agent(({ n }) => (n === 0 ? says(many) : done)).run(job()).result;
    expect(history.steps[1]?.results).toHaveLength(5);
    expect(server.asked[1]?.text).toContain('a step has at most 5 actions');
  });

  test('repeats itself without end is told, then stopped', async () => {
    const { stopReason, history } = await agent(() => says([{ scroll: { direction: 'up' } }])).run(job()).result;
    expect(stopReason).toBe('stuck');
    expect(history.steps.length).toBeLessThan(8);
    expect(server.asked.at(-1)?.text).toContain('Nothing has changed in the last 5 steps');
    expect(server.asked.at(-1)?.text).toContain('You took: scroll {"direction":"up"} (5 times).');
  });

  test('never ends is stopped at the last step, where only done is left', async () => {
    const { stopReason, history } = await agent(
      ({ n }) => says([{ write_file: { name: `f${n}.md`, content: `${n}` } }]),
      { maxFailures: 10 },
    ).run({ ...job(), maxSteps: 4 }).result;
    expect(stopReason).toBe('max_steps');
    expect(history.steps.at(-1)?.error).toContain('there is no action "write_file"');
    expect(server.asked.at(-1)?.text).toContain('you can only call done');
    expect(server.asked[2]?.text).toContain('Steps left after this one: 1.');
  });

  test('refuses a schema is asked for a call of a tool, then for text', async () => {
    const mind: Mind = ({ responseFormat, toolChoice }) =>
      responseFormat !== undefined || toolChoice !== undefined ? { status: 400 } : done;
    const one = agent(mind);
    expect((await one.run(job()).result).stopReason).toBe('done');
    expect(
      server.asked.map(({ responseFormat, toolChoice }) =>
        responseFormat !== undefined ? 'schema' : toolChoice !== undefined ? 'tool' : 'text',
      ),
    ).toEqual(['schema', 'tool', 'text']);
    const called = await agent(({ responseFormat }) => (responseFormat === undefined ? done : { status: 400 })).run(
      job(),
    ).result;
    expect([called.stopReason, server.asked.length]).toEqual(['done', 2]);
  });

  test('fails for a while is asked again, as late as its server says', async () => {
    const one = agent(({ n }) => (n < 2 ? { status: 503, headers: { 'retry-after-ms': '20' } } : done));
    const run = one.run(job());
    const delays: number[] = [];
    run.on('model-failed', ({ delay }) => delays.push(delay));
    expect((await run.result).stopReason).toBe('done');
    expect(delays).toEqual([20, 20]);
  });

  test('cannot answer has another one take its place', async () => {
    const model = server.thinks(({ n }) =>
      n === 0 ? { status: 404 } : n === 1 ? { status: 404 } : n === 2 ? { status: 404 } : done,
    );
    const { stopReason } = await agent(server.mind, { model: [model, model] }).run(job()).result;
    expect([stopReason, server.asked.length]).toEqual(['done', 4]);
  });

  test('refuses the key ends the run at once, unless another one takes it', async () => {
    const { stopReason, history, problem } = await agent(() => ({ status: 401 })).run(job()).result;
    expect([stopReason, history.steps.length, server.asked.length]).toEqual(['failures', 2, 1]);
    expect(problem).toBe('The model failed: loopback/mind: 401 status 401');
    const model = server.thinks(({ n }) => (n < 3 ? { status: n % 2 === 0 ? 401 : 500 } : done));
    const other = await agent(server.mind, { model: [model, model], modelRetries: 0 }).run(job()).result;
    expect([other.stopReason, server.asked.length]).toEqual(['done', 4]);
  });

  test('is to be asked again in an hour has another one take its place at once', async () => {
    const model = server.thinks(({ n }) => (n === 0 ? { status: 429, headers: { 'retry-after': '3600' } } : done));
    const { stopReason } = await agent(server.mind, { model: [model, model] }).run(job()).result;
    expect([stopReason, server.asked.length]).toEqual(['done', 2]);
  });

  test('takes more tokens, or more time, than there are ends the run', async () => {
    const spent = await agent(({ n }) => says([{ write_file: { name: `f${n}.md`, content: `${n}` } }]), {
      maxTokens: 12_000,
    }).run(job()).result;
    expect(spent.stopReason).toBe('budget');
    const late = await agent(() => ({ does: 'hang' }), { maxDuration: 1 }).run(job()).result;
    expect(late.stopReason).toBe('budget');
  });
});
