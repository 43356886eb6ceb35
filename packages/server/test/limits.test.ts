import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { limitedLog } from '../src/limited-log.js';
import { TokenBucket } from '../src/rate.js';
import { serveView } from './viewing.js';

describe('the log', () => {
  test('shows few of many lines on one subject, says how many it left out, and all on others', () => {
    const lines: string[] = [];
    let now = 0;
    const log = limitedLog(
      line => lines.push(line),
      () => now,
    );
    for (let index = 0; index < 10_000; index += 1) log('garbage', `garbage ${index}`);
    log('cast', 'a cast broke');
    expect(lines).toEqual(['garbage 0', 'garbage 1', 'garbage 2', 'a cast broke']);
    now = 10_000;
    log('garbage', 'more garbage');
    expect(lines.at(-1)).toBe('more garbage (and 9997 more like it)');
  });

  test('shows what a viewer names on one line, and steers no terminal with it', async () => {
    const { browser, lines, watch } = await serveView();
    const threadId = 'one\nA line of nobody \u001b[31m';
    browser.open(threadId, 'https://shop.example/');
    browser.injectMouseEvent = () => Promise.reject(new Error('gone\r\nand another'));
    const viewer = await watch({ query: `threadId=${encodeURIComponent(threadId)}` });
    await viewer.until(({ frames }) => frames.length > 0);
    viewer.send({ type: 'mouse', event: { type: 'mouseMoved', x: 1, y: 1 } });
    await viewer.flushed();
    expect(lines).toEqual([
      'Thread one\\u000aA line of nobody \\u001b[31m did not take mouse input: Error: gone\\u000d\\u000aand another',
    ]);
  });
});

describe('a rate', () => {
  test('lets a burst through, then asks to wait as long as it was exceeded', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, 0);
    expect(Array.from({ length: 7 }, () => bucket.take(0))).toEqual([0, 0, 0, 0, 0, 100, 200]);
    expect(bucket.take(1000)).toBe(0);
    expect(bucket.tryTake(1000)).toBe(true);
  });
});

describe('viewers', () => {
  test('that give no sign of life are let go, the others stay', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const pingInterval = 30_000;
    const { live, watch } = await serveView({ limits: { pingInterval } });
    const [dead, alive] = [await watch(), await watch()];
    dead.socket.pause();
    const asked = once(alive.socket, 'ping');
    vi.advanceTimersByTime(pingInterval);
    await asked;
    // The server has read its sign of life before what it says next.
    await alive.flushed();
    expect(live.metrics().viewers).toBe(2);
    vi.advanceTimersByTime(pingInterval);
    await expect.poll(() => live.metrics().viewers).toBe(1);
    await alive.flushed();
    expect(alive.closed).toBeUndefined();
  });

  test('that come and go in a loop leave nothing behind', async () => {
    const { browser, live, watch } = await serveView();
    browser.open('one', 'https://shop.example/');
    for (let round = 0; round < 50; round += 1) {
      const viewer = await watch();
      if (round % 2 === 0) viewer.send({ type: 'control', action: 'take' });
      viewer.socket.terminate();
    }
    await expect.poll(() => live.metrics()).toMatchObject({ viewers: 0, threads: 0, connections: 50 });
    await expect.poll(() => browser.streamCount('one')).toBe(0);
    expect(browser.takenOver.size).toBe(0);
    const last = await watch();
    await last.until(({ frames }) => frames.length > 0);
    expect(browser.streamCount('one')).toBe(1);
  });
});

test('a request for a stream that is no WebSocket handshake is refused, and the server lives on', async () => {
  const { url, watch } = await serveView();
  const answer = await fetch(`${url}/browser/web/stream`);
  expect([answer.status, await answer.json()]).toEqual([426, expect.objectContaining({ error: 'upgrade_required' })]);
  const half = fetch(`${url}/browser/web/stream`, { headers: { connection: 'upgrade', upgrade: 'websocket' } });
  await half.then(
    ({ status }) => expect(status).toBeGreaterThanOrEqual(400),
    () => undefined,
  );
  await (await watch()).flushed();
});
