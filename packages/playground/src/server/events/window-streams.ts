import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { asError } from '../../demo/unknown-values.js';
import type { Fetch } from '../listen.js';
import { type Followed, followed, type ServerMessage, windowMessage } from './api.js';
import { endSocket } from './end-socket.js';
import { eventsOf } from './event-stream.js';

/** A window shows a thread, or a run and the list. */
const MOST_STREAMS = 16;
/** Bytes that may wait for a window: many times what a task tells. One that is further behind begins anew. */
export const MOST_WAITING = 32_000_000;

/** RFC 6455, section 7.4.1, and the registry of close codes that it founds. */
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

/** The event streams that one window follows, over its one socket. They end with it. */
export class WindowStreams {
  readonly #socket: WebSocket;
  readonly #fetch: Fetch;
  readonly #streams = new Map<number, AbortController>();

  constructor(socket: WebSocket, fetch: Fetch) {
    this.#socket = socket;
    this.#fetch = fetch;
    socket.on('message', data => this.#hear(data.toString()));
    // A socket that fails is closed next, and that is told.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#leaveAll());
  }

  #hear(text: string): void {
    const message = windowMessage.safeParse(jsonOf(text));
    if (!message.success) this.#drop(POLICY_VIOLATION, 'The server knows no such message.');
    else if (message.data.type === 'close') this.#leave(message.data.id);
    else this.#open(message.data.id, message.data.of);
  }

  #open(id: number, of: unknown): void {
    const what = followed.safeParse(of);
    const refuse = (status: number, message: string) => this.#send({ type: 'refused', id, status, message });
    if (this.#streams.has(id)) this.#drop(POLICY_VIOLATION, `Stream ${id} is open already.`);
    else if (!what.success) refuse(400, z.prettifyError(what.error));
    else if (this.#streams.size >= MOST_STREAMS) refuse(429, 'This window follows too much at once.');
    else void this.#follow(id, what.data);
  }

  async #follow(id: number, what: Followed): Promise<void> {
    const leaving = new AbortController();
    const { signal } = leaving;
    this.#streams.set(id, leaving);
    // The window may have given the id to another stream by then.
    const tell = (message: ServerMessage) => {
      if (!signal.aborted) this.#send(message);
    };
    try {
      const response = await this.#fetch(requestFor(what, signal));
      if (!response.ok || !response.body) {
        tell({ type: 'refused', id, ...(await refusalOf(response)) });
        return;
      }
      tell({ type: 'open', id });
      const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal });
      for await (const event of eventsOf(body)) {
        tell({ type: 'event', id, event });
        // The socket takes what it was given between two turns: a burst is no sign of a slow window.
        await nextTurn();
      }
      tell({ type: 'ended', id });
    } catch (error) {
      tell({ type: 'refused', id, status: 500, message: asError(error).message });
    } finally {
      if (this.#streams.get(id) === leaving) this.#streams.delete(id);
    }
  }

  #send(message: ServerMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount <= MOST_WAITING) this.#socket.send(JSON.stringify(message));
    else this.#drop(TRY_AGAIN_LATER, 'The window did not keep up: it reads all anew.');
  }

  #leave(id: number): void {
    this.#streams.get(id)?.abort();
    this.#streams.delete(id);
  }

  #leaveAll(): void {
    for (const id of [...this.#streams.keys()]) this.#leave(id);
  }

  #drop(code: number, reason: string): void {
    this.#leaveAll();
    void endSocket(this.#socket, code, reason);
  }
}

/** What is no JSON fits no schema. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return { unreadable: asError(error).message };
  }
}

function requestFor(what: Followed, signal: AbortSignal): Request {
  // The app looks at Host, as it does at any request's.
  const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
  const url = (path: string) => `http://127.0.0.1${path}`;
  switch (what.kind) {
    case 'runs':
      return new Request(url('/playground/runs/stream'), { headers, signal });
    case 'run':
      return new Request(url(`/playground/runs/${encodeURIComponent(what.runId)}/stream`), { headers, signal });
    case 'waiting':
      return new Request(url(`/playground/chat/${encodeURIComponent(what.agentId)}/waiting/stream`), {
        headers,
        signal,
      });
    case 'thread': {
      const { agentId, threadId } = what;
      const path = `/api/agents/${encodeURIComponent(agentId)}/threads/subscribe`;
      // Mastra keeps threads by resource; here each agent is its own.
      const body = JSON.stringify({ resourceId: agentId, threadId });
      return new Request(url(path), { method: 'POST', headers, body, signal });
    }
  }
}

/** The routes of the playground tell an `error`, Mastra's a `message`. */
const refusalBody = z.union([
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

async function refusalOf(response: Response): Promise<{ status: number; message: string }> {
  const { status } = response;
  const text = await response.text();
  const { data: message = text || `There is no such stream (status ${status}).` } = refusalBody.safeParse(jsonOf(text));
  return { status, message };
}
