import { randomBytes } from 'node:crypto';
import { TEXT_LIMIT } from '@browser-toolset/core/protocol';
import { Access, type Authorize } from './access.js';
import { type Log, limitedLog } from './limited-log.js';
import type { LiveBrowser, LiveThread } from './live-browser.js';
import { createMetrics, type Metrics } from './metrics.js';
import type { OriginRule } from './origin.js';
import { type LiveRequest, type LiveResponse, Refusal } from './requests.js';
import { answerRest } from './rest.js';
import type { LiveSocket } from './socket.js';
import { readStreamRequest } from './stream-request.js';
import type { ViewerAnswer } from './thread-surroundings.js';
import { Threads } from './threads.js';
import { type Right, signToken } from './tokens.js';

export interface LiveViewLimits {
  /** Longest message of a viewer, in bytes; a longer one ends its connection with 1009. @default 4_000_000, a full paste */
  messageBytes?: number;
  /** Messages a second that a viewer is read; it may send ten times as many at once. @default 2000 */
  messagesPerSecond?: number;
  /** @default 100 */
  viewersPerThread?: number;
  /** Time between two signs of life of a viewer, in milliseconds. @default 30_000 */
  pingInterval?: number;
}

export interface LiveViewOptions {
  /** The browser of an agent. An agent that has none is answered with 404. */
  browsers(agentId: string): LiveBrowser | undefined | Promise<LiveBrowser | undefined>;
  /**
   * Who may watch, who may act as well. Not asked for a token that `createToken` made.
   * @default 'control' for requests of this machine by a name of this machine, `false` for all others
   */
  authorize?: Authorize;
  /**
   * Pages that may connect, by origin (`https://app.example`). A rule is asked with undefined for a request that no page made.
   * @default pages of the same host and port, and programs of this machine
   */
  origins?: OriginRule;
  /** Signs the tokens of `createToken`. @default a random one, so that tokens end with the process */
  tokenSecret?: string | Uint8Array;
  /** A person has answered the question of an agent. */
  onAnswer?(answer: ViewerAnswer): void | Promise<void>;
  limits?: LiveViewLimits;
  /** Takes lines for people to read, few of them. @default console.warn */
  log?(line: string): void;
}

export interface TokenRequest {
  agentId: string;
  /** The default thread when left out. */
  threadId?: string;
  right: Right;
  /** Seconds during which streams can be opened and requests made. */
  expiresIn: number;
}

export interface LiveViewMetrics extends Metrics {
  /** How many watch now. */
  viewers: number;
  /** How many threads they watch. */
  threads: number;
}

/** A viewer that may be let in: connect it once the connection stands. */
export interface Admission {
  connect(socket: LiveSocket): void;
}

/** The live view of the browsers of some agents. `nodeLiveView` and `honoLiveView` bring it to a server. */
export interface LiveView {
  /**
   * A token for links: `?token=` of the stream and of the REST routes.
   * @throws RangeError for an `expiresIn` that is no finite number.
   */
  createToken(request: TokenRequest): string;
  metrics(): LiveViewMetrics;
  /** Ends all streams and lets nobody in any more. Closes no browser. */
  close(): void;
  /** For adapters: the longest message to accept of a viewer, in bytes. */
  readonly messageBytes: number;
  /** For adapters: whether a request for a stream is let in. Rejects with a `Refusal`. */
  admit(agentId: string, request: LiveRequest): Promise<Admission>;
  /** For adapters: answers a REST request. */
  answer(agentId: string, route: string, request: LiveRequest): Promise<LiveResponse>;
}

/**
 * Makes the live view of some browsers: frames out, a person's input in.
 *
 * @example
 * const live = createLiveView({ browsers: agentId => (agentId === 'web' ? browser : undefined) });
 * nodeLiveView(live).attach(server);
 */
export function createLiveView(options: LiveViewOptions): LiveView {
  return new BrowserLiveView(options);
}

const TOO_MANY = 'As many watch this thread as may.';
/** How many messages may come at once, in seconds of the rate: a burst is no flood. */
const BURST_SECONDS = 10;

