import { BrowserToolset } from '@browser-toolset/agent-browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { BrowserAgent } from '../src/index.js';
import { ModelServer, type Mind, refOn, says } from './model-server.js';
import { Shop } from './shop.js';

const server = new ModelServer();
const shop = new Shop();
const browser = new BrowserToolset();

beforeAll(async () => {
  await Promise.all([server.start(), shop.start()]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([server.stop(), shop.stop()]);
});

/** Buys the red mug, as far as it can see. */
const buyer: Mind = asked => {
  const page = asked.text.slice(asked.text.indexOf('<browser_state>'));
  const shown = { ...asked, text: page };
  if (page.includes('heading "Thank you"')) return says([{ done: { text: 'Ordered the red mug.', success: true, data: { name: 'Red mug' } } }]);
  if (page.includes('heading "Checkout"')) {
    const fields = [
      { ref: refOn(shown, 'textbox', 'Full name'), value: 'Ann Lee' },
      { ref: refOn(shown, 'textbox', 'Email'), value: 'ann@example.com' },
    ];
    return says([{ fill_form: { fields } }, { click: { ref: refOn(shown, 'button', 'Place order') } }]);
  }
  if (page.includes('link "Checkout"')) return says([{ click: { ref: refOn(shown, 'link', 'Checkout') } }]);
  const row = page.slice(page.indexOf('Red mug'));
  return says([{ click: { ref: refOn({ ...asked, text: row }, 'button', 'Add to cart') } }], { memory: 'The red mug costs $9.50' });
};

describe('a run', () => {
  test('does a task to its end, with each step told and recorded', async () => {
    shop.reset();
    const agent = new BrowserAgent({ browser, model: server.thinks(buyer) });
    const run = agent.run({ task: `Buy the red mug at ${shop.url}`, output: z.object({ name: z.string() }) });
    const goals: string[] = [];
    for await (const step of run) goals.push(step.results.map(({ text }) => text).join('; '));
    const result = await run.result();
    expect(result).toMatchObject({ success: true, stopReason: 'done', result: 'Ordered the red mug.', output: { name: 'Red mug' } });
    expect(shop.orders).toEqual([{ items: ['Red mug'], name: 'Ann Lee', email: 'ann@example.com' }]);
    expect(goals).toHaveLength(5);
    expect(result.history.steps.map(({ title }) => title)).toEqual(['', 'Shop', 'Cart', 'Checkout', 'Thanks']);
    expect(result.usage.input).toBeGreaterThan(100);
    console.log(server.asked[2]?.system, server.asked[2]?.text, JSON.stringify(result.history.steps[1], null, 1));
  });
});
