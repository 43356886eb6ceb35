import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { inTime, unlessAborted, until, within } from '../src/waiting.js';

async function connectedSockets(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  const accepted = once(server, 'connection');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const writing = connect(port, '127.0.0.1');
  const [reading] = await accepted;
  server.close();
  return [reading, writing];
}

const never = new Promise<never>(() => undefined);

describe('until', () => {
  const watched = () => {
    const state = { holds: false, check: () => {}, giveUp: () => {}, stopped: 0 };
    const waits = (limits: Parameters<typeof until>[1]): Promise<boolean> =>
      until(
        () => state.holds,
        limits,
        (check, giveUp) => {
          Object.assign(state, { check, giveUp });
          return () => state.stopped++;
        },
      );
    return { state, waits };
  };

  test('resolves once the condition holds, not at each change', async () => {
    const { state, waits } = watched();
    const told = vi.fn();
    const waited = waits({}).then(told);
    state.check();
    await setImmediate();
    expect(told).not.toHaveBeenCalled();
    state.holds = true;
    state.check();
    await waited;
    expect(told).toHaveBeenCalledWith(true);
    expect(state.stopped).toBe(1);
  });

  test.each([
    ['the time is over', { timeout: 1 }, () => undefined],
    ['nothing can come any more', {}, (state: ReturnType<typeof watched>['state']) => state.giveUp()],
  ])('resolves to false when %s', async (_, limits, end) => {
    const { state, waits } = watched();
    const waited = waits(limits);
    end(state);
    expect(await waited).toBe(false);
    expect(state.stopped).toBe(1);
  });

  test('ends with its signal, listens no longer, and does not begin with one that is aborted', async () => {
    const { state, waits } = watched();
    const ending = new AbortController();
    const waited = waits({ signal: ending.signal });
    ending.abort();
    expect(await waited).toBe(false);
    expect(await waits({ signal: ending.signal })).toBe(false);
    expect(state.stopped).toBe(1);
    state.holds = true;
    expect(await waits({ signal: ending.signal })).toBe(true);
  });
});

describe('work', () => {
  test('is waited for until its signal is aborted', async () => {
    const ending = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), ending.signal)).toBe(1);
    const waited = unlessAborted(never, ending.signal);
    ending.abort(new Error('enough'));
    await expect(waited).rejects.toThrow('enough');
    await expect(unlessAborted(Promise.resolve(2), ending.signal)).rejects.toThrow('enough');
    expect(await unlessAborted(Promise.resolve(3), undefined)).toBe(3);
  });

  test('that is late brings nothing, or the error of whoever waits', async () => {
    expect(await within(1, never)).toBeUndefined();
    expect(await within(1_000, Promise.resolve(1))).toBe(1);
    await expect(within(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(inTime(1, never, () => new Error('late'))).rejects.toThrow('late');
    expect(await inTime(1_000, Promise.resolve(1), () => new Error('late'))).toBe(1);
  });

  test('that came while the program was held up counts, since timers run before answers are read', async () => {
    const [reading, writing] = await connectedSockets();
    const answered = () => once(reading, 'data').then(([data]) => String(data));
    const holdUp = () => {
      writing.write('here');
      for (const end = Date.now() + 50; Date.now() < end; );
    };
    const brought = within(20, answered());
    holdUp();
    expect(await brought).toBe('here');
    let came = false;
    const told = until(
      () => came,
      { timeout: 20 },
      check => {
        void answered().then(() => {
          came = true;
          check();
        });
        return () => undefined;
      },
    );
    holdUp();
    expect(await told).toBe(true);
    reading.destroy();
    writing.destroy();
  });

  test('that fails after its time is over is nobody’s error', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const work = Promise.withResolvers<void>();
    await within(1, work.promise);
    work.reject(new Error('too late'));
    await setImmediate();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
