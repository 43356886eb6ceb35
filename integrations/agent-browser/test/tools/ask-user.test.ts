import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { type Script, scriptedModel, textsRead } from '../../examples/scripted-model.ts';
import type { BrowserToolset } from '../../src/index.js';
import { expectSuccess, refOf, servePages, testToolset, withoutBoundaries } from '../fixtures.js';
import { personAt } from '../live/person.js';

const site = await servePages({
  '/': `<!doctype html><title>Door</title><link rel="icon" href="data:,">
    <input aria-label="Code" type="password" style="position:absolute;left:0;top:0;width:200px;height:40px">
    <input aria-label="Name" style="position:absolute;left:0;top:50px;width:200px;height:40px">
    <input aria-label="Other" style="position:absolute;left:0;top:100px">`,
});

const THREAD = 'ann';
const memory = { thread: THREAD, resource: 'user' };
const question = {
  question: 'Please log in.',
  options: [{ label: 'Done' }, { label: 'Cannot', description: 'No key' }],
};
const open: Script[number] = { tool: 'browser_navigate', input: { url: site.url() } };
const ask: Script[number] = { tool: 'ask_user', input: question };

/** An agent of an application with storage, so that its runs can be resumed. */
function asking(toolset: BrowserToolset, script: Script) {
  const model = scriptedModel(script);
  const agent = new Agent({
    id: 'web',
    name: 'Web',
    instructions: 'Ask.',
    model,
    tools: toolset.tools,
    memory: new MockMemory(),
  });
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return { agent, model };
}

const toolsetThatAsks = () => testToolset({ tools: { also: ['ask_user'] } });

describe('an agent that asks', () => {
  it('waits with its question, and goes on with the answer and what the person did meanwhile', async () => {
    const toolset = toolsetThatAsks();
    const { agent, model } = asking(toolset, [open, ask, 'Thanks.']);
    const seen: (string | undefined)[] = [];
    toolset.onQuestionChanged(() => seen.push(toolset.liveQuestion(THREAD)?.question), THREAD);
    const asked = await agent.generate('Log in', { memory });
    expect(asked.finishReason).toBe('suspended');
    expect(asked.suspendPayload).toMatchObject({ toolName: 'ask_user', suspendPayload: question });
    expect(toolset.liveQuestion(THREAD)).toEqual({ id: expect.any(String), threadId: THREAD, ...question });

    const person = personAt(toolset, THREAD);
    await person.click(50, 20);
    await person.type('1234');
    const session = toolset.session(THREAD);
    const other = refOf(await session.snapshot(), 'textbox', 'Other');
    expectSuccess(await session.type({ ref: other, text: 'by the agent' }));
    await toolset.takeControl(THREAD);
    await person.click(50, 70);
    await person.type('Ann');
    await toolset.releaseControl(THREAD);
    const { text, toolResults } = await agent.resumeGenerate('Done', { runId: asked.runId ?? '', memory });
    expect(text).toBe('Thanks.');
    expect(toolset.liveQuestion(THREAD)).toBeUndefined();
    expect(seen).toEqual([question.question, undefined]);
    expect(toolResults.at(-1)?.payload.result).toEqual({
      success: true,
      url: await toolset.getCurrentUrl(THREAD),
      title: 'Door',
      answer: 'Done',
      content: 'User answered: Done',
      isError: false,
      humanActions: {
        fields: [
          { role: 'textbox', name: 'Code', secret: true },
          { role: 'textbox', name: 'Name', value: 'Ann' },
        ],
      },
    });
    expect(withoutBoundaries(textsRead(model.calls.at(-1)?.prompt ?? []).at(-1) ?? '')).toBe(
      'The user answered: Done\nWhile a person had control, they:\n  changed textbox "Code" (a secret)\n  changed textbox "Name" to "Ann"',
    );
  });

  it('does so in a stream, without a browser', async () => {
    const toolset = toolsetThatAsks();
    const { agent } = asking(toolset, [{ tool: 'ask_user', input: { question: 'Which?' } }, 'Thanks.']);
    const stream = await agent.stream('Choose', { memory });
    await stream.consumeStream();
    expect(toolset.liveQuestion(THREAD)?.question).toBe('Which?');
    const resumed = await agent.resumeStream({ answer: 'the red one' }, { runId: stream.runId, memory });
    expect(await resumed.text).toBe('Thanks.');
    const results = await resumed.toolResults;
    expect(results.at(-1)?.payload.result).toMatchObject({ success: true, answer: 'the red one' });
    expect(toolset.isBrowserRunning()).toBe(false);
  });

  it('reads several choices as one text', async () => {
    const { agent } = asking(toolsetThatAsks(), [
      { tool: 'ask_user', input: { ...question, selectionMode: 'multi_select' } },
      'Thanks.',
    ]);
    const { runId, suspendPayload } = await agent.generate('Choose', { memory });
    expect(suspendPayload).toMatchObject({ suspendPayload: { selectionMode: 'multi_select' } });
    const { toolResults } = await agent.resumeGenerate(['Done', 'Cannot'], { runId: runId ?? '', memory });
    expect(toolResults.at(-1)?.payload.result).toMatchObject({ answer: 'Done, Cannot' });
  });

  it('asks nobody any more once its session is closed, or another run of its thread acts', async () => {
    const toolset = toolsetThatAsks();
    const { agent } = asking(toolset, [ask, 'Thanks.']);
    await agent.generate('Log in', { memory });
    await toolset.closeThreadSession(THREAD);
    expect(toolset.liveQuestion(THREAD)).toBeUndefined();
    await agent.generate('Log in', { memory });
    expect(toolset.liveQuestion(THREAD)).toBeDefined();
    const other = asking(toolset, [{ tool: 'browser_tabs', input: { action: 'list' } }, 'Done.']);
    await other.agent.generate('List', { memory });
    expect(toolset.liveQuestion(THREAD)).toBeUndefined();
  });

  it('asks nobody any more once its run is given up', async () => {
    const toolset = toolsetThatAsks();
    const { agent } = asking(toolset, [ask, 'Thanks.']);
    const giveUp = new AbortController();
    await agent.generate('Log in', { memory, abortSignal: giveUp.signal });
    expect(toolset.liveQuestion(THREAD)).toBeDefined();
    giveUp.abort();
    expect(toolset.liveQuestion(THREAD)).toBeUndefined();
  });
});

