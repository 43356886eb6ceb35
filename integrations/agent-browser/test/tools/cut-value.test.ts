import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutValue } from '../../src/call/cut-value.js';
import { estimateTokens } from '../../src/tokens.js';

describe('a value that is cut to a budget', () => {
  it('stays as it is when it fits, and never takes more than the budget when it does not', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 40, max: 400 }), (value, budget) => {
        const { value: cut, truncated } = cutValue(value, budget);
        const tokens = estimateTokens(JSON.stringify(cut));
        expect(tokens).toBeLessThanOrEqual(budget);
        if (estimateTokens(JSON.stringify(value)) <= budget) expect(cut).toBe(value);
        else expect(truncated).toMatchObject({ shown: tokens });
      }),
    );
  });

  it('says at each place how much is missing, with what was counted before', () => {
    const list = Array.from({ length: 100 }, (_, index) => index);
    expect(cutValue(list, 30).value).toContainEqual(expect.stringMatching(/^… [89]\d more$/));
    expect(cutValue([...list, '… 900 more'], 30).value).toContainEqual(expect.stringMatching(/^… 9[89]\d more$/));
    expect(cutValue('word '.repeat(200), 30).value).toMatch(/^(word )+.*… \d{3} more characters$/);
    const fields = Object.fromEntries(list.map(index => [`key${index}`, index]));
    expect(cutValue(fields, 40).value).toMatchObject({ key0: 0, '…': expect.stringMatching(/^9\d more$/) });
  });
});
