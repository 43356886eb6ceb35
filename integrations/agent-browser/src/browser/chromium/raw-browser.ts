import { within } from '@browser-toolset/core/waiting';
import { z } from 'zod/v4';
import type { RemoteEndpoint } from './endpoint.js';

const messageSchema = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

const versionSchema = z.object({ webSocketDebuggerUrl: z.string() });

/** The WebSocket of Node takes headers, which that of the web's standard does not. */
type NodeWebSocket = new (url: string, options: { headers: Record<string, string> }) => WebSocket;

interface Settlement {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Speaks with a browser alone: Playwright lets nobody speak with one before all of its pages have answered. */
export class RawBrowser {
  #next = 1;
  readonly #asked = new Map<number, Settlement>();

  private constructor(readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.#heard(String(data)));
    socket.addEventListener('close', () => this.#ended());
  }

  /** @throws when there is no way to the browser in time. */
  static async connect(endpoint: RemoteEndpoint, milliseconds: number): Promise<RawBrowser> {
    const { headers = {} } = endpoint;
    const url = await socketOf(endpoint, milliseconds);
    const socket = new (WebSocket as unknown as NodeWebSocket)(url, { headers });
    const opened = new Promise<true>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(true));
      socket.addEventListener('error', () => reject(new Error('The browser refused a second connection.')));
    });
    if (await within(milliseconds, opened)) return new RawBrowser(socket);
    socket.close();
    throw new Error('The browser did not answer a second connection in time.');
  }

  async send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    const id = this.#next++;
    const answer = new Promise<unknown>((resolve, reject) => this.#asked.set(id, { resolve, reject }));
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    return answer;
  }

  /** Fails all questions that have no answer yet. */
  close(): void {
    this.socket.close();
    this.#ended();
  }

  #heard(text: string): void {
    const told = readMessage(text);
    if (told === undefined) {
      // No browser speaks like that.
      this.close();
      return;
    }
    const { id = 0, result, error } = told;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined) return;
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(error.message));
  }

  #ended(): void {
    for (const { reject } of this.#asked.values()) reject(new Error('The connection to the browser has ended.'));
    this.#asked.clear();
  }
}

function readMessage(text: string): z.output<typeof messageSchema> | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // It is no JSON.
    return undefined;
  }
}

/** The WebSocket of a browser that is known by its port tells is asked for there. */
async function socketOf({ url, headers }: RemoteEndpoint, milliseconds: number): Promise<string> {
  if (/^wss?:/.test(url)) return url;
  const place = new URL(url);
  place.pathname = `${place.pathname.replace(/\/$/, '')}/json/version/`;
  const answer = await fetch(place, { ...(headers && { headers }), signal: AbortSignal.timeout(milliseconds) });
  return versionSchema.parse(await answer.json()).webSocketDebuggerUrl;
}
