import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOwnToken, readToken, signToken, type TokenClaims } from '../src/tokens.js';

const SECRET = Buffer.from('a secret of the test');
const claims = fc.record(
  {
    agentId: fc.string(),
    threadId: fc.string(),
    right: fc.constantFrom('view' as const, 'control' as const),
    expiresAt: fc.integer({ min: 1, max: 1e15 }),
  },
  { requiredKeys: ['agentId', 'right', 'expiresAt'] },
);
const ONE: TokenClaims = { agentId: 'web', threadId: 'one', right: 'control', expiresAt: 1000 };

describe('a token', () => {
  test('says what was signed, until it expires', () => {
    fc.assert(
      fc.property(claims, signed => {
        const token = signToken(SECRET, signed as TokenClaims);
        expect(isOwnToken(token)).toBe(true);
        expect(readToken(SECRET, token, signed.expiresAt - 1)).toEqual({ claims: signed });
        expect(readToken(SECRET, token, signed.expiresAt)).toEqual({ fault: 'expired' });
      }),
    );
  });

  test('with any character changed says nothing', () => {
    const token = signToken(SECRET, ONE);
    for (let index = 0; index < token.length; index += 1) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
      // The last character of base64url may hold bits that mean nothing.
      if (index < token.length - 1) expect(readToken(SECRET, changed, 0)).toHaveProperty('fault');
    }
  });

  test('of another secret is forged', () => {
    expect(readToken(SECRET, signToken(Buffer.from('another'), ONE), 0)).toEqual({ fault: 'forged' });
  });

  test('that is none is told so, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(readToken(SECRET, text, 0)).toHaveProperty('fault');
      }),
    );
    for (const text of ['', 'lv1', 'lv1..', 'lv1.a.b.c', 'lv1.e30.', `lv1.e30.${'A'.repeat(43)}`]) {
      expect(readToken(SECRET, text, 0)).toHaveProperty('fault');
    }
  });
});
