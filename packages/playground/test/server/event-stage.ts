import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { EVENTS_PATH, EventSockets } from '../../src/server/events/event-sockets.js';
import { takeUpgrades } from '../../src/server/upgrades.js';

/** A stream of events that the test tells. */
class ToldStream {
  readonly request: Request;
  readonly left: Promise<unknown>;
  readonly response: Response;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor(request: Request) {
    this.request = request;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.left = promise;
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.#controller = controller;
    };
    this.response = new Response(new ReadableStream({ start, cancel: resolve }));
  }

  tell(event: unknown): void {
    this.#controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  }

  end(): void {
    this.#controller.close();
  }

  breakOff(reason: string): void {
    this.#controller.error(new Error(reason));
  }
}

export interface EventStage {
  /** Of the server. */
  readonly url: string;
  /** Of the sockets. */
  readonly address: string;
  readonly sockets: EventSockets;
  /** Those that were asked for, the first first. */
  readonly streams: readonly ToldStream[];
}

/** The sockets of events at an app whose streams the test tells, and without those that `refuse` answers for. */
export async function stageEvents(
  refuse: (path: string) => Response | Promise<Response> | undefined = () => undefined,
): Promise<EventStage> {
  const streams: ToldStream[] = [];
  const sockets = new EventSockets(request => {
    const refused = refuse(new URL(request.url).pathname);
    if (refused) return refused;
    const stream = new ToldStream(request);
    streams.push(stream);
    return stream.response;
  });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  takeUpgrades(server, [sockets.takeUpgrade]);
  onTestFinished(async () => {
    await sockets[Symbol.asyncDispose]();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, address: `${url.replace('http', 'ws')}${EVENTS_PATH}`, sockets, streams };
}
