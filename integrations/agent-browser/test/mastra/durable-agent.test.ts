import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../examples/scripted-model.ts';
import { servePages, testToolset } from '../fixtures.js';

test.each(['tools', 'browser'] as const)('works in a durable agent of Mastra as its %s', async form => {
  const site = await servePages({
    '/': '<title>Home</title><button onclick="document.title = `Pressed`">Press</button>',
  });
  const toolset = testToolset();
  const model = scriptedModel([
    { tool: 'browser_navigate', input: { url: site.url() } },
    { tool: 'browser_click', input: { ref: '@e1' } },
    'It was pressed.',
  ]);
  const attached = form === 'tools' ? { tools: toolset.tools } : { browser: toolset };
  const agent = new Agent({ id: 'web', name: 'web', instructions: 'Press it.', model, ...attached });
  const durable = createDurableAgent({ agent });
  const mastra = new Mastra({ agents: { durable }, storage: new InMemoryStore(), logger: false });
  expect(mastra.getAgent('durable')).toBeDefined();
  const { output, cleanup } = await durable.stream('Press it', {
    memory: { thread: `durable-${form}`, resource: 'r' },
  });
  expect(await output.text).toContain('It was pressed.');
  cleanup();
  const listed = await toolset.session(`durable-${form}`).tabs({ action: 'list' });
  expect(listed.tabs?.map(({ title }) => title)).toEqual(['Pressed']);
});
