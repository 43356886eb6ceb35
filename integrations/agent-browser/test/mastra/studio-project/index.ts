// The project that the Studio test runs: copied next to the scripted model and served by `mastra dev`.
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { scriptedModel } from './scripted-model.ts';

const browser = new BrowserToolset();
const storage = new InMemoryStore();

const shopper = new Agent({
  id: 'shopper',
  name: 'Shopper',
  instructions: 'Open the page.',
  model: scriptedModel([
    { tool: 'browser_navigate', input: { url: process.env.PAGE_URL } },
    read => `I read: ${read.at(-1)?.split('\n')[0]}`,
  ]),
  browser,
  memory: new MockMemory({ storage }),
});

export const mastra = new Mastra({ agents: { shopper }, tools: browser.getTools(), storage });
