import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { follow } from '../../web/api/event-socket.js';
import { type EventStage, stageEvents } from '../server/event-stage.js';

const RUNS = { kind: 'runs' } as const;
const THREAD = { kind: 'thread', agentId: 'a', threadId: 't' } as const;

let stage: EventStage;
/** How many sockets the window has opened. */
let opened: number;

beforeEach(async () => {
  stage = await stageEvents(path => {
    if (path.includes('/gone/')) return Response.json({ error: 'There is no such run.' }, { status: 404 });
    return path.includes('/slow/') ? new Promise(() => {}) : undefined;
  });
  opened = 0;
  vi.stubGlobal('window', { location: { href: `${stage.url}/#/a/t` } });
  vi.stubGlobal(
    'WebSocket',
    class extends WebSocket {
      constructor(url: string | URL) {
        super(url);
        // A window’s own would not throw it when nobody listens.
        this.on('error', () => undefined);
        opened += 1;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
});

function aborting(): AbortController {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  return leaving;
}

async function next(events: AsyncGenerator<unknown>): Promise<unknown> {
  return (await events.next()).value;
}

describe('the streams that a window follows', () => {
  test('share one connection, and keep what nobody has read yet', async () => {
    const { signal } = aborting();
    const [runs, thread] = await Promise.all([follow(RUNS, signal), follow(THREAD, signal)]);
    const path = (part: string) => stage.streams.find(({ request }) => request.url.endsWith(part));
    const [toldRuns, toldThread] = [path('/runs/stream'), path('/subscribe')];
    toldRuns?.tell(1);
    toldRuns?.tell(2);
    toldThread?.tell('other');
    expect(await next(thread)).toBe('other');
    expect([await next(runs), await next(runs)]).toEqual([1, 2]);
    toldRuns?.end();
    expect(await runs.next()).toEqual({ done: true, value: undefined });
    expect(opened).toBe(1);
  });

  test('are left when nobody reads them any more', async () => {
    const leaving = aborting();
    const aborted = await follow(RUNS, leaving.signal);
    const broken = await follow(THREAD, aborting().signal);
    const reading = aborted.next();
    leaving.abort();
    await expect(reading).rejects.toThrow('aborted');
    await stage.streams[0]?.left;
    stage.streams[1]?.tell(1);
    for await (const _ of broken) break;
    await stage.streams[1]?.left;
    await expect(follow(RUNS, leaving.signal)).rejects.toThrow('aborted');
  });

  test('fail with the server’s words where there is none', async () => {
    await expect(follow({ kind: 'run', runId: 'gone' }, aborting().signal)).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      message: 'There is no such run.',
    });
  });

  test('fail when the connection is lost, and are followed again over another one', async () => {
    const { signal } = aborting();
    const events = await follow(RUNS, signal);
    const reading = events.next();
    const lost = expect(reading).rejects.toThrow('The server closed the connection: The page was built anew.');
    await stage.sockets.disconnect();
    await lost;
    const again = await follow(RUNS, signal);
    stage.streams[1]?.tell('anew');
    expect(await next(again)).toBe('anew');
    expect(opened).toBe(2);
    await stage.sockets[Symbol.asyncDispose]();
    await expect(again.next()).rejects.toThrow('The playground ends.');
    await expect(follow(RUNS, signal)).rejects.toThrow('The playground server does not respond.');
  });

  test('have a time limit to open', async () => {
    const { signal } = aborting();
    await follow(RUNS, signal);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const slow = expect(follow({ kind: 'run', runId: 'slow' }, signal)).rejects.toThrow(
      'The playground server has not answered within 20 s.',
    );
    await vi.advanceTimersByTimeAsync(20_000);
    await slow;
    expect(opened).toBe(1);
  });
});
