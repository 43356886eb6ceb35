import { describe, expect, test } from 'vitest';
import { buyerOf, pageOf, stage } from './fixtures.js';
import { says } from './model-server.js';

const { server, shop, agent } = stage();

describe('a run', () => {
  test('on the thread of another one goes on in its pages, and knows what it did', async () => {
    shop.reset();
    const one = agent(buyerOf('Red mug'));
    await one.run({ task: `Buy the red mug at ${shop.url}`, threadId: 'follow' }).result;
    server.thinks(asked =>
      says([{ done: { text: pageOf(asked).text.includes('Thank you') ? 'same page' : 'elsewhere', success: true } }]),
    );
    const { result } = await one.run({ task: 'What does the page say?', threadId: 'follow' }).result;
    expect(result).toBe('same page');
    expect(server.asked[0]?.text).toContain('It ended with: Ordered the Red mug.');
  });

  test('on the thread of one that did not come to its end knows at each step how far that came', async () => {
    shop.reset();
    const one = agent(asked =>
      asked.n === 0
        ? says([{ extract: { query: 'price of the mug' } }], { memory: 'Looked at 4711', plan: 'Buy it' })
        : asked.system.startsWith('You extract')
          ? '$9.50'
          : says([{ scroll: { direction: 'down' } }], { memory: '' }),
    );
    const first = await one.run({ task: 'Buy a mug', url: shop.url, threadId: 'left', maxSteps: 2 }).result;
    expect(first.stopReason).toBe('max_steps');
    server.thinks(({ n }) =>
      says([n === 0 ? { scroll: { direction: 'down' } } : { done: { text: '', success: true } }]),
    );
    const run = one.run({ task: 'Go on', threadId: 'left' });
    const memories: string[] = [];
    run.on('looked', () => memories.push(run.state.memory));
    await run.result;
    expect([memories[0], server.asked.length]).toEqual(['Looked at 4711', 2]);
    for (const { text } of server.asked) {
      const [, before = ''] = /<task_before>(.*)<\/task_before>/s.exec(text) ?? [];
      for (const part of [
        'previous task in this browser: Buy a mug',
        'max_steps',
        'Memory: Looked at 4711',
        'Plan: Buy it',
        '$9.50',
      ])
        expect(before).toContain(part);
    }
  });
});
