import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText, shortText } from '../src/text/cut-text.js';

describe('a text that is too long', () => {
  test.each([
    ['after a phrase', 'IC 708, 06:32 to 08:41, direct, 29.00 EUR', 32, 'IC 708, 06:32 to 08:41, direct,…'],
    ['after a word', 'Grilled Pork Tenderloin meat gluten-free', 32, 'Grilled Pork Tenderloin meat…'],
    ['before a price', 'Ann Lee ann@example.com Sales Active $3,706 paid', 43, 'Ann Lee ann@example.com Sales…'],
    ['after a price with its currency', 'Paid in full 3 706 kr on 5 May 2024 by card', 31, 'Paid in full 3 706 kr…'],
    ['before a date', 'We met again on 5 May 2024 in Oslo', 20, 'We met again…'],
    ['before a time', 'The train leaves tonight at 23:59 sharp', 31, 'The train leaves tonight…'],
    ['in a word where none ends', 'n'.repeat(90), 70, `${'n'.repeat(70)}…`],
    ['not in a number of a language without spaces', '合計3706円の商品をカートに入れる', 4, '合…'],
    ['not in a figure of an address', 'https://example.com/a/b/c/12345678/x', 30, 'https://example.com/a/b/c…'],
  ])('is cut %s', (_where, text, limit, cut) => {
    expect(shortText(text, limit)).toBe(cut);
  });

  test.each([
    ['a pair', `${'n'.repeat(69)}😀😀`, 70, 69],
    ['an emoji of several', `${'n'.repeat(68)}👩‍👩‍👧`, 72, 68],
    ['a letter and its accent', `${'n'.repeat(69)}e\u0301n`, 70, 69],
    ['a flag', `${'n'.repeat(67)} 🇳🇴`, 70, 67],
  ])('is not cut in %s', (_what, text, limit, length) => {
    expect(cutText(text, limit)).toHaveLength(length);
  });

  test('is never longer than the limit, never ends in half a character and keeps every number whole', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(' ', ', ', ' kr', '$', ' May ', 'word '),
      fc.integer({ min: 0, max: 99_999 }).map(number => number.toLocaleString('en')),
    );
    const texts = fc.array(part, { maxLength: 30 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 12, max: 80 }), (text, limit) => {
        const cut = cutText(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut).not.toMatch(/[\ud800-\udbff]$/);
        const [before, after] = [cut, text.slice(cut.length)];
        const figures = /[\p{N}\p{Sc}.,:/'’-]*$/u.exec(before)?.[0] ?? '';
        // What has no other character than those of figures can only be cut in one.
        if (figures.length < Math.min(cut.length, 12))
          expect(/\p{N}$/u.test(before) && /^[.,]?\p{N}/u.test(after)).toBe(false);
      }),
    );
  });
});
