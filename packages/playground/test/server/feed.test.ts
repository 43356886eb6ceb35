import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { expect, test } from 'vitest';
import { Feed } from '../../src/server/browser-agent/feed.js';
import { eventsOf } from '../../src/server/events/event-stream.js';

interface Event {
  type: string;
  n: number;
}

/** A route with a feed; `tell` tells all who listen. */
function stage() {
  const listeners = new Set<(event: Event) => void>();
  const tell = (event: Event) => {
    for (const listener of listeners) listener(event);
  };
  const app = new Hono();
  app.get('/', c => {
    const feed = new Feed<Event>(listener => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    });
    tell({ type: 'early', n: 1 });
    return streamSSE(c, stream => feed.pour(stream, { type: 'first', n: 0 }));
  });
  const open = async () => eventsOf((await app.request('/')).body as ReadableStream<Uint8Array>);
  return { listeners, tell, open };
}

test('a feed begins with the first event, and loses nothing that came before it was read', async () => {
  const { tell, open } = stage();
  const events = await open();
  const read = async () => (await events.next()).value;
  expect(await read()).toEqual({ type: 'first', n: 0 });
  expect(await read()).toEqual({ type: 'early', n: 1 });
  tell({ type: 'late', n: 2 });
  expect(await read()).toEqual({ type: 'late', n: 2 });
  await events.return(undefined);
});

test('a feed listens no longer than the page does', async () => {
  const { listeners, open } = stage();
  const events = await open();
  await events.next();
  expect(listeners.size).toBe(1);
  await events.return(undefined);
  await expect.poll(() => listeners.size).toBe(0);
});

test('a feed ends when there is nothing more to tell', async () => {
  const { listeners, tell, open } = stage();
  const events = await open();
  await events.next();
  tell({ type: 'deleted', n: 2 });
  const rest: unknown[] = [];
  for await (const event of events) rest.push(event);
  expect(rest.at(-1)).toEqual({ type: 'deleted', n: 2 });
  expect(listeners.size).toBe(0);
});
