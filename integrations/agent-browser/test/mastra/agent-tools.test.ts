import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { MASTRA_RESOURCE_ID_KEY, MASTRA_THREAD_ID_KEY, RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { describe, expect, it } from 'vitest';
import {
  type CallOptions,
  refIn,
  resultsOf,
  type Script,
  scriptedModel,
  textsRead,
} from '../../examples/scripted-model.ts';
import type { BrowserToolset } from '../../src/index.js';
import { servePages, testToolset, withoutBoundaries } from '../fixtures.js';

const site = await servePages({
  '/': `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
    <h1>Mugs</h1>
    <button onclick="document.querySelector('output').textContent = 'Bought by ' + location.search">Buy</button>
    <output></output>`,
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.flushHeaders();
  },
});

const buyingScript: Script = [
  { tool: 'browser_navigate', input: { url: site.url('/?ann') } },
  read => ({ tool: 'browser_click', input: { ref: refIn(read, 'button "Buy"') } }),
  'Bought it.',
];

function agentWith(toolset: BrowserToolset, script: Script = buyingScript) {
  const model = scriptedModel(script);
  const agent = new Agent({
    id: 'shopper',
    name: 'Shopper',
    instructions: 'Buy what the user asks for.',
    model,
    tools: toolset.tools,
    memory: new MockMemory(),
  });
  return { agent, model };
}

function lastCall({ calls }: { calls: CallOptions[] }): CallOptions {
  return calls.at(-1) ?? expect.fail('the model was never asked');
}

const buyingTexts = [
  `page "Shop" ${site.url('/?ann')}\nheading "Mugs" level=1\nbutton "Buy" @e1`,
  'Clicked button "Buy"\n+ status "Bought by ?ann"',
];

describe('an agent with the tools', () => {
  it('reads exactly the compact text of each result', async () => {
    const { agent, model } = agentWith(testToolset());
    const { text } = await agent.generate('Buy a mug');
    expect(text).toBe('Bought it.');
    expect(textsRead(lastCall(model).prompt).map(withoutBoundaries)).toEqual(buyingTexts);
    expect(resultsOf(lastCall(model).prompt).map(({ output }) => output.type)).toEqual(['text', 'text']);
  });

  it('does the same when it streams', async () => {
    const { agent, model } = agentWith(testToolset());
    const stream = await agent.stream('Buy a mug');
    expect(await stream.text).toBe('Bought it.');
    expect(textsRead(lastCall(model).prompt).map(withoutBoundaries)).toEqual(buyingTexts);
  });

  it('keeps typed objects in its results for the program around it', async () => {
    const { agent } = agentWith(testToolset());
    const { toolResults } = await agent.generate('Buy a mug');
    expect(toolResults.map(({ payload }) => payload.result)).toMatchObject([
      { success: true, url: site.url('/?ann'), title: 'Shop', status: 200, navigated: true },
      { success: true, element: { ref: '@e1', role: 'button', name: 'Buy', tag: 'button' }, pageChanged: true },
    ]);
  });

  it('reads of a failure the code, the reason and what to do next', async () => {
    const { agent, model } = agentWith(testToolset(), [
      { tool: 'browser_navigate', input: { url: site.url() } },
      { tool: 'browser_click', input: { ref: '@e99' } },
      'Giving up.',
    ]);
    const { toolResults } = await agent.generate('Buy a mug');
    expect(toolResults[1]?.payload.result).toMatchObject({ success: false, code: 'invalid_ref', canRetry: true });
    const [headline, hint] = textsRead(lastCall(model).prompt)[1]?.split('\n') ?? [];
    expect(headline).toMatch(/^invalid_ref: .*@e99/);
    expect(hint).toMatch(/browser_snapshot/);
  });

  it('sees a screenshot, whose bytes are in no result', async () => {
    const { agent, model } = agentWith(testToolset(), [{ tool: 'browser_screenshot', input: {} }, 'Seen.']);
    const { toolResults } = await agent.generate('Look');
    const { result } = toolResults[0]?.payload ?? {};
    expect(result).toMatchObject({ success: true, mimeType: 'image/jpeg', width: 1280, height: 720 });
    expect(JSON.stringify(result).length).toBeLessThan(500);
    const [sent] = resultsOf(lastCall(model).prompt);
    expect(sent?.output).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: expect.stringMatching(/^\[page \d{4}\]\nScreenshot 1280 x 720: /) },
        { type: 'media', mediaType: 'image/jpeg', data: expect.stringMatching(/^\/9j\/.{1000,}/) },
      ],
    });
  });

  it('calls several tools at once and gets each answer', async () => {
    const { agent, model } = agentWith(testToolset(), [
      [
        { tool: 'browser_navigate', input: { url: site.url('/?ann') } },
        { tool: 'browser_find', input: { text: 'Mugs' } },
      ],
      'Found.',
    ]);
    await agent.generate('Find mugs');
    expect(textsRead(lastCall(model).prompt).map(withoutBoundaries)).toEqual([
      buyingTexts[0],
      expect.stringMatching(/^heading "Mugs" @e\d+ at \d+,\d+$/),
    ]);
  });

  it('acts only after a person approved, when the run asks for it', async () => {
    const toolset = testToolset();
    const { agent } = agentWith(toolset);
    new Mastra({ agents: { agent }, storage: new InMemoryStore() });
    const first = await agent.generate('Buy a mug', { requireToolApproval: true });
    expect(first.finishReason).toBe('suspended');
    expect(toolset.isBrowserRunning()).toBe(false);
    const second = await agent.approveToolCallGenerate({ runId: first.runId ?? '' });
    expect(second.toolResults[0]?.payload.result).toMatchObject({ success: true, title: 'Shop' });
  });

  it('stops a tool at once when the run is aborted', async () => {
    const abort = new AbortController();
    const toolset = testToolset({ navigationTimeout: 60_000 });
    const { agent } = agentWith(toolset, [{ tool: 'browser_navigate', input: { url: site.url('/endless') } }, 'Done.']);
    await toolset.launch();
    const stream = await agent.stream('Go', { abortSignal: abort.signal });
    for await (const chunk of stream.fullStream) {
      if (chunk.type === 'tool-call') setImmediate(() => abort.abort());
    }
    const next = await toolset.session().navigate({ url: site.url() });
    expect(next).toMatchObject({ success: true, title: 'Shop' });
  });
});

