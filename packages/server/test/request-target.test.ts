import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { serveView } from './viewing.js';

/** Sends a request with this very target, and answers its first line. */
async function statusOf(url: string, target: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [`GET ${target} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (answer.includes('\r\n')) break;
  }
  socket.destroy();
  return answer.split('\r\n')[0] ?? '';
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

describe('a request target that names a host of its own', () => {
  test.each(['//evil.example', '//127.0.0.1', 'http://127.0.0.1', '\\\\evil.example', '/\\evil.example'])(
    'is no way around the checks: %s',
    async start => {
      const { browser, url } = await serveView();
      browser.open('one', 'https://shop.example/');
      const stream = `${start}/browser/web/stream?threadId=one`;
      const page = { host: 'evil.example', origin: 'https://evil.example', ...upgrade };
      expect(await statusOf(url, stream, page)).not.toContain(' 101 ');
      const rest = `${start}/browser/web/sessions`;
      expect(await statusOf(url, rest, { host: 'evil.example' })).not.toContain(' 200 ');
      expect(browser.streamCount('one')).toBe(0);
    },
  );

  test('is not needed by anybody else', async () => {
    const { browser, url } = await serveView();
    browser.open('one', 'https://shop.example/');
    const { host } = new URL(url);
    expect(await statusOf(url, '/browser/web/stream?threadId=one', { host, ...upgrade })).toContain(' 101 ');
    expect(await statusOf(url, '/browser/web/sessions', { host })).toContain(' 200 ');
  });
});

test('an upgrade to nothing is answered where nobody else takes upgrades', async () => {
  const { url } = await serveView({}, { refuseOthers: true });
  expect(await statusOf(url, '/nowhere', { host: new URL(url).host, ...upgrade })).toContain(' 404 ');
});
