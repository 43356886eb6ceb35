import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSecretDomain, Secrets } from '#egress/secrets.js';
import { BrowserToolset } from '../../src/index.js';

const VALUE = 'hun+ter/2 &<b>"q"\\e\u0301';
const secrets = new Secrets({ PW: { value: VALUE, domains: ['example.com'] } });
const html = (text: string) => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);
const forms: Record<string, (text: string) => string> = {
  'as it is': text => text,
  'in another case': text => text.toUpperCase(),
  'composed differently': text => text.normalize('NFC'),
  'in a url': encodeURIComponent,
  'in a url twice': text => encodeURIComponent(encodeURIComponent(text)),
  'in a form': text => new URLSearchParams({ q: text }).toString().slice(2),
  'as HTML': html,
  'as named HTML': text =>
    text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  'as JSON': text => JSON.stringify(text).slice(1, -1),
  'as JSON in JSON': text => JSON.stringify(JSON.stringify(text)).slice(1, -1),
  'with escapes alone': text =>
    Array.from(text, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'in base64': text => Buffer.from(text).toString('base64'),
  'in base64 for urls': text => Buffer.from(text).toString('base64url'),
  'in base64 behind a name': text => Buffer.from(`ann:${text}`).toString('base64'),
  'in base64 behind another name': text => Buffer.from(`anna:${text}:x`).toString('base64'),
  'in hexadecimal': text => Buffer.from(text).toString('hex'),
  'with line breaks in it': text => text.replace(/(.{4})/g, '$1\n'),
  'with soft hyphens in it': text => text.replace(/(.{2})/g, '$1\u00ad'),
};

describe('a secret that a text tells', () => {
  it.each(Object.entries(forms))('is hidden %s', (_, form) => {
    const hidden = secrets.hide(`before ${form(VALUE)} after`);
    expect(hidden).toMatch(/^before .{0,24}<secret>PW<\/secret>\s?.{0,8} after$/);
    expect(hidden).not.toContain(form(VALUE).slice(2, -2));
  });

  it('is hidden for any value, in a url, in JSON and as it is', () => {
    const value = fc
      .string({ minLength: 4, maxLength: 30, unit: 'grapheme' })
      .filter(text => text.trim() === text && !/[^\S ]/.test(text));
    fc.assert(
      fc.property(value, fc.string(), (text, around) => {
        fc.pre(
          text.length >= 4 &&
            text.isWellFormed() &&
            around.isWellFormed() &&
            !'<secret>PW</secret>'.toLowerCase().includes(text.toLowerCase()),
        );
        const one = new Secrets({ PW: { value: text, domains: ['example.com'] } });
        for (const form of [
          text,
          encodeURIComponent(text),
          JSON.stringify(text).slice(1, -1),
          text.toUpperCase().toLowerCase(),
        ])
          expect(one.hide(`${around}|${form}|${around}`).replaceAll('<secret>PW</secret>', '')).not.toContain(
            `|${form}|`,
          );
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['!\u3164   !', '%21%E3%85%A4%20%20%20%21'],
    ['!\u3164   !', '!\\u3164   !'],
    ['pass\u200b\u00adword', 'pass%E2%80%8B%C2%ADword'],
    ['\ufeffpassword', encodeURIComponent('\ufeffpassword')],
    ['pass\u200dword', Buffer.from('pass\u200dword').toString('base64')],
    ['\u3164\u3164\u3164\u3164', encodeURIComponent('\u3164\u3164\u3164\u3164')],
  ])('%j is hidden where what nobody sees of it is escaped: %s', (value, form) => {
    const one = new Secrets({ PW: { value, domains: ['example.com'] } });
    expect(one.hide(`a|${form}|b`)).toMatch(/^a\|.{0,12}<secret>PW<\/secret>\|b$/);
  });

  it('is hidden where the longer one holds the shorter', () => {
    const two = new Secrets({
      SHORT: { value: 'swordfish', domains: ['example.com'] },
      LONG: { value: 'swordfish-and-more', domains: ['example.com'] },
    });
    expect(two.hide('swordfish-and-more, swordfish')).toBe('<secret>LONG</secret>, <secret>SHORT</secret>');
  });

  it('is hidden when only its beginning is left of it', () => {
    const long = new Secrets({ PW: { value: 'correct-horse-battery', domains: ['example.com'] } });
    const lead = 'x'.repeat(100);
    for (const tail of ['', '…', '"', '..."'])
      expect(long.hide(`${lead}correct-hor${tail}`)).toBe(`${lead}<secret>PW</secret>${tail}`);
    expect(long.hide('The correct')).toBe('The correct');
  });

  it('is hidden in keys and texts of any object, which else stays the same one', () => {
    const simple = new Secrets({ PW: { value: 'swordfish', domains: ['example.com'] } });
    const clean = { a: ['b', { c: 1 }], ref: 'x' };
    expect(simple.hideIn(clean)).toBe(clean);
    expect(simple.hideIn({ 'at swordfish': [{ deep: 'swordfish' }], n: 1 })).toEqual({
      'at <secret>PW</secret>': [{ deep: '<secret>PW</secret>' }],
      n: 1,
    });
  });
});

describe('the domains of a secret', () => {
  const filled = (domain: string, origin: string) =>
    'text' in new Secrets({ PW: { value: 'swordfish', domains: [domain] } }).fill('<secret>PW</secret>', origin);

  it.each([
    ['example.com', 'https://example.com', true],
    ['EXAMPLE.com', 'https://example.com', true],
    ['example.com', 'https://example.com:8443', true],
    ['example.com:8443', 'https://example.com', false],
    ['example.com', 'http://example.com', false],
    ['example.com', 'https://www.example.com', false],
    ['example.com', 'https://example.com.evil.test', false],
    ['example.com', 'https://notexample.com', false],
    ['*.example.com', 'https://a.b.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['*.example.com', 'https://notexample.com', false],
    ['bücher.example', 'https://xn--bcher-kva.example', true],
    ['127.0.0.1', 'http://127.0.0.1:4711', true],
    ['localhost', 'http://localhost:4711', true],
    ['[::1]', 'http://[::1]:4711', true],
    ['example.com', 'null', false],
    ['example.com', '', false],
  ])('%s and a document of %s: %s', (domain, origin, expected) => expect(filled(domain, origin)).toBe(expected));

  it.each(['', '*', '*.com', 'https://example.com', 'example.com/path', 'a b', '*.*.com', 'exa*mple.com', '@evil'])(
    'cannot be %j',
    text => expect(parseSecretDomain(text)).toBeUndefined(),
  );
});

describe('the option secrets', () => {
  const refusal = (secrets: Record<string, { value: string; domains: string[] }>) => {
    try {
      new BrowserToolset({ secrets });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  it.each([
    [{ PIN: { value: '123', domains: ['example.com'] } }, 'secrets.PIN.value: has fewer than 4 characters'],
    [{ PW: { value: 'swordfish\n', domains: ['example.com'] } }, 'secrets.PW.value: begins or ends with white space'],
    [
      { PASSWORD: { value: 'Password', domains: ['example.com'] } },
      'secrets.PASSWORD.value: is part of the placeholder of a secret',
    ],
    [
      { PW: { value: 'textbox', domains: ['example.com'] } },
      'secrets.PW.value: is a word that the toolset itself uses',
    ],
    [{ PW: { value: 'swordfish', domains: [] } }, 'secrets.PW.domains: name at least one'],
    [{ PW: { value: 'swordfish', domains: ['*'] } }, 'secrets.PW.domains: "*" is not a domain'],
    [{ 'a b': { value: 'swordfish', domains: ['example.com'] } }, 'secrets.a b: a name may only contain letters'],
  ])('refuses %j with a reason that does not tell the value', (option, reason) => {
    const message = refusal(option);
    expect(message).toContain(reason);
    expect(message).not.toMatch(/swordfish|123|textbox/);
  });
});
