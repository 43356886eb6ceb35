import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FrameAcks, LastFrames } from '../src/frames/screencast.js';

const AT_REST_MS = 200;
const LONG_AT_REST_MS = 2_000;

describe('the last frame of a change', () => {
  const ask = vi.fn();
  let acks: FrameAcks;
  let frames: LastFrames;
  let now = 0;
  const later = (): number => {
    now += 16;
    return now;
  };
  const take = (data: string, capturedAt = later()) => frames.take({ data, capturedAt });
  beforeEach(() => {
    vi.useFakeTimers();
    ask.mockReset();
    now = 0;
    acks = new FrameAcks(() => undefined);
    frames = new LastFrames(acks, ask);
    return () => {
      frames.stop();
      vi.useRealTimers();
    };
  });

  test('is asked for once the page rests, where as many came as Chromium has in flight', () => {
    take('a');
    take('b');
    vi.advanceTimersByTime(AT_REST_MS);
    expect(ask).not.toHaveBeenCalled();
    take('c');
    vi.advanceTimersByTime(AT_REST_MS - 1);
    expect(ask).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(ask).toHaveBeenCalledOnce();
    expect(take('c')).toBe('same');
    expect(take('c')).toBe('new');
  });

  test.each([
    { what: 'no frame comes', coming: [] },
    { what: 'one frame comes', coming: ['b'] },
    { what: 'two frames come', coming: ['b', 'c'] },
  ])('is asked for once when the page takes another size and $what', ({ coming }) => {
    take('a');
    vi.advanceTimersByTime(LONG_AT_REST_MS);
    expect(ask).not.toHaveBeenCalled();
    frames.doubt();
    for (const data of coming) take(data);
    vi.advanceTimersByTime(AT_REST_MS);
    expect(ask).toHaveBeenCalledOnce();
    take(coming.at(-1) ?? 'b');
    vi.advanceTimersByTime(10 * LONG_AT_REST_MS);
    expect(ask).toHaveBeenCalledOnce();
  });

  test('is asked for though one of those came late, or was asked for itself', () => {
    take('a');
    take('c', 48);
    expect(take('b', 32)).toBe('late');
    vi.advanceTimersByTime(AT_REST_MS);
    expect(ask).toHaveBeenCalledTimes(1);
    now = 48;
    expect(take('c')).toBe('same');
    take('d');
    take('e');
    vi.advanceTimersByTime(AT_REST_MS);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test('is not asked for where changes are far apart, nor again while nothing comes', () => {
    for (const data of ['a', 'b', 'c', 'd']) {
      take(data);
      vi.advanceTimersByTime(LONG_AT_REST_MS);
    }
    expect(ask).not.toHaveBeenCalled();
    for (const data of ['e', 'f', 'g']) take(data);
    vi.advanceTimersByTime(60_000);
    expect(ask).toHaveBeenCalledOnce();
  });

  test('is asked for where frames are paced, but not while one waits until it is taken', () => {
    acks.pace(true);
    const come = (data: string, sessionId: number) => {
      acks.add(sessionId);
      return take(data);
    };
    come('a', 1);
    come('b', 1);
    vi.advanceTimersByTime(60_000);
    expect(ask).not.toHaveBeenCalled();
    come('c', 1);
    vi.advanceTimersByTime(60_000);
    expect(ask).not.toHaveBeenCalled();
    acks.give();
    frames.wait();
    vi.advanceTimersByTime(AT_REST_MS);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(come('c', 2)).toBe('same');
    vi.advanceTimersByTime(60_000);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test('is taken again after the clock was set back', () => {
    take('a', 1_000_000);
    expect(take('b', 500_000)).toBe('new');
  });
});
