import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  type EventStore,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Client } from '../clients/client.js';
import { type Clients, TooManyClients } from '../clients/clients.js';
import { buildServer, type ServerParts } from '../protocol/build-server.js';
import { createGuard, errorResponse, forPage, type GuardOptions } from './guard.js';

interface Stored {
  id: string;
  streamId: string;
  message: JSONRPCMessage;
  size: number;
}

/** Characters of messages that are kept of one connection, for a client that comes back after it lost a stream. */
const MOST_CHARACTERS = 2_000_000;

/** The latest messages of one connection (MCP, streamable HTTP: resumability). */
class RecentEvents implements EventStore {
  readonly #events: Stored[] = [];
  #size = 0;
  #last = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.#last);
    const size = JSON.stringify(message).length;
    this.#events.push({ id, streamId, message, size });
    this.#size += size;
    while (this.#size > MOST_CHARACTERS && this.#events.length > 1) this.#size -= this.#events.shift()?.size ?? 0;
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find(event => event.id === id)?.streamId;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const index = this.#events.findIndex(({ id }) => id === lastId);
    const from = this.#events[index];
    if (from === undefined) throw new Error(`There is no event ${lastId} any more`);
    for (const { id, streamId, message } of this.#events.slice(index + 1)) {
      // An event without a message only marks where its stream began.
      if (streamId === from.streamId && Object.keys(message).length > 0) await send(id, message);
    }
    return from.streamId;
  }
}

/** Bytes of a request at most. */
export const REQUEST_BYTES = 4_000_000;
/** Milliseconds after which a client that lost a stream comes back. */
const RETRY = 1_000;
const SESSION_HEADER = 'mcp-session-id';

interface LegacySession {
  transport: WebStandardStreamableHTTPServerTransport;
  client: Client;
}

/** Streamable HTTP for clients of all versions: connections for those that have them, sessions by handle for the others. */
export class HttpHandler {
  readonly #guard: ReturnType<typeof createGuard>;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #modern: McpHttpHandler;

  constructor(
    readonly parts: ServerParts,
    readonly clients: Clients,
    readonly options: GuardOptions & { onError(error: unknown): void },
  ) {
    this.#guard = createGuard(options);
    this.#modern = createMcpHandler(({ authInfo }) => this.#serverOfRequest(authInfo?.clientId ?? ''), {
      legacy: 'reject',
      maxRequestBodySize: REQUEST_BYTES,
      onerror: options.onError,
    });
  }

  async fetch(request: Request): Promise<Response> {
    const guarded = await this.#guard(request);
    if ('refusal' in guarded) return guarded.refusal;
    return forPage(request, await this.#answer(request, guarded.identity));
  }

  async #answer(request: Request, identity: string): Promise<Response> {
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: REQUEST_BYTES })))
      return this.#modern.fetch(request, { authInfo: { token: '', clientId: identity, scopes: [] } });
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) return this.#begin(request, identity);
    const session = this.#sessions.get(id);
    if (session === undefined || session.client.identity !== identity)
      return errorResponse(404, 'There is no such session');
    session.client.lastUsed = Date.now();
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await this.#modern.close();
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  /** Forgets the connection of a client that has ended. */
  forget(client: Client): void {
    for (const [id, { client: other, transport }] of this.#sessions) {
      if (other !== client) continue;
      this.#sessions.delete(id);
      transport.close().catch(this.options.onError);
    }
  }

  /** The first request of a connection says who the client is; any other without a session belongs to none. */
  async #begin(request: Request, identity: string): Promise<Response> {
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined);
    if (!isInitializeRequest(body)) return errorResponse(400, `The request has no ${SESSION_HEADER}`);
    const { name, version } = body.params.clientInfo;
    let client: Client;
    try {
      client = this.clients.add(`${name} ${version}`, identity);
    } catch (error) {
      if (error instanceof TooManyClients) return errorResponse(503, error.message, { 'retry-after': '10' });
      throw error;
    }
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: REQUEST_BYTES,
      eventStore: new RecentEvents(),
      retryInterval: RETRY,
      onsessioninitialized: id => {
        this.#sessions.set(id, { transport, client });
      },
    });
    const server = buildServer(this.parts, { isModern: false, isStateless: false, clientOf: () => client });
    server.onerror = this.options.onError;
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      this.clients.end(client).catch(this.options.onError);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #serverOfRequest(identity: string): ReturnType<typeof buildServer> {
    const clientOf = (handle: string | undefined): Client => {
      if (handle === undefined) return this.#added(identity);
      const known = this.clients.byHandle(handle, identity);
      if (known !== undefined) return known;
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no session ${handle}: it has ended, or is not yours. Leave session out for a new one.`,
      );
    };
    const notifier = this.#modern.notify;
    return buildServer(this.parts, { isModern: true, isStateless: true, clientOf, notifier });
  }

  #added(identity: string): Client {
    const client = this.clients.add('', identity);
    client.isStateless = true;
    return client;
  }
}
