import { init } from '@mastra/inngest';
import { Inngest } from 'inngest';
import { expect, test } from 'vitest';
import { BrowserAgent } from '../src/index.js';

test("the loop is built by the functions of Inngest's engine", () => {
  const agent = new BrowserAgent({ browser: { tools: {} } as never, model: 'openai/gpt-5-mini' });
  const workflow = agent.workflowOn(init(new Inngest({ id: 'shop' })) as never);
  expect(workflow.id).toBe('browser-agent');
  expect(Object.keys(workflow.steps)).toEqual(expect.arrayContaining(['start', 'browser-agent-step', 'finish']));
});
