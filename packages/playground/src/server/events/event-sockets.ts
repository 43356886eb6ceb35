import { WebSocketServer } from 'ws';
import { isFromOwnPage } from '../guard.js';
import type { Fetch } from '../listen.js';
import { refuseUpgrade, type TakeUpgrade } from '../upgrades.js';
import { endSocket } from './end-socket.js';
import { WindowStreams } from './window-streams.js';

export const EVENTS_PATH = '/playground/events';

/** More than a message of a window has, in bytes. */
const LONGEST_MESSAGE = 16_000;

const GOING_AWAY = 1001;
const SERVICE_RESTART = 1012;

/** One socket for each window, over which it follows as many event streams as it likes: browsers open six HTTP connections to a server, and endless streams would use them up. */
export class EventSockets implements AsyncDisposable {
  readonly #fetch: Fetch;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: LONGEST_MESSAGE, perMessageDeflate: false });

  /** @param fetch has the streams, as routes of the app */
  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Takes the sockets of this server's own pages, and refuses those of others. */
  readonly takeUpgrade: TakeUpgrade = (request, socket, head) => {
    if (request.url?.split('?')[0] !== EVENTS_PATH) return false;
    const { host = '', origin } = request.headers;
    if (isFromOwnPage(host, origin)) this.#accept(request, socket, head);
    else refuseUpgrade(socket, 403);
    return true;
  };

  /** Ends all sockets: their pages connect again. */
  async disconnect(): Promise<void> {
    await this.#endAll(SERVICE_RESTART, 'The page was built anew.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Before the sockets are ended: their pages will try again.
    this.#server.close();
    await this.#endAll(GOING_AWAY, 'The playground ends.');
  }

  #accept(...upgrade: Parameters<TakeUpgrade>): void {
    this.#server.handleUpgrade(...upgrade, socket => void new WindowStreams(socket, this.#fetch));
  }

  async #endAll(code: number, reason: string): Promise<void> {
    await Promise.all([...this.#server.clients].map(socket => endSocket(socket, code, reason)));
  }
}
