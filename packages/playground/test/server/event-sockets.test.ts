import { on, once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { MOST_WAITING } from '../../src/server/events/window-streams.js';
import { stageEvents } from './event-stage.js';

const RUNS = { kind: 'runs' };
const THREAD = { kind: 'thread', agentId: 'an agent', threadId: 't/1' };

/** What a window does, without a page. */
class Window {
  readonly socket: WebSocket;
  /** The code with which the server closed the socket. */
  readonly closed: Promise<number>;
  readonly #messages: AsyncIterator<[Buffer]>;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.#messages = on(socket, 'message', { close: ['close'] }) as AsyncIterator<[Buffer]>;
    this.closed = new Promise(resolve => void socket.once('close', resolve));
  }

  static async open(address: string, headers: Record<string, string> = {}): Promise<Window> {
    const window = new Window(new WebSocket(address, { headers }));
    onTestFinished(() => window.socket.terminate());
    await once(window.socket, 'open');
    return window;
  }

  say(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  follow(id: number, of: unknown): void {
    this.say({ type: 'open', id, of });
  }

  async next(): Promise<unknown> {
    const { value, done } = await this.#messages.next();
    if (done) throw new Error('The server closed the socket.');
    return JSON.parse(String(value[0]));
  }
}

/** The status with which a socket is refused. */
async function refusalOf(address: string, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(address, { headers });
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  socket.terminate();
  return response.statusCode;
}

describe('the socket of a window', () => {
  test('tells of several streams, each under its id, until it is left or ends', async () => {
    const { address, streams } = await stageEvents();
    const window = await Window.open(address);
    window.follow(1, RUNS);
    expect(await window.next()).toEqual({ type: 'open', id: 1 });
    window.follow(2, THREAD);
    expect(await window.next()).toEqual({ type: 'open', id: 2 });
    const [runs, thread] = streams;
    expect(new URL(runs?.request.url ?? '').pathname).toBe('/playground/runs/stream');
    expect(new URL(thread?.request.url ?? '').pathname).toBe('/api/agents/an%20agent/threads/subscribe');
    expect(await thread?.request.json()).toEqual({ resourceId: 'an agent', threadId: 't/1' });

    thread?.tell({ n: 1 });
    expect(await window.next()).toEqual({ type: 'event', id: 2, event: { n: 1 } });
    runs?.tell('two');
    expect(await window.next()).toEqual({ type: 'event', id: 1, event: 'two' });
    window.say({ type: 'close', id: 2 });
    await thread?.left;
    runs?.tell('three');
    runs?.end();
    expect(await window.next()).toEqual({ type: 'event', id: 1, event: 'three' });
    expect(await window.next()).toEqual({ type: 'ended', id: 1 });
  });

  test('is told why there is no such stream, and goes on', async () => {
    const { address, streams } = await stageEvents(path =>
      path.includes('/gone/') ? Response.json({ error: 'There is no such run.' }, { status: 404 }) : undefined,
    );
    const window = await Window.open(address);
    window.follow(1, { kind: 'run', runId: 'gone' });
    const gone = { type: 'refused', id: 1, status: 404, message: 'There is no such run.' };
    expect(await window.next()).toEqual(gone);
    const unknown = [
      { kind: 'state' },
      { kind: 'run' },
      { kind: 'run', runId: '..' },
      { ...RUNS, path: '/api/agents' },
      { ...THREAD, agentId: '.' },
      'runs',
    ];
    for (const of of unknown) {
      window.follow(2, of);
      expect({ of, answer: await window.next() }).toMatchObject({
        of,
        answer: { type: 'refused', id: 2, status: 400 },
      });
    }
    expect(streams).toEqual([]);
    window.follow(3, RUNS);
    expect(await window.next()).toEqual({ type: 'open', id: 3 });
    streams[0]?.breakOff('The lights went out.');
    const broken = { type: 'refused', id: 3, status: 500, message: 'The lights went out.' };
    expect(await window.next()).toEqual(broken);
  });

  test('may not follow any number of streams', async () => {
    const { address } = await stageEvents();
    const window = await Window.open(address);
    for (let id = 1; id <= 16; id++) {
      window.follow(id, RUNS);
      expect(await window.next()).toEqual({ type: 'open', id });
    }
    window.follow(17, RUNS);
    expect(await window.next()).toMatchObject({ type: 'refused', id: 17, status: 429 });
    window.say({ type: 'close', id: 1 });
    window.follow(17, RUNS);
    expect(await window.next()).toEqual({ type: 'open', id: 17 });
  });

  test.each([
    'no JSON',
    '{"type":"dance","id":2}',
    '{"type":"open","of":{"kind":"runs"}}',
    '{"type":"open","id":"2","of":{"kind":"runs"}}',
    '{"type":"open","id":1,"of":{"kind":"runs"}}',
  ])('is closed, and its streams with it, when it says %s', async words => {
    const { address, streams } = await stageEvents();
    const window = await Window.open(address);
    window.follow(1, RUNS);
    await window.next();
    window.socket.send(words);
    expect(await window.closed).toBe(1008);
    await streams[0]?.left;
  });

  test('leaves its streams when it is gone, also those that were about to open', async () => {
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<Response>();
    const { address, streams } = await stageEvents(path => {
      if (path.startsWith('/playground')) return undefined;
      asked.resolve();
      return late.promise;
    });
    const window = await Window.open(address);
    window.follow(1, RUNS);
    await window.next();
    window.follow(2, THREAD);
    await asked.promise;
    window.socket.terminate();
    await streams[0]?.left;
    const left = Promise.withResolvers<void>();
    late.resolve(new Response(new ReadableStream({ cancel: () => left.resolve() })));
    await left.promise;
  });

  test('is dropped when it does not keep up', async () => {
    const left = Promise.withResolvers<void>();
    const event = `data: "${'x'.repeat(1_000_000)}"\n\n`;
    let told = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      told += event.length;
      controller.enqueue(new TextEncoder().encode(event));
    };
    const { address } = await stageEvents(
      () => new Response(new ReadableStream({ pull, cancel: () => left.resolve() })),
    );
    const window = await Window.open(address);
    window.socket.pause();
    window.follow(1, RUNS);
    await left.promise;
    // Besides what waits in the server, the system holds some megabytes of a connection.
    expect(told).toBeGreaterThan(MOST_WAITING);
    expect(told).toBeLessThan(3 * MOST_WAITING);
    window.socket.resume();
    await window.closed;
  });

  test('is refused to foreign pages', async () => {
    const { url, address } = await stageEvents();
    const { port } = new URL(url);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${Number(port) - 1}` },
      { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    ];
    for (const headers of foreign)
      expect({ headers, status: await refusalOf(address, headers) }).toEqual({ headers, status: 403 });
    const own = await Window.open(address, { origin: url });
    own.follow(1, RUNS);
    expect(await own.next()).toEqual({ type: 'open', id: 1 });
    expect(await refusalOf(`${address}/other`, { origin: url })).toBe(404);
  });

  test('is closed with the server, which takes no further one', async () => {
    const { address, sockets, streams } = await stageEvents();
    const window = await Window.open(address);
    window.follow(1, RUNS);
    await window.next();
    await sockets.disconnect();
    expect(await window.closed).toBe(1012);
    await streams[0]?.left;
    const second = await Window.open(address);
    await sockets[Symbol.asyncDispose]();
    expect(await second.closed).toBe(1001);
    expect(await refusalOf(address, {})).toBe(503);
  });
});
