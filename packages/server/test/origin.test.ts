import { describe, expect, test } from 'vitest';
import { isLoopback, isOriginAllowed, type OriginRule } from '../src/origin.js';

const LOCAL = 'http://127.0.0.1:4111/browser/web/stream';
const PUBLIC = 'https://studio.example/browser/web/stream';

function allows(origin: string | undefined, url: string, more: { rule?: OriginRule; isLocal?: boolean } = {}): boolean {
  return isOriginAllowed({ rule: more.rule, origin, url: new URL(url), isLocal: more.isLocal ?? false });
}

test.each(['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1'])(
  '%s is this machine',
  host => expect(isLoopback(host)).toBe(true),
);

test.each(['', '0.0.0.0', '10.0.0.1', '128.0.0.1', '127.0.0.1.example.com', 'localhost.example', '::2', 'x127.0.0.1'])(
  '"%s" is another machine',
  host => expect(isLoopback(host)).toBe(false),
);

describe('without a rule', () => {
  test.each([
    ['of the same host', 'https://studio.example', PUBLIC],
    ['of this machine by another of its names', 'http://[::1]:4111', LOCAL],
    ['of this machine by its name', 'http://localhost:4111', LOCAL],
  ])('a page %s may', (_, origin, url) => expect(allows(origin, url)).toBe(true));

  test.each([
    ['of another host', 'https://evil.example', PUBLIC],
    ['of another port of this machine', 'http://localhost:5173', LOCAL],
    ['of another port of the same host', 'https://studio.example:8443', PUBLIC],
    ['of another host, against this machine', 'https://evil.example', LOCAL],
    ['of the viewer’s machine, against a public host', 'http://localhost:3000', PUBLIC],
    ['with a name that only begins like the host', 'https://studio.example.evil.example', PUBLIC],
    ['without an origin of its own, as a sandbox or a file', 'null', LOCAL],
    ['with an origin that is none', 'studio.example', PUBLIC],
  ])('a page %s may not', (_, origin, url) => expect(allows(origin, url)).toBe(false));

  test('a program of this machine may, one of another may not', () => {
    expect(allows(undefined, LOCAL, { isLocal: true })).toBe(true);
    expect(allows(undefined, PUBLIC)).toBe(false);
  });
});

describe('a rule', () => {
  test('that lists origins allows these, and not even the same host beside them', () => {
    const rule = ['https://app.example'];
    expect(allows('https://app.example', PUBLIC, { rule })).toBe(true);
    expect(allows('https://studio.example', PUBLIC, { rule })).toBe(false);
    expect(allows('https://app.example.evil.example', PUBLIC, { rule })).toBe(false);
  });

  test('that is a function decides alone', () => {
    const rule = (origin: string | undefined) => origin === undefined || origin.endsWith('.example');
    expect(allows(undefined, PUBLIC, { rule })).toBe(true);
    expect(allows('https://evil.test', PUBLIC, { rule })).toBe(false);
  });
});