class BrowserLiveView implements LiveView {
  readonly messageBytes: number;
  readonly #options: LiveViewOptions;
  readonly #secret: Uint8Array;
  readonly #metrics = createMetrics();
  readonly #access: Access;
  readonly #threads: Threads;
  readonly #log: Log;
  readonly #heartbeat: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: LiveViewOptions) {
    const { messageBytes = 4 * TEXT_LIMIT, messagesPerSecond = 2000, pingInterval = 30_000 } = options.limits ?? {};
    this.#options = options;
    this.messageBytes = messageBytes;
    this.#secret = secretOf(options.tokenSecret);
    this.#log = limitedLog(options.log ?? (line => console.warn(line)), () => performance.now());
    this.#access = new Access({ authorize: options.authorize, origins: options.origins, secret: this.#secret });
    this.#threads = new Threads({
      metrics: this.#metrics,
      log: this.#log,
      messageRate: { perSecond: messagesPerSecond, burst: messagesPerSecond * BURST_SECONDS },
      onAnswer: options.onAnswer?.bind(options),
    });
    this.#heartbeat = setInterval(() => {
      for (const view of this.#threads.all()) view.ping();
    }, pingInterval);
    this.#heartbeat.unref();
  }

  createToken({ agentId, threadId, right, expiresIn }: TokenRequest): string {
    // A token cannot say any other time, and would end at once.
    if (!Number.isFinite(expiresIn)) throw new RangeError(`expiresIn takes a number of seconds, not ${expiresIn}.`);
    const expiresAt = Date.now() + expiresIn * 1000;
    return signToken(this.#secret, { agentId, ...(threadId !== undefined && { threadId }), right, expiresAt });
  }

  metrics(): LiveViewMetrics {
    const views = this.#threads.all();
    const viewers = views.reduce((sum, { viewerCount }) => sum + viewerCount, 0);
    return { ...this.#metrics, viewers, threads: views.length };
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    for (const view of this.#threads.all()) view.closeAll(1001, 'The live view is closing.');
  }

  admit(agentId: string, request: LiveRequest): Promise<Admission> {
    return this.#refusing(async () => {
      const { threadId, frames, settings } = readStreamRequest(request.url);
      this.#access.checkOrigin(request);
      const right = await this.#access.rightTo(request, { agentId, threadId });
      const thread = { source: await this.#browserOf(agentId), threadId };
      if (!this.#hasRoom(thread)) throw new Refusal('too_many_viewers', TOO_MANY);
      return {
        connect: socket => {
          this.#metrics.connections += 1;
          if (this.#isClosed) return socket.close(1001, 'The live view is closing.');
          // Others that were let in at the same time may have come first. 1013: try again later (IANA, WebSocket close codes).
          if (!this.#hasRoom(thread)) return socket.close(1013, TOO_MANY);
          this.#threads.get(thread).join({ agentId, right, frames, settings, socket });
        },
      };
    });
  }

  async answer(agentId: string, route: string, request: LiveRequest): Promise<LiveResponse> {
    const shared = { access: this.#access, threads: this.#threads, browserOf: () => this.#browserOf(agentId) };
    const response = await this.#refusing(() => answerRest({ ...shared, agentId, route, request })).catch(
      errorResponse,
    );
    return { ...response, headers: { ...response.headers, ...this.#corsHeaders(request) } };
  }

  /** A host's rule that fails for an origin allows it nothing. */
  #corsHeaders(request: LiveRequest): Record<string, string> {
    try {
      return this.#access.corsHeaders(request);
    } catch (error) {
      this.#log('request', `The rule for origins failed: ${String(error)}`);
      return {};
    }
  }

  #hasRoom(thread: LiveThread): boolean {
    const { viewersPerThread = 100 } = this.#options.limits ?? {};
    return (this.#threads.find(thread)?.viewerCount ?? 0) < viewersPerThread;
  }

  async #browserOf(agentId: string): Promise<LiveBrowser> {
    const source = await this.#options.browsers(agentId);
    if (source === undefined) throw new Refusal('unknown_agent', `There is no agent ${agentId} with a browser.`);
    return source;
  }

  /** Runs a step; whatever goes wrong there is counted, and becomes a `Refusal`. */
  async #refusing<Result>(step: () => Promise<Result>): Promise<Result> {
    try {
      if (this.#isClosed) throw new Refusal('closing', 'The live view is closed.');
      return await step();
    } catch (error) {
      this.#metrics.refusals += 1;
      if (error instanceof Refusal) throw error;
      this.#log('request', `A request failed: ${String(error)}`);
      throw new Refusal('browser_error', 'The request failed; the log of the server says why.');
    }
  }
}

function secretOf(secret: string | Uint8Array | undefined): Uint8Array {
  if (secret === undefined) return randomBytes(32);
  if (secret.length === 0) throw new TypeError('tokenSecret is empty: anybody could sign tokens.');
  return typeof secret === 'string' ? Buffer.from(secret) : secret;
}

function errorResponse(error: unknown): LiveResponse {
  if (error instanceof Refusal) return error.toResponse();
  throw error;
}
