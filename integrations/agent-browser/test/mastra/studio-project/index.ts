// The project that the Studio test runs: copied next to the scripted model and served by `mastra dev`.
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { scriptedModel } from './scripted-model.ts';

const browser = new BrowserToolset();
const storage = new InMemoryStore();

const model = scriptedModel([
  { tool: 'browser_navigate', input: { url: process.env.PAGE_URL } },
  // The first line is the boundary.
  read => `I read: ${read.at(-1)?.split('\n')[1]} ${whoWent()}`,
]);

/** What the prompt says of the page that was open before. */
function whoWent(): string {
  const isUser = JSON.stringify(model.calls.at(-1)?.prompt).includes('The user went there.');
  return isUser ? 'after the user went elsewhere' : 'on my own';
}

const shopper = new Agent({
  id: 'shopper',
  name: 'Shopper',
  instructions: 'Open the page.',
  model,
  browser,
  memory: new MockMemory({ storage }),
});

export const mastra = new Mastra({ agents: { shopper }, tools: browser.getTools(), storage });
