import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { defineAction } from '../src/index.js';
import { stage } from './fixtures.js';
import { type Mind, says } from './model-server.js';

const { shop, agent } = stage();

const LIMIT = 20_000;
/** More than one question about a page, or one about a part of a long one, takes. */
const ONE_QUESTION = 16_000;

const words = (count: number): string => `<title>Long</title><p>${'Plenty of words to read. '.repeat(count)}</p>`;
/** As many tokens as a fifth of the limit, and as many as several limits. */
const PAGES = { '/page': words(600), '/long': words(20_000) };

/** Asks for these actions in one step, and is as brief as can be where it extracts. */
function wants(actions: object[], answer: object | string = 'Nothing.'): Mind {
  return ({ system }) => (system.startsWith('You extract') ? answer : says(actions));
}

const readTwice = defineAction({
  name: 'read_twice',
  description: 'Ask about the page, again and again.',
  input: z.object({}),
  run: async (_, { ask, state }) => {
    for (let n = 0; n < 50; n++) await ask(`${state.elements}${'What is it? '.repeat(1_000)}`);
    return 'Read';
  },
});

describe('tokens of a run', () => {
  test.each<[string, string, Mind]>([
    ['by many extracts of a step', '/page', wants(Array(50).fill({ extract: { query: 'All' } }))],
    ['by an extract of a long page', '/long', wants([{ extract: { query: 'All' } }])],
    [
      'by extracts whose answers are refused',
      '/page',
      wants(Array(50).fill({ extract: { query: 'All', schema: { type: 'object', required: ['price'] } } }), 'none'),
    ],
    ['by an action of its own', '/page', wants([{ read_twice: {} }, { scroll: { direction: 'down' } }])],
  ])('are used up %s: the run ends at once', async (_, path, mind) => {
    shop.reset({ pages: PAGES });
    const { stopReason, usage, history } = await agent(mind, {
      maxTokens: LIMIT,
      maxActionsPerStep: 50,
      actions: [readTwice],
    }).run({ task: 'x', url: new URL(path, shop.url).href }).result;
    expect([stopReason, history.problem]).toEqual(['budget', expect.stringContaining('maxTokens')]);
    expect(usage.input + usage.output).toBeGreaterThanOrEqual(LIMIT);
    expect(usage.input + usage.output).toBeLessThan(LIMIT + ONE_QUESTION);
    // What no tokens were left for is not taken either.
    expect(history.steps[1]?.results.length).toBeLessThan(10);
    expect(history.steps.flatMap(({ results }) => results.map(({ action }) => action))).not.toContain('scroll');
  });

  test('that are used up by the last extract leave its result', async () => {
    shop.reset({ pages: PAGES });
    const mind = wants([{ extract: { query: 'All' } }], 'It is 12.');
    const { stopReason, extracts } = await agent(mind, { maxTokens: 6_000 }).run({ task: 'x', url: `${shop.url}page` })
      .result;
    expect([stopReason, extracts.map(({ content }) => content)]).toEqual(['budget', ['It is 12.']]);
  });
});
