import { decodeVideoMessage, encodeVideoMessage } from '@browser-toolset/core/protocol';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMetrics } from '../src/metrics.js';
import type { SharedChunk } from '../src/recent-chunks.js';
import { RecentChunks } from '../src/recent-chunks.js';
import { SendWindow } from '../src/send-window.js';
import { VideoFeed } from '../src/video-feed.js';
import { VideoLine } from '../src/video-line.js';
import { CONFIG, FilmedBrowser } from './filmed-browser.js';
import { HeldSocket } from './held-socket.js';

const VIEWPORT = { width: 1280, height: 720, offsetTop: 0, pageScaleFactor: 1 };

function chunkOf(sequence: number, isKey: boolean, length: number, config = CONFIG): SharedChunk {
  const timestamp = sequence * 40_000;
  const bytes = encodeVideoMessage({ isKey, sequence, timestamp, data: new Uint8Array(length) });
  return { isKey, timestamp, message: Buffer.from(bytes.buffer), config, viewport: VIEWPORT };
}

function lineOf(socket: LineSocket) {
  const window = new SendWindow(socket);
  const line = new VideoLine({ socket, window, metrics: createMetrics(), onSent: () => undefined });
  const answer = () => {
    for (const payload of socket.pings.splice(0)) window.onPong(payload);
  };
  return { line, window, answer };
}

/** Keeps what it is given as bytes. */
class LineSocket extends HeldSocket {
  readonly chunks: { isKey: boolean; sequence: number }[] = [];
  /** What says how they are decoded as well, in order. */
  readonly all: (string | { isKey: boolean })[] = [];
  override send(data: string | Buffer, kind: string, onSent: () => void): void {
    const chunk = typeof data === 'string' ? undefined : decodeVideoMessage(data);
    if (chunk !== undefined) this.chunks.push(chunk);
    this.all.push(chunk ?? String(data));
    super.send(data, kind, onSent);
  }
}

const SIZES = [CONFIG, { ...CONFIG, width: 8, codedWidth: 8 }, { ...CONFIG, height: 5 }];

describe('the way of video to a viewer', () => {
  test('carries a delta only after all since a key picture of its size, and no more than fits', () => {
    const chunk = fc.record({
      isKey: fc.boolean(),
      length: fc.nat({ max: 200_000 }),
      size: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat({ max: 2 })),
    });
    const steps = fc.array(fc.oneof(chunk, fc.constantFrom('pong', 'catch up', 'lose')), { maxLength: 80 });
    fc.assert(
      fc.property(steps, steps => {
        const socket = new LineSocket();
        const { line, answer } = lineOf(socket);
        const recent = new RecentChunks();
        let sequence = 0;
        let mayGoOn = true;
        for (const step of steps) {
          const { isReady } = line;
          const before = socket.chunks.length;
          if (step === 'pong') answer();
          else if (step === 'lose') line.lose();
          else if (step === 'catch up') {
            if (line.needsKey) line.catchUp(recent);
          } else {
            const chunk = chunkOf(sequence, step.isKey, step.length, SIZES[step.size]);
            recent.keep(chunk);
            line.show(chunk);
            sequence += 1;
          }
          if (!isReady) expect(socket.chunks.length).toBe(before);
          const [first] = socket.chunks.slice(before);
          if (step === 'lose') mayGoOn = false;
          else if (first !== undefined) {
            if (!mayGoOn) expect(first.isKey).toBe(true);
            mayGoOn = true;
          }
        }
        let config: unknown;
        let isNew = true;
        for (const message of socket.all) {
          if (typeof message === 'string') {
            if (!message.includes('"video"')) continue;
            expect(message).not.toBe(config);
            [config, isNew] = [message, true];
          } else {
            if (isNew) expect(message.isKey).toBe(true);
            isNew = false;
          }
        }
        for (const [index, chunk] of socket.chunks.entries())
          if (!chunk.isKey) expect(socket.chunks[index - 1]?.sequence).toBe(chunk.sequence - 1);
      }),
    );
  });

  test('is ready again through the answer to its own ping alone, which nobody can guess', () => {
    const sockets = [new LineSocket(), new LineSocket()];
    const [one, other] = sockets.map(lineOf);
    for (const way of [one, other]) way?.line.show(chunkOf(0, true, 1_000_000));
    const [ping = '', another = ''] = sockets.flatMap(({ pings }) => pings);
    for (const payload of ['', '1', 'video 1', another]) one?.window.onPong(payload);
    expect(one?.line.isReady).toBe(false);
    one?.window.onPong(ping);
    expect(one?.line.isReady).toBe(true);
    one?.line.show(chunkOf(1, false, 1_000_000));
    one?.window.onPong(ping);
    expect(one?.line.isReady).toBe(false);
  });

  test('brings who comes what all have had, and who missed a little only that', () => {
    const recent = new RecentChunks();
    const chunks = [0, 1, 2, 3].map(sequence => chunkOf(sequence, sequence === 0, sequence === 0 ? 150_000 : 5_000));
    for (const chunk of chunks.slice(0, 2)) recent.keep(chunk);
    const socket = new LineSocket();
    const { line, answer } = lineOf(socket);
    expect(line.catchUp(recent)).toBe(true);
    expect(socket.chunks.map(({ sequence }) => sequence)).toEqual([0, 1]);
    // More than is on its way already would be late.
    line.show(chunkOf(99, false, 300_000));
    expect(line.isReady).toBe(false);
    answer();
    expect(line.needsKey).toBe(false);
  });

  test.each([
    { what: 'many chunks', chunk: (at: number) => chunkOf(at, at === 0, 10) },
    { what: 'large chunks', chunk: (at: number) => chunkOf(at, at === 0, 30_000) },
    {
      what: 'chunks of long ago',
      chunk: (at: number) => ({ ...chunkOf(at, at === 0, 10), timestamp: at * 1_000_000 }),
    },
    { what: 'chunks of another size', chunk: (at: number) => chunkOf(at, at === 0, 10, SIZES[at > 15 ? 1 : 0]) },
  ])('brings nobody $what', ({ chunk }) => {
    const recent = new RecentChunks();
    for (let at = 0; at < 30; at += 1) {
      recent.keep(chunk(at));
      const all = recent.after(undefined);
      expect(all.length).toBeLessThanOrEqual(24);
      expect(all[0]?.isKey ?? true).toBe(true);
    }
    expect(recent.after(undefined)).toEqual([]);
    recent.keep(chunkOf(30, true, 10));
    expect(recent.after(undefined)).toHaveLength(1);
  });
});

