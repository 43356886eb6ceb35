import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitIntoPages } from '../../src/reading/write.js';
import { estimateTokens } from '../../src/tokens.js';

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const paragraph = fc.array(word, { minLength: 1, maxLength: 80 }).map(words => words.join(' '));
const code = fc
  .array(paragraph, { minLength: 1, maxLength: 20 })
  .map(lines => `\`\`\`js\n${lines.join('\n\n')}\n\`\`\``);
const table = fc
  .array(fc.tuple(word, word), { minLength: 1, maxLength: 40 })
  .map(rows => `| a | b |\n| --- | --- |\n${rows.map(([a, b]) => `| ${a} | ${b} |`).join('\n')}`);
const text = fc.array(fc.oneof(paragraph, code, table), { maxLength: 20 }).map(blocks => blocks.join('\n\n'));

test('pages hold every word in its order, and none is larger than asked', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 100, max: 600 }), (whole, maxTokens) => {
      const pages = splitIntoPages(whole, maxTokens);
      for (const page of pages) expect(estimateTokens(page)).toBeLessThanOrEqual(maxTokens * 1.1);
      const words = (of: string) => of.replace(/```(?:js)?|\| a \| b \|\n\| --- \| --- \|/g, '').match(/[a-z]+/g) ?? [];
      expect(words(pages.join('\n'))).toEqual(words(whole));
    }),
  );
});

test('code and tables that go on over a page are code and tables on each', () => {
  const lines = Array.from({ length: 200 }, (_, index) => `call number ${index};`);
  for (const page of splitIntoPages(`\`\`\`js\n${lines.join('\n')}\n\`\`\``, 200))
    expect(page).toMatch(/^```js\n[\s\S]+\n```$/);
  const rows = Array.from({ length: 200 }, (_, index) => `| ${index} | row |`);
  for (const page of splitIntoPages(`| No | What |\n| --- | --- |\n${rows.join('\n')}`, 200))
    expect(page).toMatch(/^\| No \| What \|\n\| --- \| --- \|\n\| \d+ \| row \|/);
});

test('a text without any space is taken apart too', () => {
  const pages = splitIntoPages('x'.repeat(20_000), 100);
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.join('')).toBe('x'.repeat(20_000));
});