describe('whose browser an agent drives', () => {
  it('gives two threads of one agent two sessions, side by side', async () => {
    const toolset = testToolset();
    const { agent } = agentWith(toolset, [
      read => ({ tool: 'browser_navigate', input: { url: site.url(`/?${read.length}`) } }),
      'Done.',
    ]);
    const run = (thread: string) => agent.generate('Go', { memory: { thread, resource: 'ann' } });
    await Promise.all([run('a'), run('b')]);
    await toolset.session('a').navigate({ url: site.url('/?only-a') });
    expect(await toolset.getCurrentUrl('a')).toBe(site.url('/?only-a'));
    expect(await toolset.getCurrentUrl('b')).toBe(site.url('/?0'));
    expect(toolset.isBrowserRunning('default')).toBe(false);
  });

  it('uses the session "default" without a thread', async () => {
    const toolset = testToolset();
    await agentWith(toolset).agent.generate('Buy a mug');
    expect(await toolset.getCurrentUrl('default')).toBe(site.url('/?ann'));
  });

  it('goes by the thread id that a server put into the request context', async () => {
    const toolset = testToolset();
    const requestContext = new RequestContext();
    requestContext.set(MASTRA_THREAD_ID_KEY, 'from-the-server');
    requestContext.set(MASTRA_RESOURCE_ID_KEY, 'ann');
    await agentWith(toolset).agent.generate('Buy a mug', { requestContext });
    expect(await toolset.getCurrentUrl('from-the-server')).toBe(site.url('/?ann'));
  });

  it('asks the resolver of the options first', async () => {
    const toolset = testToolset({ sessionKey: ({ agent }) => agent?.resourceId && `of-${agent.resourceId}` });
    const { agent } = agentWith(toolset);
    await agent.generate('Buy a mug', { memory: { thread: 'a', resource: 'ann' } });
    expect(await toolset.getCurrentUrl('of-ann')).toBe(site.url('/?ann'));
    expect(toolset.isBrowserRunning('a')).toBe(false);
  });

  it('lets a sub-agent share the browser of its parent through the resolver', async () => {
    const toolset = testToolset({ sessionKey: ({ requestContext }) => requestContext?.get('job') as string });
    const { agent: shopper } = agentWith(toolset);
    const boss = new Agent({
      id: 'boss',
      name: 'Boss',
      instructions: 'Delegate.',
      model: scriptedModel([{ tool: 'agent-shopper', input: { prompt: 'Buy a mug' } }, 'Delegated.']),
      agents: { shopper },
    });
    const requestContext = new RequestContext();
    requestContext.set('job', 'job-7');
    const { text } = await boss.generate('Get a mug', { requestContext });
    expect(text).toBe('Delegated.');
    expect(await toolset.getCurrentUrl('job-7')).toBe(site.url('/?ann'));
  });
});
