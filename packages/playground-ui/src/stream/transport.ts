/** The parts of a `WebSocket` that the transport uses. */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(code?: number, reason?: string): void;
}

export type SocketConstructor = new (url: string) => SocketLike;

/** Where the connection stands. After `refused` and `stopped` nothing more happens by itself. */
export type Connection =
  | { phase: 'idle' }
  | { phase: 'connecting'; attempt: number }
  | { phase: 'open' }
  /** `retryIn` in milliseconds. */
  | { phase: 'waiting'; attempt: number; retryIn: number }
  | ({ phase: 'refused' } & Refusal);

export interface Refusal {
  /** Close code. */
  code: number;
  reason: string;
}

export interface TransportOptions {
  /** Url of the stream; asked for anew at each attempt, so that it may carry a fresh token. */
  url: () => string;
  onConnection(connection: Connection): void;
  onText(text: string): void;
  onBytes(bytes: Uint8Array<ArrayBuffer>): void;
  /** Finds out why a connection was refused before it was open, which a browser does not tell. Never rejects. */
  explain?: () => Promise<Refusal | undefined>;
  /** @default WebSocket of the window */
  WebSocket?: SocketConstructor | undefined;
  /** A number from 0 up to 1, for the jitter. @default Math.random */
  random?: () => number;
}

/** Close codes that say no: a policy (RFC 6455, 7.4.1), and the HTTP statuses 401, 403 and 404 in the private range. */
const FINAL_CODES: readonly number[] = [1008, 4401, 4403, 4404];
const FIRST_DELAY = 250;
const LONGEST_DELAY = 10_000;
/** `WebSocket.OPEN`, which a constructor that is handed in need not have. */
const OPEN = 1;

/** Milliseconds until an attempt: doubled each time, with half of it left to chance so that viewers do not return as one. */
export function retryDelay(attempt: number, random: () => number): number {
  const delay = Math.min(FIRST_DELAY * 2 ** (attempt - 1), LONGEST_DELAY);
  return delay / 2 + (delay / 2) * random();
}

/** One WebSocket that comes back when it is lost. Invariant: what an abandoned socket still says is not heard. */
export class StreamTransport {
  readonly #options: TransportOptions;
  #socket: SocketLike | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Connects, at once when it waits to. */
  connect(): void {
    if (this.#socket !== undefined) return;
    this.#stopWaiting();
    const { WebSocket: Socket = WebSocket, url, explain, onConnection } = this.#options;
    const socket: SocketLike = new Socket(url());
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    onConnection({ phase: 'connecting', attempt: this.#attempt + 1 });
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      if (this.#socket === socket) onConnection({ phase: 'open' });
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (this.#socket === socket) this.#receive(data);
    };
    socket.onclose = async ({ code, reason }: Refusal) => {
      if (this.#socket !== socket) return;
      const refusal = FINAL_CODES.includes(code) ? { code, reason } : wasOpen ? undefined : await explain?.();
      if (this.#socket === socket) this.#lost(refusal);
    };
    // A close event with the reason follows each error event (HTML, "the WebSocket interface").
    socket.onerror = () => undefined;
  }

  /** Sends, or answers false when there is no connection: input that is late is worse than none. */
  send(text: string): boolean {
    if (this.#socket?.readyState !== OPEN) return false;
    this.#socket.send(text);
    return true;
  }

  /** Ends the connection; `connect` begins again. */
  stop(): void {
    this.#stopWaiting();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#attempt = 0;
    socket?.close(1000);
    this.#options.onConnection({ phase: 'idle' });
  }

  #receive(data: unknown): void {
    // Only a server that speaks counts as found again: one that accepts and drops must not be asked in a loop.
    this.#attempt = 0;
    if (typeof data === 'string') this.#options.onText(data);
    else if (data instanceof ArrayBuffer) this.#options.onBytes(new Uint8Array(data));
  }

  #lost(refusal: Refusal | undefined): void {
    this.#socket = undefined;
    if (refusal !== undefined) {
      this.#options.onConnection({ phase: 'refused', ...refusal });
      return;
    }
    this.#attempt += 1;
    const retryIn = retryDelay(this.#attempt, this.#options.random ?? Math.random);
    this.#timer = setTimeout(() => this.connect(), retryIn);
    this.#options.onConnection({ phase: 'waiting', attempt: this.#attempt, retryIn });
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
