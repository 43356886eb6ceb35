import { FAKE_FRAME } from '@browser-toolset/core/testing';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Frame } from '../src/frame.js';
import { FrameMemory } from '../src/frame-memory.js';
import { createMetrics } from '../src/metrics.js';
import { Outbox } from '../src/outbox.js';
import type { LiveSocket } from '../src/socket.js';

/** A connection whose kernel takes messages when the test says so. */
class HeldSocket implements LiveSocket {
  readonly sent: string[] = [];
  readonly held: { size: number; onSent: () => void }[] = [];
  get bufferedAmount(): number {
    return this.held.reduce((sum, { size }) => sum + size, 0);
  }
  send(data: string | Buffer, _: string, onSent: () => void): void {
    this.sent.push(data.toString());
    this.held.push({ size: data.length, onSent });
  }
  take(): void {
    this.held.shift()?.onSent();
  }
  takeAll(): void {
    while (this.held.length > 0) this.take();
  }
  listen(): void {}
  ping(): void {}
  pause(): void {}
  resume(): void {}
  close(): void {}
  terminate(): void {}
}

/** A connection that says which messages were changed before the kernel took them. */
class CheckedSocket extends HeldSocket {
  readonly changed: string[] = [];
  override send(data: string | Buffer, kind: string, onSent: () => void): void {
    const before = data.toString();
    super.send(data, kind, () => {
      if (data.toString() !== before) this.changed.push(before);
      onSent();
    });
  }
}

function setUp() {
  const socket = new HeldSocket();
  const metrics = createMetrics();
  return { socket, metrics, outbox: new Outbox(socket, { isBinary: false, metrics }) };
}

const frame = (name: string, memory = new FrameMemory()) => new Frame({ ...FAKE_FRAME, data: name }, memory);
const frames = ({ sent }: HeldSocket) => sent.filter(text => !text.startsWith('{'));

describe('what goes out to a viewer', () => {
  test('is never more than one frame ahead of what the kernel took, and ends with the newest', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), steps => {
        const { socket, outbox } = setUp();
        let shown = 0;
        for (const isFrame of steps) {
          if (isFrame) {
            shown += 1;
            outbox.show(frame(`frame${shown}`));
          } else socket.take();
          expect(socket.held.filter(({ size }) => size < 20).length).toBeLessThanOrEqual(1);
        }
        socket.takeAll();
        expect(frames(socket).at(-1)).toBe(shown === 0 ? undefined : `frame${shown}`);
      }),
    );
  });

  test('counts the frames that a newer one replaced', () => {
    const { socket, metrics, outbox } = setUp();
    for (const name of ['a', 'b', 'c', 'd']) outbox.show(frame(name));
    socket.takeAll();
    expect(frames(socket)).toEqual(['a', 'd']);
    expect(metrics).toMatchObject({ framesSent: 2, framesSkipped: 2 });
  });

  test('keeps one message of each kind for a viewer that does not read', () => {
    const { socket, outbox } = setUp();
    outbox.show(frame('a'));
    for (let index = 0; index < 1000; index += 1) {
      outbox.tell({ url: `https://shop.example/${index}` });
      outbox.tell({ viewers: index });
      outbox.tell({ action: { id: `a${index}`, threadId: 'one', tool: 'browser_click', phase: 'started', at: index } });
    }
    expect(socket.sent).toHaveLength(2);
    socket.takeAll();
    const [, , ...rest] = socket.sent;
    expect(rest.filter(text => text.includes('"url"'))).toEqual(['{"url":"https://shop.example/999"}']);
    expect(rest.filter(text => text.includes('"viewers"'))).toEqual(['{"viewers":999}']);
    expect(rest.filter(text => text.includes('"action"'))).toHaveLength(50);
  });

  test('keeps the pace that the viewer wants, and shows the end of a movement', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { socket, outbox } = setUp();
    outbox.limit(10);
    const times: number[] = [];
    for (let time = 0; time < 1000; time += 10) {
      const before = frames(socket).length;
      outbox.show(frame(`at${time}`));
      vi.advanceTimersByTime(10);
      socket.takeAll();
      if (frames(socket).length > before) times.push(time);
    }
    vi.advanceTimersByTime(100);
    expect(times.length).toBeGreaterThanOrEqual(9);
    expect(times.length).toBeLessThanOrEqual(11);
    expect(frames(socket).at(-1)).toBe('at990');
  });

  test('is nothing once the viewer has left', () => {
    const { socket, outbox } = setUp();
    outbox.show(frame('a'));
    outbox.show(frame('b'));
    outbox.close();
    socket.takeAll();
    outbox.show(frame('c'));
    outbox.tell({ viewers: 1 });
    expect(frames(socket)).toEqual(['a']);
  });
});

test('a frame makes each of its forms once, however many ask', () => {
  const one = new Frame(FAKE_FRAME, new FrameMemory());
  expect(one.binary()).toBe(one.binary());
  expect(one.binary().toString('base64')).toBe(FAKE_FRAME.data);
  expect(one.text()).toBe(one.text());
  expect(one.text().toString()).toBe(FAKE_FRAME.data);
});

test("the memory of a frame is another frame's only once every viewer has taken it, lost it to a newer one or left", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 80 }), steps => {
      const memory = new FrameMemory();
      const sockets = [new CheckedSocket(), new CheckedSocket()];
      const viewers = sockets.map(socket => new Outbox(socket, { isBinary: false, metrics: createMetrics() }));
      let shown = 0;
      for (const step of steps) {
        if (step === 0) viewers[1]?.close();
        else if (step < 3) sockets[step - 1]?.take();
        else {
          shown += 1;
          const one = frame(`frame${shown}`, memory);
          for (const viewer of viewers) viewer.show(one);
          one.release();
        }
      }
      for (const socket of sockets) socket.takeAll();
      expect(sockets.flatMap(socket => socket.changed)).toEqual([]);
    }),
  );
});

test('frames that everybody has taken are made in the memory of those before', () => {
  const memory = new FrameMemory();
  const { socket, outbox } = setUp();
  const backing = new Set<ArrayBufferLike>();
  for (let shown = 0; shown < 100; shown++) {
    const one = frame(`frame${shown}`, memory);
    outbox.show(one);
    backing.add(one.text().buffer);
    one.release();
    socket.takeAll();
  }
  expect(backing.size).toBe(1);
});
