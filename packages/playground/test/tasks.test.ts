import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Agent } from '@mastra/core/agent';
import { describe, expect, test } from 'vitest';
import { startDemoSite } from '../src/demo-site/index.js';
import { createScriptedModel } from '../src/scripted-model/index.js';
import { DEMO_TASKS, demoScripts } from '../src/tasks/index.js';

/** What the scripted model says of a task at its end. */
async function lastWords(id: string): Promise<string> {
  await using site = await startDemoSite();
  await using browser = new BrowserToolset();
  const task = DEMO_TASKS.find(candidate => candidate.id === id) ?? expect.fail(`no task ${id}`);
  const agent = new Agent({
    id: 'shopper',
    name: 'Shopper',
    instructions: 'Do the task.',
    model: createScriptedModel(demoScripts),
    tools: browser.tools,
  });
  const { steps } = await agent.generate(task.prompt(site.url), { maxSteps: 60 });
  return steps.at(-1)?.text ?? '';
}

describe('a demo task', () => {
  test('in a form runs into its checks and puts one thing right', async () => {
    const words = await lastWords('correct-an-address');
    expect(words).toContain('The postal code is accepted now.');
    expect(words).not.toContain('“Enter a postal code that fits the country”');
    expect(words).toContain('“Accept the terms of sale to place the order”');
  });

  test('about the terms reads them in their own tab', async () => {
    expect(await lastWords('read-the-terms')).toBe('The tab is closed, and the shop is open again.');
  });

  test.each(DEMO_TASKS.map(task => [task.id, task] as const))('is recognised by its own words: %s', (id, task) => {
    expect(demoScripts.choose(task.prompt('http://127.0.0.1:4601')).id).toBe(id);
  });

  test('that nobody wrote is not attempted', async () => {
    expect(demoScripts.choose('Book a flight to Oslo').id).toBe('at-a-loss');
  });
});