describe('the encoder of a thread', () => {
  async function fed(count: number) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const source = new FilmedBrowser();
    const metrics = createMetrics();
    const feed = new VideoFeed({
      thread: { source, threadId: 'one' },
      ...{ metrics, log: () => undefined, isShared: () => false, onFailed: () => undefined },
    });
    const viewers = Array.from({ length: count }, () => {
      const socket = new LineSocket();
      const { line, window } = lineOf(socket);
      feed.join(line, {});
      const answer = () => {
        for (const payload of socket.pings.splice(0)) if (window.onPong(payload)) feed.onReady(line);
      };
      return { socket, line, answer };
    });
    feed.follow(await source.startScreencast({ threadId: 'one' }));
    await vi.waitFor(() => source.video);
    /** Encodes a large picture; answers whether the next one is wanted. */
    const encode = (isKey: boolean) => {
      const state = { isWanted: false };
      void source.video.encode({ isKey, data: new Uint8Array(1_000_000) }).then(() => {
        state.isWanted = true;
      });
      return state;
    };
    return { feed, source, viewers, encode };
  }

  test('rests while nobody reads, for however long', async () => {
    const { viewers, encode } = await fed(2);
    const encoded = encode(true);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(encoded.isWanted).toBe(false);
    viewers[1]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(encoded.isWanted).toBe(true);
  });

  test('keeps the pace of the median viewer, and waits for none that answers nothing', async () => {
    const { viewers, encode } = await fed(3);
    const encoded = encode(true);
    viewers[0]?.answer();
    await vi.advanceTimersByTimeAsync(100);
    expect(encoded.isWanted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(encoded.isWanted).toBe(true);
  });

  test('makes a key picture for who has caught up, and few of them', async () => {
    const { source, viewers, encode } = await fed(2);
    for (let count = 0; count < 100; count += 1) {
      encode(count === 0);
      viewers[0]?.answer();
      await vi.advanceTimersByTimeAsync(20);
    }
    const [fast, slow] = viewers;
    expect([fast?.socket.chunks.length, slow?.socket.chunks.length]).toEqual([100, 1]);
    const before = source.video.keyframes;
    slow?.answer();
    expect(source.video.keyframes).toBe(before + 1);
    encode(true);
    expect(slow?.socket.chunks.length).toBe(2);
  });

  test('is released by who leaves', async () => {
    const { feed, viewers, encode } = await fed(2);
    const encoded = encode(true);
    const [first, second] = viewers;
    second?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(encoded.isWanted).toBe(true);
    const next = encode(false);
    if (second) feed.leave(second.line);
    await vi.advanceTimersByTimeAsync(0);
    expect(next.isWanted).toBe(false);
    if (first) feed.leave(first.line);
    await vi.advanceTimersByTimeAsync(0);
    expect(next.isWanted).toBe(true);
  });
});
