// An agent that has the toolset in Mastra's browser slot: the tools come with it, Mastra tells the model where the browser
// is, and Mastra Studio (`mastra dev`) shows it live. Each thread has a session of its own that lasts from turn to turn.
//   node examples/agent-with-browser.ts [url]
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { demoShop } from './demo-shop.ts';
import { scriptedModel } from './scripted-model.ts';

const url = process.argv[2] ?? (await demoShop());
const script = scriptedModel([{ tool: 'browser_snapshot', input: {} }, read => `This is open:\n${read.at(-1)}`]);

const browser = new BrowserToolset();
const agent = new Agent({
  id: 'web',
  name: 'Web',
  instructions: 'Use the browser to do what the user asks.',
  model: process.env.MODEL ?? script,
  browser,
  // Keeps threads in memory; an application takes @mastra/memory and a store.
  memory: new MockMemory(),
});

// The program and the agent share the session of the thread.
await browser.session('thread-1').navigate({ url });
const { text } = await agent.generate('What is open in the browser?', {
  memory: { thread: 'thread-1', resource: 'ann' },
});
console.log(text);
console.log('Mastra sees', await browser.getBrowserState('thread-1'));
await browser.close();
