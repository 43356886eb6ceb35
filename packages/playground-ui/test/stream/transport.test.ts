import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Connection, type Refusal, retryDelay, StreamTransport } from '../../src/stream/transport.js';
import { fakeSockets } from './fake-socket.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets what waits for nothing but an answer go on. */
const settled = () => vi.advanceTimersByTimeAsync(0);

function transportThat(explain?: () => Promise<Refusal | undefined>) {
  const { Socket, made, latest } = fakeSockets();
  const connections: Connection[] = [];
  const texts: string[] = [];
  const pictures: Uint8Array[] = [];
  const transport = new StreamTransport({
    url: () => `ws://127.0.0.1/${made.length}`,
    WebSocket: Socket,
    random: () => 0.5,
    ...(explain && { explain }),
    onConnection: connection => connections.push(connection),
    onText: text => texts.push(text),
    onBytes: bytes => pictures.push(bytes),
  });
  return { transport, made, latest, connections, texts, pictures };
}

describe('a connection', () => {
  it('tells text from bytes', async () => {
    const { transport, latest, texts, pictures } = transportThat();
    transport.connect();
    latest().open();
    latest().say('{"url":"x"}');
    latest().say(new Uint8Array([255, 216]).buffer);
    expect(latest().binaryType).toBe('arraybuffer');
    expect(texts).toEqual(['{"url":"x"}']);
    expect(pictures).toEqual([new Uint8Array([255, 216])]);
  });

  it('that is lost comes back, later each time, with a url asked for anew', async () => {
    const { transport, latest, made, connections } = transportThat();
    transport.connect();
    for (const _ of [1, 2, 3]) {
      latest().drop();
      await vi.runAllTimersAsync();
    }
    expect(made.map(({ url }) => url)).toEqual([0, 1, 2, 3].map(number => `ws://127.0.0.1/${number}`));
    const waits = connections.flatMap(connection => (connection.phase === 'waiting' ? [connection.retryIn] : []));
    expect(waits).toEqual([187.5, 375, 750]);
  });

  it('counts as found again once the server has spoken, not when it is open', async () => {
    const { transport, latest, connections } = transportThat();
    transport.connect();
    for (const _ of [1, 2]) {
      latest().open();
      latest().drop();
      await vi.runAllTimersAsync();
    }
    expect(connections.at(-1)).toEqual({ phase: 'connecting', attempt: 3 });
    latest().open();
    latest().say({ status: 'connected' });
    latest().drop();
    await settled();
    expect(connections.at(-1)).toMatchObject({ phase: 'waiting', attempt: 1 });
  });

  it.each([1008, 4401, 4403, 4404])('that is refused with %i is not tried again', async code => {
    const { transport, latest, made, connections } = transportThat();
    transport.connect();
    latest().drop(code, 'no');
    await vi.runAllTimersAsync();
    expect(made).toHaveLength(1);
    expect(connections.at(-1)).toEqual({ phase: 'refused', code, reason: 'no' });
  });

  it('that was never open is explained, and given up when the answer is no', async () => {
    const refusal = { code: 4401, reason: 'The token is expired.' };
    const { transport, latest, made, connections } = transportThat(async () => refusal);
    transport.connect();
    latest().drop();
    await vi.runAllTimersAsync();
    expect(made).toHaveLength(1);
    expect(connections.at(-1)).toEqual({ phase: 'refused', ...refusal });
  });

  it('that was never open comes back when there is no reason that it should not', async () => {
    const { transport, latest, made } = transportThat(async () => undefined);
    transport.connect();
    latest().drop();
    await vi.runAllTimersAsync();
    expect(made).toHaveLength(2);
  });

  it('that was stopped while it was explained stays so', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { transport, latest, made, connections } = transportThat(() => promise);
    transport.connect();
    latest().drop();
    transport.stop();
    resolve(undefined);
    await vi.runAllTimersAsync();
    expect(made).toHaveLength(1);
    expect(connections.at(-1)).toEqual({ phase: 'idle' });
  });

  it('that was refused can be asked for again', async () => {
    const { transport, latest, made } = transportThat();
    transport.connect();
    latest().drop(4403);
    await settled();
    transport.connect();
    expect(made).toHaveLength(2);
  });

  it('that waits comes back at once when it is asked to, and only once', async () => {
    const { transport, latest, made } = transportThat();
    transport.connect();
    latest().drop();
    await settled();
    transport.connect();
    transport.connect();
    await vi.runAllTimersAsync();
    expect(made).toHaveLength(2);
  });

  it('that was stopped stays so, and what its socket still says is not heard', async () => {
    const explain = vi.fn(async () => undefined);
    const { transport, latest, made, texts, connections } = transportThat(explain);
    transport.connect();
    transport.stop();
    latest().say({ url: 'late' });
    latest().drop();
    await vi.runAllTimersAsync();
    expect(made).toHaveLength(1);
    expect(texts).toEqual([]);
    expect(explain).not.toHaveBeenCalled();
    expect(connections.at(-1)).toEqual({ phase: 'idle' });
  });

  it('takes nothing to send while there is none', async () => {
    const { transport, latest } = transportThat();
    expect(transport.send('{}')).toBe(false);
    transport.connect();
    expect(transport.send('{}')).toBe(false);
    latest().open();
    expect(transport.send('{}')).toBe(true);
  });
});

it('waits at least half of its delay, never more than ten seconds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, chance) => {
        const delay = retryDelay(attempt, () => chance);
        expect(delay).toBeGreaterThanOrEqual(125);
        expect(delay).toBeLessThanOrEqual(10_000);
      },
    ),
  );
});
