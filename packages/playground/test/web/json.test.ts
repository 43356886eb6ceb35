import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ENDING_TIME_LIMIT_MS, getJson, sendJson } from '../../web/api/json.js';

const SILENCE = 'The playground server has not answered within';

/** Answers the next requests, or fails as `fetch` does. */
function answerWith(answer: (signal: AbortSignal) => Response | Promise<Response>): void {
  vi.stubGlobal('fetch', async (_path: string, { signal }: { signal: AbortSignal }) => answer(signal));
}

/** No answer, until nobody waits for it. */
function silence(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});

describe('a request of the page', () => {
  test('says that there is no answer when the time is up', async () => {
    answerWith(silence);
    const slow = expect(getJson('/x')).rejects.toMatchObject({ name: 'ApiError', message: `${SILENCE} 20 s.` });
    await vi.advanceTimersByTimeAsync(20_000);
    await slow;
  });

  test('counts the whole answer, not its beginning', async () => {
    answerWith(signal => {
      const start = (controller: ReadableStreamDefaultController) =>
        signal.addEventListener('abort', () => controller.error(signal.reason));
      return new Response(new ReadableStream({ start }));
    });
    const slow = expect(getJson('/x')).rejects.toThrow(`${SILENCE} 20 s.`);
    await vi.advanceTimersByTimeAsync(20_000);
    await slow;
  });

  test('may take longer, or as long as it likes, where it says so', async () => {
    const late = Promise.withResolvers<Response>();
    answerWith(signal => Promise.race([late.promise, silence(signal)]));
    const ending = expect(sendJson('DELETE', '/x', { timeLimit: ENDING_TIME_LIMIT_MS })).rejects.toThrow(
      `${SILENCE} 60 s.`,
    );
    const run = sendJson('POST', '/x', { timeLimit: 'none' });
    await vi.advanceTimersByTimeAsync(3_600_000);
    await ending;
    late.resolve(Response.json({ done: true }));
    expect(await run).toEqual({ done: true });
  });

  test('tells who ended it: the one who asked, the server, or nobody who is there', async () => {
    const leaving = new AbortController();
    answerWith(silence);
    const left = expect(getJson('/x', leaving.signal)).rejects.toMatchObject({ name: 'AbortError' });
    leaving.abort();
    await left;
    answerWith(() => Response.json({ error: 'Not now.' }, { status: 409 }));
    await expect(getJson('/x')).rejects.toMatchObject({ name: 'ApiError', status: 409, message: 'Not now.' });
    answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(getJson('/x')).rejects.toThrow('The playground server does not respond. Is it still running?');
    expect(vi.getTimerCount()).toBe(0);
  });
});
