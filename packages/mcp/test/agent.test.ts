import { setTimeout as pause } from 'node:timers/promises';
import type { CallToolResult, Client, CreateMessageRequest, Progress } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerOf } from '../../browser-agent/test/fixtures.js';
import { type Asked, type Mind, ModelServer, refOn, says } from '../../browser-agent/test/model-server.js';
import { Shop } from '../../browser-agent/test/shop.js';
import { agentResult } from '../src/agent/run-result.js';
import { connector, ERAS, saidIn, textOf } from './connected.js';

const connect = connector({ tools: { also: ['ask_user'] } });
const models = new ModelServer();
const shop = new Shop();
beforeAll(async () => {
  await Promise.all([models.start(), shop.start()]);
});
afterAll(() => Promise.all([models.stop(), shop.stop()]));
beforeEach(() => shop.reset());

const task = (): string => `Buy the Red mug at ${shop.url}`;
const resultOf = ({ structuredContent }: { structuredContent?: unknown }) => agentResult.parse(structuredContent);

describe('run_browser_agent', () => {
  it('does a whole task in the browser of the client, and tells each step', async () => {
    const { client, call } = await connect({ options: { model: models.thinks(buyerOf('Red mug')) } });
    const told: Progress[] = [];
    const result = await client.callTool(
      { name: 'run_browser_agent', arguments: { task: task(), add_infos: 'For Ann' } },
      { onprogress: progress => told.push(progress) },
    );
    expect(saidIn(result)).toBe('Ordered the Red mug.');
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
    expect(resultOf(result)).toMatchObject({
      success: true,
      stop_reason: 'done',
      state: { n_steps: 4, max_steps: 50, consecutive_failures: 0, stop_requested: false },
      brain: { prev_action_evaluation: 'Success: fine', important_contents: 'Nothing yet', summary: 'Go on' },
      actions: [{ done: { text: 'Ordered the Red mug.' } }],
      results: [{ is_done: true, success: true }],
    });
    expect(told.map(({ message }) => message)).toContain('Success: fine Next: Fill in the address and order');
    expect(textOf(await call('browser_snapshot'))).toContain('Thank you');
    const { contents } = await client.readResource({ uri: resultOf(result).history });
    const history = JSON.parse((contents[0] as { text: string }).text);
    expect(history).toMatchObject({ version: 1, task: task(), success: true });
    expect(history.steps.map(({ step }: { step: number }) => step)).toEqual([0, 1, 2, 3, 4]);
  });

  it('answers with what was done so far where a call may not take longer, and goes on by its run_id', async () => {
    const slow: Mind = asked => (asked.n === 2 ? { does: 'hang' } : buyerOf('Red mug')(asked));
    const model = models.thinks(slow);
    const { call } = await connect({ options: { model, agentWait: 1 } });
    const first = await call('run_browser_agent', { task: task() });
    expect(first.isError).toBeUndefined();
    const { run_id, success, stop_reason } = resultOf(first);
    expect({ success, stop_reason }).toEqual({ success: false });
    expect(textOf(first)).toContain(`Call run_browser_agent with run_id "${run_id}" to go on.`);
    await expect
      .poll(async () => textOf(await call('run_browser_agent', { run_id })))
      .toContain('Put the Red mug into the cart');
    expect(await call('run_browser_agent', { task: 'Another' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'invalid_input', recoveryHint: `Call again with run_id "${run_id}".` },
    });
    expect(resultOf(await call('run_browser_agent', { run_id }))).toMatchObject({ run_id, success: false });
  });

  it('does one task at a time, also when two are given at once', async () => {
    const { call } = await connect({ options: { model: models.thinks(buyerOf('Red mug')) } });
    const both = await Promise.all([1, 2].map(() => call('run_browser_agent', { task: task() })));
    const [done, refused] = both.sort((one, two) => Number(one.isError ?? false) - Number(two.isError ?? false));
    expect(resultOf(done as CallToolResult)).toMatchObject({ success: true });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'invalid_input',
        recoveryHint: `Call again with run_id "${resultOf(done as CallToolResult).run_id}".`,
      },
    });
    expect(shop.orders).toHaveLength(1);
  });

  it('stops when its call is cancelled', async () => {
    const { client, mcp } = await connect({ options: { model: models.thinks(() => ({ does: 'hang' })) } });
    const cancel = new AbortController();
    const given = client.callTool(
      { name: 'run_browser_agent', arguments: { task: task() } },
      { signal: cancel.signal },
    );
    await expect.poll(() => models.asked.length).toBe(1);
    cancel.abort('enough');
    await expect(given).rejects.toThrow();
    expect(mcp.clients()).toHaveLength(1);
    await expect
      .poll(async () => {
        const { resources } = await client.listResources();
        const uri = resources.find(({ name }) => name === 'history')?.uri ?? '';
        const { contents } = await client.readResource({ uri });
        return JSON.parse((contents[0] as { text: string }).text).stopReason;
      })
      .toBe('stopped');
  });

  it('says what to set where there is no model, in the form that it announced', async () => {
    const { client, call } = await connect();
    const { tools } = await client.listTools();
    const result = await call('run_browser_agent', { task: task() });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'no_model' } });
    // Clients of the 1.x SDK check failures, too, and throw where they do not fit.
    const validate = new Ajv2020().compile(tools.find(({ name }) => name === 'run_browser_agent')?.outputSchema ?? {});
    validate(result.structuredContent);
    expect(validate.errors).toBeNull();
    expect(textOf(result)).toContain('MODEL=openai/gpt-5-mini');
  });

  it.each([[{}], [{ task: '' }], [{ run_id: 'none' }], [{ task: 7 }]])('refuses %j', async input => {
    const { call } = await connect({ options: { model: models.model } });
    expect(await call('run_browser_agent', input)).toMatchObject({
      isError: true,
      structuredContent: { code: 'invalid_input' },
    });
  });

  it.each(ERAS)('asks the person behind a client of %s', async era => {
    const mind: Mind = ({ text }) =>
      text.includes('The user answered: Red')
        ? says([{ done: { text: 'It is red.', success: true } }])
        : says([{ ask_user: { question: 'Which colour?' } }]);
    const { call } = await connect({
      era,
      options: { model: models.thinks(mind) },
      client: { capabilities: { elicitation: {} } },
      prepare: client =>
        client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { answer: 'Red' } })),
    });
    expect(saidIn(await call('run_browser_agent', { task: task() }))).toBe('It is red.');
  });
});

