// An agent that has the tools.
//   node examples/agent-with-tools.ts [url]
// MODEL=openai/gpt-… (any model of Mastra's router, with its key in the environment) lets that model drive the browser;
// without one a script stands in for it, so that the example runs offline.
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Agent } from '@mastra/core/agent';
import { demoShop } from './demo-shop.ts';
import { refIn, scriptedModel } from './scripted-model.ts';

const url = process.argv[2] ?? (await demoShop());
const script = scriptedModel([
  { tool: 'browser_navigate', input: { url } },
  read => ({ tool: 'browser_click', input: { ref: refIn(read, 'link ') } }),
  read => `I followed the last link and read:\n${read.at(-1)}`,
]);

const browser = new BrowserToolset();
const agent = new Agent({
  id: 'web',
  name: 'Web',
  instructions: 'Use the browser to do what the user asks. Act by the refs that you read.',
  model: process.env.MODEL ?? script,
  tools: browser.tools,
});

const { text, steps } = await agent.generate(`Open ${url}, follow the last link and tell me what is there.`);
for (const { payload } of steps.flatMap(step => step.toolCalls)) console.log(payload.toolName, payload.args);
console.log(text);
await browser.close();
