import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: Request) => Response | Promise<Response>;

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** Serves web-standard requests on the loopback interface; port 0 takes a free one. */
export async function listen(handler: Handler, port = 0): Promise<Listener> {
  const server = createServer((incoming, outgoing) => {
    answerRequest(handler, incoming, outgoing).catch((error: unknown) => outgoing.destroy(thrownError(error)));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerRequest(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const response = await respond(handler, incoming);
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  outgoing.writeHead(response.status);
  outgoing.end(incoming.method === 'HEAD' ? undefined : Buffer.from(await response.arrayBuffer()));
}

async function respond(handler: Handler, incoming: IncomingMessage): Promise<Response> {
  try {
    const request = await toRequest(incoming);
    return request ? await handler(request) : new Response('Bad request', { status: 400 });
  } catch (error) {
    console.error(`demo site: ${incoming.method} ${incoming.url} failed:`, error);
    return new Response('Something went wrong on our side.', { status: 500 });
  }
}

async function toRequest(incoming: IncomingMessage): Promise<Request | undefined> {
  const base = `http://${incoming.headers.host ?? '127.0.0.1'}`;
  const url = URL.parse(incoming.url ?? '/', base);
  const method = incoming.method ?? 'GET';
  const body = await readBody(incoming);
  if (!url || body === undefined) return undefined;
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
  return new Request(url, { method, headers, ...(method !== 'GET' && method !== 'HEAD' && { body }) });
}

async function readBody(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    // An oversized body is read to its end but not kept: only then can the sender read our answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

function thrownError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
