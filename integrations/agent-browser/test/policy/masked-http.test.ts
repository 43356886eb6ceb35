import { describe, expect, it } from 'vitest';
import { MASKED, maskBody, maskHeaders, maskUrl } from '../../src/policy/masked-http.js';

describe('what a request tells of secrets', () => {
  it.each([
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'X-CSRF-Token',
    'x-session-id',
    'x-amz-security-token',
  ])('is no value of the header %s', name => {
    expect(maskHeaders({ [name]: 'abc' })).toEqual({ [name]: MASKED });
  });

  it.each([
    'content-type',
    'accept',
    'etag',
    'www-authenticate',
    'access-control-allow-credentials',
    'x-author',
    ':authority',
  ])('is the value of the header %s, which is none', name => {
    expect(maskHeaders({ [name]: 'abc' })).toEqual({ [name]: 'abc' });
  });

  it('is no value of a parameter, a form or JSON', () => {
    expect(maskUrl('https://a.example/p?x=1&access_token=abc&y=%20')).toBe(
      `https://a.example/p?x=1&access_token=${MASKED}&y=%20`,
    );
    expect(maskUrl('https://a.example/cb#id_token=abc')).toBe(`https://a.example/cb#id_token=${MASKED}`);
    expect(maskBody('user=ann&password=abc', 'application/x-www-form-urlencoded')).toBe(`user=ann&password=${MASKED}`);
    const json = { user: 'ann', deep: [{ refreshToken: 'abc' }], tokens: 3 };
    expect(JSON.parse(maskBody(JSON.stringify(json), 'application/json; charset=utf-8'))).toEqual({
      user: 'ann',
      deep: [{ refreshToken: MASKED }],
      tokens: 3,
    });
  });

  it('leaves the rest as it is, to the letter', () => {
    for (const url of ['https://a.example/?q=%C3%A4+b&&c', 'https://a.example/?a=b=c?d', 'data:,a=b', '%zz?%zz=1'])
      expect(maskUrl(url)).toBe(url);
    expect(maskBody('{ broken', 'application/json')).toBe('{ broken');
    expect(maskBody('password=abc', 'text/plain')).toBe('password=abc');
  });
});
