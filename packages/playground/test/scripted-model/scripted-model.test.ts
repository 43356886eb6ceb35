import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createScriptedModel, step, type TaskScript } from '../../src/scripted-model/index.js';

interface Answers {
  readonly [tool: string]: (input: Record<string, unknown>) => string | Record<string, unknown>;
}

/** A real Mastra agent on the scripted model; its tools answer with what a test says and note what they were asked. */
function agentFor(script: TaskScript, answers: Answers) {
  const calls: [string, unknown][] = [];
  const tools = Object.fromEntries(
    Object.entries(answers).map(([id, answer]) => [
      id,
      createTool({
        id,
        description: id,
        inputSchema: z.looseObject({}),
        execute: async input => {
          calls.push([id, input]);
          return answer(input);
        },
        toModelOutput: output =>
          typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output },
      }),
    ]),
  );
  const model = createScriptedModel(script);
  return { calls, agent: new Agent({ id: 'a', name: 'a', instructions: 'Do the task.', model, tools }) };
}

const SHOP =
  'page "Shop" https://shop.example/\nmain\n  link "Red mug" @e3\n  link "Blue \\"sea\\" mug" @e4\n  button "Go" @e5';

const clickBlue: TaskScript = {
  id: 'click-blue',
  steps: [
    step('I look.', 'look'),
    step('I click.', 'click', view => ({ ref: view.ref('link', /^Blue/) })),
    { say: view => `It said: ${view.text}` },
  ],
};

describe('the scripted model', () => {
  test('reads a ref off the snapshot and uses it in the next call', async () => {
    const { agent, calls } = agentFor(clickBlue, { look: () => SHOP, click: () => 'clicked' });
    const result = await agent.generate('Click the blue mug.');
    expect(calls).toEqual([
      ['look', {}],
      ['click', { ref: '@e4' }],
    ]);
    expect(result.text).toBe('I look.I click.It said: clicked');
  });

  test('streams its sentences, its calls and its use of tokens', async () => {
    const { agent } = agentFor(clickBlue, { look: () => SHOP, click: () => 'clicked' });
    const stream = await agent.stream('Click the blue mug.');
    const types: string[] = [];
    for await (const chunk of stream.fullStream) types.push(chunk.type);
    expect(types.filter(type => type === 'tool-call')).toHaveLength(2);
    expect(types.filter(type => type === 'text-delta').length).toBeGreaterThan(4);
    expect(types.at(-1)).toBe('finish');
    expect((await stream.totalUsage).inputTokens).toBeGreaterThan(50);
    expect(await stream.finishReason).toBe('stop');
  });

  test('says what it looked for when the page does not have it', async () => {
    const { agent, calls } = agentFor(clickBlue, { look: () => SHOP.replace('Blue', 'Green'), click: () => 'clicked' });
    const result = await agent.generate('Click the blue mug.');
    expect(result.text).toContain('I stop here: I found no link like /^Blue/ in what I read of this page.');
    expect(calls).toHaveLength(1);
  });

  test('looks at the page before it gives up, and looks only once', async () => {
    const looking: TaskScript = { ...clickBlue, look: step('I look again.', 'look'), steps: clickBlue.steps.slice(1) };
    const found = agentFor(looking, { look: () => SHOP, click: () => 'clicked' });
    expect((await found.agent.generate('Click.')).text).toBe('I look again.I click.It said: clicked');
    expect(found.calls.map(([tool]) => tool)).toEqual(['look', 'click']);

    const missing = agentFor(looking, { look: () => 'page "Empty" https://shop.example/', click: () => 'clicked' });
    expect((await missing.agent.generate('Click.')).text).toContain('I stop here: I found no link like /^Blue/');
    expect(missing.calls.map(([tool]) => tool)).toEqual(['look']);
  });

  test('stops at a failed step and repeats what the tool said', async () => {
    const failure = { success: false, code: 'timeout', message: 'The page did not answer.' };
    const { agent } = agentFor(clickBlue, { look: () => failure, click: () => 'clicked' });
    expect((await agent.generate('Click.')).text).toContain('the last step failed');

    const thrown = agentFor(clickBlue, {
      look: () => {
        throw new Error('No browser could be started.');
      },
      click: () => 'clicked',
    });
    expect((await thrown.agent.generate('Click.')).text).toContain('No browser could be started.');
  });

  test('starts over at each task, and does not take a browser state for one', async () => {
    const { agent, calls } = agentFor(clickBlue, { look: () => SHOP, click: () => 'clicked' });
    const first = await agent.generate('Click the blue mug.');
    const history = first.response.messages ?? [];
    const state = { role: 'user' as const, content: '<state type="browser">open</state>' };
    await agent.generate([{ role: 'user', content: 'Click.' }, ...history, { role: 'user', content: 'Again.' }, state]);
    expect(calls.map(([tool]) => tool)).toEqual(['look', 'click', 'look', 'click']);
  });
});
