import { expect, test } from 'vitest';
import { checkUrl } from '#egress/url-policy.js';

test.each([
  ['example.com', 'https://example.com/'],
  ['//example.com/a', 'https://example.com/a'],
  ['example.com:8080/path', 'https://example.com:8080/path'],
  ['user:pass@example.com', 'https://user:pass@example.com/'],
  ['localhost', 'http://localhost/'],
  ['localhost:3000/x?y#z', 'http://localhost:3000/x?y#z'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['[::1]:8080/x', 'http://[::1]:8080/x'],
  ['0.0.0.0:3000', 'http://0.0.0.0:3000/'],
  ['foo.localhost:3000/x', 'http://foo.localhost:3000/x'],
  ['localhost.:3000', 'http://localhost.:3000/'],
  ['LOCALHOST?x', 'http://localhost/?x'],
  ['127.1:3000', 'http://127.0.0.1:3000/'],
  ['2130706433', 'http://127.0.0.1/'],
  ['192.168.1.1/admin', 'http://192.168.1.1/admin'],
  ['user:pass@localhost:3000', 'http://user:pass@localhost:3000/'],
  ['localhost.example:3000', 'https://localhost.example:3000/'],
  ['notlocalhost:3000', 'https://notlocalhost:3000/'],
  ['8.8.8.8:53', 'https://8.8.8.8:53/'],
  ['[2001:db8::1]/x', 'https://[2001:db8::1]/x'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['  https://example.com/a b  ', 'https://example.com/a%20b'],
  ['bücher.example/straße', 'https://xn--bcher-kva.example/stra%C3%9Fe'],
  ['about:blank', 'about:blank'],
])('%j reads as %s', (input, url) => {
  expect(checkUrl(input)).toEqual({ allowed: true, url });
});

test.each([
  'javascript:alert(1)',
  ' JavaScript:1',
  'file:///etc/passwd',
  'data:text/html,hi',
  'data:1',
  'chrome://version',
  'view-source:https://example.com',
  'ftp://example.com',
  'mailto:ann@example.com',
  'blob:https://example.com/1',
  'about:version',
  'vbscript:x',
  'intent://x',
  'ws://example.com',
])('%j is blocked', input => {
  expect(checkUrl(input)).toMatchObject({ allowed: false, code: 'url_blocked' });
});

test.each([
  '',
  '   ',
  'hello world',
  'http://',
  'https://exa mple.com',
  'java\nscript:alert(1)',
  '/etc/passwd',
  './page',
  '?q',
  '#top',
  'http://[::1',
  'https://a b.com/',
])('%j is no web address', input => {
  const checked = checkUrl(input);
  expect(checked).toMatchObject({ allowed: false, code: 'invalid_input', reason: expect.stringContaining('url: ') });
});
