import { describe, expect, it } from 'vitest';
import { MASKED, maskBody, maskHeaders, maskUrl } from '../src/masked-http.js';

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

  it('is no number that is one, and no part of a form with files', () => {
    const numbers = { pin: 4711, otp: 123456, session_id: 5, max_tokens: 512, tokenExpiresIn: 3600, secret_at: 17 };
    expect(JSON.parse(maskBody(JSON.stringify(numbers), 'application/json'))).toEqual({
      ...numbers,
      ...{ pin: MASKED, otp: MASKED, session_id: MASKED },
    });
    const part = (name: string, value: string, more = '') =>
      `--b-42\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const form = (password: string, key: string) =>
      `${part('user', 'ann')}${part('password', password)}${part('api_key', key, '; filename="k.txt"\r\nContent-Type: text/plain')}--b-42--\r\n`;
    expect(maskBody(form('abc\r\ndef', 'xyz'), 'multipart/form-data; boundary=b-42')).toBe(form(MASKED, MASKED));
  });

  it('is in no url of a header, and in no JSON that does not say so or is not whole', () => {
    const url = (value: string) => `https://a.example/cb?x=1&access_token=${value}`;
    const headers = (value: string) => ({ location: url(value), referer: url(value), ':path': `/cb?token=${value}` });
    expect(maskHeaders(headers('abc'))).toEqual(headers(MASKED));
    expect(maskBody('{"user":"ann","password":"abc"}', 'text/plain')).toBe(`{"user":"ann","password":"${MASKED}"}`);
    const lines = (value: string, pin: string) =>
      `)]}',\n{"user":"ann","password": ${value}}\n{"pin":${pin}}\n{"token":`;
    const hidden = lines(`"${MASKED}"`, `"${MASKED}"`);
    expect(maskBody(lines('"a\\"bc"', '4711'), 'application/json')).toBe(hidden);
    expect(maskBody(`${lines('"x"', '1')}"cut off`, 'application/json')).toBe(`${hidden}"${MASKED}"`);
  });

  it('leaves the rest as it is, to the letter', () => {
    for (const url of ['https://a.example/?q=%C3%A4+b&&c', 'https://a.example/?a=b=c?d', 'data:,a=b', '%zz?%zz=1'])
      expect(maskUrl(url)).toBe(url);
    expect(maskBody('{ broken', 'application/json')).toBe('{ broken');
    expect(maskBody('password=abc', 'text/plain')).toBe('password=abc');
  });
});
