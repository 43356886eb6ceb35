// A secret that the model names and never sees, and an action that a person approves before it happens.
//   node examples/secrets-and-approvals.ts
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { demoShop } from './demo-shop.ts';
import { refIn, scriptedModel } from './scripted-model.ts';

const url = await demoShop();
const script = scriptedModel([
  { tool: 'browser_navigate', input: { url: `${url}sign-in` } },
  read => ({ tool: 'browser_type', input: { ref: refIn(read, 'textbox "Name"'), text: '<secret>CUSTOMER</secret>' } }),
  read => ({ tool: 'browser_click', input: { ref: refIn(read.slice(0, 1), 'button "Sign in"') } }),
  { tool: 'browser_find', input: { text: 'Signed in as' } },
  read => `The page says:\n${read.at(-1)}`,
]);

const browser = new BrowserToolset({
  secrets: { CUSTOMER: { value: 'Ann Example', domains: ['127.0.0.1'] } },
  // Or a function: action => action.classes.includes('pay') && action.url?.startsWith('https://shop.example/')
  approval: ['submit', 'pay', 'delete'],
});
const agent = new Agent({
  id: 'web',
  name: 'Web',
  instructions: 'Sign in as <secret>CUSTOMER</secret>.',
  model: process.env.MODEL ?? script,
  tools: browser.tools,
});
// Keeps runs that wait in memory; an application takes a store that lasts.
new Mastra({ agents: { agent }, storage: new InMemoryStore() });

const waiting = await agent.generate(`Open ${url}sign-in and sign in.`);
console.log('The run is', waiting.finishReason, 'before', waiting.suspendPayload?.toolName);
const { text } = await agent.approveToolCallGenerate({ runId: waiting.runId ?? '' });
console.log(text);
await browser.close();
