import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { slowLine } from '../src/slow-line.js';

const FAST = { bitsPerSecond: 80_000_000, roundTripMs: 10 };

describe('a slow line', () => {
  test('brings all bytes, in order, both ways', async () => {
    const [viewer, socket] = duplexPair();
    const server = slowLine(socket, FAST);
    const [down, up] = [randomBytes(300_000), randomBytes(100_000)];
    server.end(down);
    viewer.end(up);
    expect((await buffer(viewer)).equals(down)).toBe(true);
    expect((await buffer(server)).equals(up)).toBe(true);
  });

  test('lets what it cannot carry wait with who sends it', async () => {
    const [viewer, socket] = duplexPair();
    const server = slowLine(socket, { bitsPerSecond: 8_000, roundTripMs: 10 });
    for (let count = 0; count < 100; count += 1) server.write(Buffer.alloc(5_000));
    const [first] = (await once(viewer, 'data')) as [Buffer];
    expect(first.length).toBeLessThan(5_000);
    expect(server.writableLength).toBeGreaterThan(300_000);
    viewer.destroy();
  });

  test('ends at both ends when one leaves', async () => {
    for (const leaving of ['viewer', 'server'] as const) {
      const [viewer, socket] = duplexPair();
      const ends = { viewer, server: slowLine(socket, FAST) };
      const closed = once(leaving === 'viewer' ? ends.server : socket, 'close');
      if (leaving === 'viewer') socket.destroy();
      else ends.server.destroy();
      await closed;
      expect([socket.destroyed, ends.server.destroyed]).toEqual([true, true]);
    }
  });
});