/** A mind that needs so many answers before it has done. */
function looksAround(steps: number): Mind {
  return asked => {
    if (asked.n >= steps) return says([{ done: { text: 'Looked a lot.', success: true } }]);
    const name = asked.n % 2 === 0 ? 'Cart' : 'Shop';
    return says([{ click: { ref: refOn(asked, 'link', name) } }], { nextGoal: `Look ${asked.n}` });
  };
}

describe.each(ERAS)('the model of a client of %s', era => {
  /** A client whose own model is this mind, and takes so many milliseconds for an answer. So many first answers are cut off. */
  function sampling(mind: Mind, asked: CreateMessageRequest['params'][] = [], takes = 0, cut = 0) {
    return {
      era,
      client: { capabilities: { sampling: {} } },
      prepare: (client: Client) =>
        client.setRequestHandler('sampling/createMessage', async ({ params }) => {
          asked.push(params);
          await pause(takes);
          const text = params.messages
            .flatMap(({ content }) => content)
            .flatMap(part => (part.type === 'text' ? part.text : []))
            .join('\n');
          const question: Asked = { system: params.systemPrompt ?? '', text, pictures: [], n: asked.length - 1 };
          const answer = JSON.stringify(mind(question));
          const stopReason = asked.length <= cut ? 'maxTokens' : 'endTurn';
          return {
            role: 'assistant' as const,
            model: 'own',
            content: { type: 'text' as const, text: answer },
            stopReason,
          };
        }),
    };
  }

  it('drives the agent where the server has none', async () => {
    const asked: CreateMessageRequest['params'][] = [];
    const { call } = await connect(sampling(buyerOf('Blue mug'), asked));
    const result = await call('run_browser_agent', { task: `Buy the Blue mug at ${shop.url}` });
    expect(saidIn(result)).toBe('Ordered the Blue mug.');
    expect(shop.orders).toMatchObject([{ items: ['Blue mug'] }]);
    expect(asked[0]?.systemPrompt).toContain('JSON schema');
  });

  it('is given more room where its answer was cut off', async () => {
    const asked: CreateMessageRequest['params'][] = [];
    const { call } = await connect(sampling(buyerOf('Blue mug'), asked, 0, 1));
    const result = await call('run_browser_agent', { task: `Buy the Blue mug at ${shop.url}` });
    expect(saidIn(result)).toBe('Ordered the Blue mug.');
    expect(asked.slice(0, 3).map(({ maxTokens }) => maxTokens)).toEqual([4096, 16_384, 4096]);
  });

  it('that takes its time does not make a call longer than it may be', async () => {
    const asked: CreateMessageRequest['params'][] = [];
    const { call } = await connect({ ...sampling(looksAround(6), asked, 250), options: { agentWait: 0.5 } });
    let result = await call('run_browser_agent', { task: `Look around at ${shop.url}` });
    // Three answers of a quarter of a second are what can begin within half of one.
    expect(asked.length).toBeLessThanOrEqual(3);
    while (resultOf(result).stop_reason === undefined)
      result = await call('run_browser_agent', { run_id: resultOf(result).run_id });
    expect(saidIn(result)).toBe('Looked a lot.');
  });

  it('is asked for as many steps as the task takes, in several calls if need be', async () => {
    const { call } = await connect({ ...sampling(looksAround(10)), options: { agentWait: 0 } });
    let result = await call('run_browser_agent', { task: `Look around at ${shop.url}` });
    let calls = 1;
    while (resultOf(result).stop_reason === undefined && calls < 5) {
      result = await call('run_browser_agent', { run_id: resultOf(result).run_id });
      calls++;
    }
    expect(saidIn(result)).toBe('Looked a lot.');
    expect(calls).toBe(era === '2025-11-25' ? 1 : 2);
  });
});
