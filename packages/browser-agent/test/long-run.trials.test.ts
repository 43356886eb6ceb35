import { expect, test } from 'vitest';
import { trials } from '../../../scripts/testing/trials.js';
import { pageOf, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';

const { server, shop, agent } = stage();

const STEPS = trials.size({ slice: 30, full: 100 });
const link = (n: number): string => `<a href="/entry/${n}">Entry ${n}</a>`;
const pages = Object.fromEntries(
  Array.from({ length: STEPS + 1 }, (_, n) => [
    `/entry/${n}`,
    `<title>Entry ${n}</title><h1>Entry ${n}</h1><p>Its code is ${n * 7919}.</p>${link(n + 1)}`,
  ]),
);

test(`a run of ${STEPS} steps asks as briefly at its end as at its beginning, and begins each question alike`, {
  timeout: trials.limit,
}, async () => {
  shop.reset({ pages });
  const reader: Mind = asked => {
    const shown = pageOf(asked);
    const n = Number(/heading "Entry (\d+)"/.exec(shown.text)?.[1]);
    const memory = `Read ${n} entries; the code of the last one is ${n * 7919}.`;
    if (n >= STEPS - 1) return says([{ done: { text: 'All read', success: true } }], { memory });
    const nextGoal = `Open entry ${n + 1} and note its code`;
    return says([{ click: { ref: refOn(shown, 'link', `Entry ${n + 1}`) } }], { memory, nextGoal });
  };
  const { success } = await agent(reader, { maxSteps: STEPS + 5 }).run({ task: 'Read all', url: `${shop.url}entry/0` })
    .result;
  expect(success).toBe(true);
  expect(server.asked).toHaveLength(STEPS);
  const prompts = server.asked.map(({ system, text }) => system + text);
  const lengthOf = (step: number): number => prompts[step - 1]?.length ?? 0;
  expect(lengthOf(STEPS) / lengthOf(10)).toBeLessThan(1.5);
  const shares = prompts.slice(1).map((prompt, i) => {
    const before = prompts[i] ?? '';
    let same = 0;
    while (same < before.length && before[same] === prompt[same]) same++;
    return same / before.length;
  });
  expect(Math.min(...shares)).toBeGreaterThan(0.5);
  expect(prompts.at(-1)).toContain(`Read ${STEPS - 2} entries`);
});
