import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { loadHistory } from '../src/index.js';
import { buyerOf, stage } from './fixtures.js';
import { type Mind, says } from './model-server.js';

const { server, shop, agent } = stage();

describe('the loop as a workflow', () => {
  test('does a task, a step of the loop in steps of it', async () => {
    shop.reset();
    const { workflow } = agent(buyerOf('Red mug'));
    const mastra = new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
    const run = await mastra.getWorkflow('workflow').createRun();
    const result = await run.start({ inputData: { task: `Buy the red mug at ${shop.url}` } });
    expect(result).toMatchObject({
      status: 'success',
      result: { success: true, stopReason: 'done', result: 'Ordered the Red mug.' },
    });
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
  });

  test('gives data, tells what happens, begins as its caller wants and keeps its history', async () => {
    shop.reset();
    const refused: (string | undefined)[] = [];
    const mind: Mind = ({ n, responseFormat }) => {
      refused.push(responseFormat);
      if (responseFormat !== undefined) return { status: 400 };
      return says([
        n < 3 ? { scroll: { direction: 'down' } } : { done: { text: '', success: true, data: { price: 9.5 } } },
      ]);
    };
    const storage = new InMemoryStore();
    const events: string[] = [];
    const workflow = agent(mind, { storage }).workflowOn(undefined, {
      output: z.object({ price: z.number() }),
      onEvent: ({ type }) => events.push(type),
    });
    const run = await workflow.createRun();
    const initialActions = [{ navigate: { url: `${shop.url}cart` } }];
    const result = await run.start({ inputData: { task: 'x', url: shop.url, threadId: 'kept', initialActions } });
    expect(result).toMatchObject({ status: 'success', result: { output: { price: 9.5 } } });
    expect(events).toEqual(expect.arrayContaining(['looked', 'answered', 'action-ended']));
    const { steps, stopReason } = await loadHistory({ storage, threadId: 'kept' });
    expect([stopReason, steps[0]?.results.map(({ action }) => action)]).toEqual(['done', ['navigate', 'navigate']]);
    // What a provider refused is asked for once, not at each step.
    expect(refused.filter(each => each !== undefined)).toHaveLength(1);
  });

  test('is suspended by a question, and goes on with its answer', async () => {
    shop.reset();
    const mind: Mind = ({ n, text }) =>
      n === 0
        ? says([{ scroll: { direction: 'down' } }, { ask_user: { question: 'Which mug?' } }])
        : says([{ done: { text: /Asked "Which mug\?": (\w+)/.exec(text)?.[1] ?? '', success: true } }]);
    const { workflow } = agent(mind);
    const mastra = new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
    const run = await mastra.getWorkflow('workflow').createRun();
    const suspended = await run.start({ inputData: { task: 'x', url: shop.url } });
    expect(suspended.status).toBe('suspended');
    expect(JSON.stringify(suspended)).toContain('Which mug?');
    const result = await run.resume({ resumeData: 'Blue' });
    expect(result).toMatchObject({ status: 'success', result: { result: 'Blue' } });
    const steps = (result as { result: { history: { steps: { results: { action: string }[] }[] } } }).result.history
      .steps;
    expect(steps[1]?.results.map(({ action }) => action)).toEqual(['scroll', 'ask_user']);
  });
});

describe('the agent as a tool', () => {
  test('does a whole task for another agent, with its progress', async () => {
    shop.reset();
    const { tool } = agent(buyerOf('Red mug'));
    const progress: unknown[] = [];
    const result = await tool.execute?.({ task: `Buy the red mug at ${shop.url}` }, {
      writer: { write: async (line: unknown) => void progress.push(line) },
    } as never);
    expect(result).toMatchObject({ success: true, stopReason: 'done', result: 'Ordered the Red mug.', steps: 5 });
    expect(progress).toContainEqual(
      expect.objectContaining({ type: 'browser-agent-step', step: 1, nextGoal: 'Put the Red mug into the cart' }),
    );
    expect(shop.orders).toHaveLength(1);
  });

  test('is called by a Mastra agent, which is suspended by its question, and goes on with the answer', async () => {
    shop.reset();
    const { tool } = agent(asked => {
      if (asked.system === 'You delegate.')
        return asked.n === 0 ? { task: `Buy a mug at ${shop.url}` } : 'All is done.';
      const which = /Asked "Which mug\?": (.*)/.exec(asked.text)?.[1];
      return which === undefined ? says([{ ask_user: { question: 'Which mug?' } }]) : buyerOf(which)(asked);
    });
    const delegating = new Agent({
      id: 'boss',
      name: 'boss',
      instructions: 'You delegate.',
      model: server.model,
      tools: { run_browser_agent: tool },
    });
    // Only a stored run can be resumed.
    const mastra = new Mastra({ agents: { delegating }, storage: new InMemoryStore(), logger: false });
    const boss = mastra.getAgent('delegating');
    const waits = await boss.generate('Buy a mug', { memory: { thread: 'boss', resource: 'ann' } });
    expect(waits).toMatchObject({
      finishReason: 'suspended',
      suspendPayload: { suspendPayload: { question: 'Which mug?' } },
    });
    const { text } = await boss.resumeGenerate('Red mug', { runId: waits.runId });
    expect(text).toBe('All is done.');
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
  });

  test('says why the task was not done', async () => {
    const { tool } = agent(() => ({ status: 401 }));
    const result = await tool.execute?.({ task: 'x' }, {} as never);
    expect(result).toMatchObject({ success: false, stopReason: 'failures', problem: expect.stringContaining('401') });
    expect(tool.toModelOutput?.(result as never)).toMatchObject({
      value: expect.stringMatching(/^Not done \(failures\):\n\[page (\d+)\]\n.*401.*\n\[end \1\]$/s),
    });
  });
});