/** A run of a workflow whose only step asks. */
async function askingRun(toolset: BrowserToolset) {
  const workflow = createWorkflow({
    id: 'ask',
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.looseObject({}),
  })
    .then(createStep(toolset.tools.ask_user))
    .commit();
  const mastra = new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
  return mastra.getWorkflow('workflow').createRun();
}

it('a step of a workflow asks nobody any more once its run is cancelled', async () => {
  const toolset = toolsetThatAsks();
  const run = await askingRun(toolset);
  await run.start({ inputData: { question: 'Go on?' } });
  expect(toolset.liveQuestion(run.runId)?.question).toBe('Go on?');
  await run.cancel();
  expect(toolset.liveQuestion(run.runId)).toBeUndefined();
});

it('a step of a workflow waits too', async () => {
  const toolset = toolsetThatAsks();
  const run = await askingRun(toolset);
  expect(await run.start({ inputData: { question: 'Go on?' } })).toMatchObject({ status: 'suspended' });
  expect(toolset.liveQuestion(run.runId)?.question).toBe('Go on?');
  const result = await run.resume({ step: 'ask_user', resumeData: 'yes' });
  expect(result).toMatchObject({ status: 'success', result: { success: true, answer: 'yes' } });
  expect(toolset.liveQuestion(run.runId)).toBeUndefined();
});

it('where nothing can wait, it says so', async () => {
  const toolset = toolsetThatAsks();
  const result = await toolset.tools.ask_user.execute({ question: 'Anybody?' });
  expect(result).toMatchObject({ success: false, code: 'browser_error', recoveryHint: 'Ask in your answer instead.' });
  expect(toolset.liveQuestion()).toBeUndefined();
});

it('is there only for who asks for it: it would take the place of an `ask_user` that an agent has', () => {
  expect(Object.keys(testToolset().tools)).not.toContain('ask_user');
  expect(Object.keys(testToolset({ tools: { only: ['ask_user'] } }).tools)).toEqual(['ask_user']);
  expect(Object.keys(toolsetThatAsks().tools)).toContain('browser_click');
});
