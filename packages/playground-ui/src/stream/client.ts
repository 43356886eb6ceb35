import {
  type ClientMessageInput,
  decodeVideoMessage,
  parseServerMessage,
  type ServerMessage,
  type VideoMessage,
} from '@browser-toolset/core/protocol';
import { type BrowserStreamAddress, streamUrl } from './address.js';
import { BrowserRequestError, BrowserRequests } from './requests.js';
import { type Connection, type Refusal, type SocketConstructor, StreamTransport } from './transport.js';

/** A JPEG: its bytes, or base64 from a server that sends no binary frames. */
export type FrameData = Uint8Array<ArrayBuffer> | string;

/** A message to the server. A message that is its `type` alone has no type of its own that one could write in core. */
export type OutgoingMessage = Exclude<ClientMessageInput, { type: 'relaunch' }> | { type: 'relaunch' };

interface ClientHandlers {
  onConnection(connection: Connection): void;
  onMessage(message: ServerMessage): void;
  onFrame(data: FrameData): void;
  onChunk(chunk: VideoMessage): void;
  /** Of each message, in bytes. */
  onTraffic(bytes: number): void;
}

export interface ClientOptions {
  address: BrowserStreamAddress;
  handlers: ClientHandlers;
  /** Id that the server gave this viewer. */
  viewer: () => string | undefined;
  /** Asked at each connection. */
  wantsVideo: () => boolean;
  WebSocket?: SocketConstructor | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

/** The protocol of one stream: messages both ways, and the REST routes beside it. */
export class BrowserStreamClient {
  readonly requests: BrowserRequests;
  readonly #transport: StreamTransport;

  constructor({ address, handlers, viewer, wantsVideo, WebSocket, fetch }: ClientOptions) {
    this.requests = new BrowserRequests({ address, viewer, fetch });
    this.#transport = new StreamTransport({
      url: () => streamUrl(address, location.href, wantsVideo() ? 'video' : 'binary'),
      WebSocket,
      onConnection: handlers.onConnection,
      onBytes: bytes => {
        handlers.onTraffic(bytes.length);
        const chunk = decodeVideoMessage(bytes);
        if (chunk === undefined) handlers.onFrame(bytes);
        else handlers.onChunk(chunk);
      },
      onText: text => receive(text, handlers),
      explain: () => explainRefusal(this.requests),
    });
  }

  connect(): void {
    this.#transport.connect();
  }

  disconnect(): void {
    this.#transport.stop();
  }

  /** Answers false when there is no connection. */
  send(message: OutgoingMessage): boolean {
    return this.#transport.send(JSON.stringify(message));
  }
}

/** Milliseconds that the server has to say why it refused. */
const EXPLAIN_TIMEOUT = 5000;

/**
 * A browser hides the HTTP status of a WebSocket that was not opened (WebSockets standard, "feedback from the protocol"),
 * so a request with the same rights asks for it.
 */
async function explainRefusal(requests: BrowserRequests): Promise<Refusal | undefined> {
  try {
    await requests.listTabs(AbortSignal.timeout(EXPLAIN_TIMEOUT));
  } catch (error) {
    if (!(error instanceof BrowserRequestError)) throw error;
    const { status, code, message } = error;
    if (status === 401 || status === 403) return { code: 4000 + status, reason: message };
    // A thread that has no browser yet has a stream all the same.
    if (status === 404 && code === 'unknown_agent') return { code: 4404, reason: message };
  }
  return undefined;
}

/** Leaves out messages of a later server that this version does not know. */
function receive(text: string, handlers: ClientHandlers): void {
  handlers.onTraffic(text.length);
  const message = parseServerMessage(text);
  if (message === undefined) return;
  if ('frame' in message) handlers.onFrame(message.frame);
  else handlers.onMessage(message);
}
