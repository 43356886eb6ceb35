import { FAKE_FRAME } from '@browser-toolset/core/testing';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Frame } from '../src/frame.js';
import { createMetrics } from '../src/metrics.js';
import { Outbox } from '../src/outbox.js';
import { SendWindow } from '../src/send-window.js';
import { HeldSocket } from './held-socket.js';

function setUp() {
  const socket = new HeldSocket();
  const metrics = createMetrics();
  const window = new SendWindow(socket);
  return { socket, window, metrics, outbox: new Outbox(socket, { window, isBinary: false, metrics }) };
}

const frame = (name: string) => new Frame({ ...FAKE_FRAME, data: name });
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

  test('is no more than what the viewer has not answered for, however much the kernel and proxies take', () => {
    const steps = fc.array(fc.oneof(fc.nat({ max: 400_000 }), fc.constant('pong' as const)), { maxLength: 60 });
    fc.assert(
      fc.property(steps, steps => {
        const { socket, window, outbox } = setUp();
        const answer = () => {
          for (const payload of socket.pings.splice(0)) window.onPong(payload);
          outbox.flush();
        };
        let shown = 0;
        for (const step of steps) {
          const { isOpen } = window;
          const before = frames(socket).length;
          if (step === 'pong') answer();
          else {
            shown += 1;
            outbox.show(frame(`frame${shown} `.padEnd(step, 'x')));
            if (!isOpen) expect(frames(socket).length).toBe(before);
          }
          socket.takeAll();
        }
        while (socket.pings.length > 0) answer();
        expect(frames(socket).at(-1)?.split(' ')[0]).toBe(shown === 0 ? undefined : `frame${shown}`);
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
  const one = new Frame(FAKE_FRAME);
  expect(one.binary()).toBe(one.binary());
  expect(one.binary().toString('base64')).toBe(FAKE_FRAME.data);
  expect(one.text()).toBe(FAKE_FRAME.data);
  expect(one.text()).toBe(one.text());
  expect(one.text().toString()).toBe(FAKE_FRAME.data);
});
