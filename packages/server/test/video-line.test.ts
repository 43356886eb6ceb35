import { decodeVideoMessage, encodeVideoMessage } from '@browser-toolset/core/protocol';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMetrics } from '../src/metrics.js';
import { VideoFeed } from '../src/video-feed.js';
import { type SharedChunk, VideoLine } from '../src/video-line.js';
import { CONFIG, FilmedBrowser } from './filmed-browser.js';
import { HeldSocket } from './held-socket.js';

const VIEWPORT = { width: 1280, height: 720, offsetTop: 0, pageScaleFactor: 1 };

function chunkOf(sequence: number, isKey: boolean, length: number): SharedChunk {
  const bytes = encodeVideoMessage({ isKey, sequence, timestamp: sequence, data: new Uint8Array(length) });
  return { isKey, message: Buffer.from(bytes.buffer), config: CONFIG, viewport: VIEWPORT };
}

/** Keeps what it is given as bytes. */
class LineSocket extends HeldSocket {
  readonly chunks: { isKey: boolean; sequence: number }[] = [];
  override send(data: string | Buffer, kind: string, onSent: () => void): void {
    const chunk = typeof data === 'string' ? undefined : decodeVideoMessage(data);
    if (chunk !== undefined) this.chunks.push(chunk);
    super.send(data, kind, onSent);
  }
}

describe('the way of video to a viewer', () => {
  test('carries a delta only after all since a key picture, and no more than fits', () => {
    const steps = fc.array(
      fc.oneof(fc.record({ isKey: fc.boolean(), length: fc.nat({ max: 200_000 }) }), fc.constant('pong' as const)),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(steps, steps => {
        const socket = new LineSocket();
        const line = new VideoLine(socket, {
          metrics: createMetrics(),
          onReady: () => undefined,
          onSent: () => undefined,
        });
        let sequence = 0;
        for (const step of steps) {
          if (step === 'pong') {
            for (const payload of socket.pings.splice(0)) line.onPong(payload);
            continue;
          }
          const { isReady } = line;
          const before = socket.chunks.length;
          line.show(chunkOf(sequence, step.isKey, step.length));
          if (!isReady) expect(socket.chunks.length).toBe(before);
          sequence += 1;
        }
        for (const [index, chunk] of socket.chunks.entries())
          if (!chunk.isKey) expect(socket.chunks[index - 1]?.sequence).toBe(chunk.sequence - 1);
      }),
    );
  });

  test('is not ready again through the answer to another ping', () => {
    const socket = new LineSocket();
    const line = new VideoLine(socket, { metrics: createMetrics(), onReady: () => undefined, onSent: () => undefined });
    line.show(chunkOf(0, true, 1_000_000));
    line.onPong('');
    line.onPong('video 99');
    expect(line.isReady).toBe(false);
    line.onPong(socket.pings[0] ?? '');
    expect(line.isReady).toBe(true);
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
      const line: VideoLine = new VideoLine(socket, {
        metrics,
        onReady: () => feed.onReady(line),
        onSent: () => undefined,
      });
      feed.join(line, {});
      const answer = () => {
        for (const payload of socket.pings.splice(0)) line.onPong(payload);
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
