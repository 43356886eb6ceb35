import { Client } from './client.js';

export interface ClientLimits {
  /** Clients at most. */
  maxClients: number;
  /** Seconds after which the session of a client that does nothing ends. */
  sessionIdle: number;
}

export interface ClientHooks {
  /** Ends the browser of a client. */
  release(client: Client): Promise<void>;
  onAdded(client: Client): void;
  /** Told before its browser ends. */
  onEnded(client: Client): void;
  /** Told of what failed behind the scenes. */
  onError(error: unknown): void;
}

/** There is no room for another client. */
export class TooManyClients extends Error {
  override readonly name = 'TooManyClients';
}

/** The clients of a server. */
export class Clients {
  readonly #clients = new Set<Client>();
  readonly #sweep: NodeJS.Timeout;

  constructor(
    readonly limits: ClientLimits,
    readonly hooks: ClientHooks,
  ) {
    this.#sweep = setInterval(() => this.#endIdle(), Math.min(limits.sessionIdle * 1000, 60_000)).unref();
  }

  /** @throws {TooManyClients} */
  add(name: string, identity: string): Client {
    this.#endIdle();
    if (this.#clients.size >= this.limits.maxClients) this.#makeRoom(identity);
    if (this.#clients.size >= this.limits.maxClients)
      throw new TooManyClients(`There are ${this.#clients.size} clients, as many as may be at once`);
    const client = new Client(name, identity);
    this.#clients.add(client);
    this.hooks.onAdded(client);
    return client;
  }

  byHandle(handle: string, identity: string): Client | undefined {
    return this.all().find(client => client.handle === handle && client.identity === identity);
  }

  byThread(threadId: string): Client | undefined {
    return this.all().find(client => client.threadId === threadId);
  }

  all(): Client[] {
    return [...this.#clients];
  }

  async end(client: Client): Promise<void> {
    if (!this.#clients.delete(client)) return;
    client.unwatch?.();
    this.hooks.onEnded(client);
    await client.runs.stop();
    await this.hooks.release(client);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all(this.all().map(client => this.end(client)));
  }

  /**
   * Ends the client without a connection that did nothing for longest, for it may never come back. It is one of the caller
   * who has most of them, so that nobody takes the room of others.
   */
  #makeRoom(identity: string): void {
    const count = (of: string): number => this.all().filter(client => client.identity === of).length;
    const most = Math.max(...this.all().map(client => count(client.identity)));
    const [idle] = this.all()
      .filter(client => client.isStateless && !isBusy(client))
      .filter(client => client.identity === identity || count(client.identity) === most)
      .sort((one, two) => count(two.identity) - count(one.identity) || one.lastUsed - two.lastUsed);
    if (idle !== undefined) this.end(idle).catch(this.hooks.onError);
  }

  #endIdle(): void {
    const since = Date.now() - this.limits.sessionIdle * 1000;
    for (const client of this.#clients)
      if (!isBusy(client) && client.lastUsed < since) this.end(client).catch(this.hooks.onError);
  }
}

function isBusy({ calls, runs, isConnected }: Client): boolean {
  return calls > 0 || runs.current !== undefined || isConnected;
}
