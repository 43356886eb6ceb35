import { within } from '@browser-toolset/core/waiting';
import type { Page, Request } from 'playwright-core';

/** A request of a page, as a list shows it. */
export interface LoggedRequest {
  id: string;
  method: string;
  url: string;
  /** The kind of resource, such as `document`, `script` or `fetch`. */
  type: string;
  status?: number;
  /** Why there is no answer. */
  failure?: string;
  /** Bytes of the body of the answer as they came over the network. */
  size?: number;
  ms?: number;
}

const KEPT = 200;
/** The browser tells sizes within so many milliseconds. */
const MEASURE_TIME = 1_000;

/**
 * The latest requests of the pages of a session. It listens only once somebody wants to know; what is kept of a request
 * is what a list shows of it, and the way to ask the browser for the rest.
 */
export class NetworkLog {
  /** How many have been seen so far. */
  #seen = 0;
  #dropped = 0;
  readonly #entries = new Map<Request, LoggedRequest>();
  readonly #watched = new WeakSet<Page>();

  constructor(private isWanted: boolean) {}

  /** Listens from now on. Returns whether it did before. */
  want(pages: readonly Page[]): boolean {
    const wasWanted = this.isWanted;
    this.isWanted = true;
    for (const page of pages) this.watch(page);
    return wasWanted;
  }

  /** Listens for as long as the page lives, if anybody wants to know. */
  watch(page: Page): void {
    if (!this.isWanted || this.#watched.has(page)) return;
    this.#watched.add(page);
    page.on('request', request => this.#began(request));
    page.on('response', response => {
      const entry = this.#entries.get(response.request());
      if (entry !== undefined) entry.status = response.status();
    });
    page.on('requestfinished', request => this.#ended(request));
    page.on('requestfailed', request => {
      const entry = this.#entries.get(request);
      if (entry !== undefined) entry.failure = request.failure()?.errorText ?? 'failed';
    });
  }

  /** In the order in which they began. */
  get all(): LoggedRequest[] {
    return [...this.#entries.values()];
  }

  /** Asks for the sizes that nobody has asked for yet. Those of pages that are gone are not told. */
  async measure(): Promise<void> {
    const unmeasured = [...this.#entries].filter(([, { ms, size }]) => ms !== undefined && size === undefined);
    const asked = unmeasured.map(async ([request, entry]) => {
      entry.size = (await request.sizes()).responseBodySize;
    });
    await within(MEASURE_TIME, Promise.allSettled(asked));
  }

  /** So many are not kept any more. */
  get dropped(): number {
    return this.#dropped;
  }

  find(id: string): { request: Request; entry: LoggedRequest } | undefined {
    for (const [request, entry] of this.#entries) if (entry.id === id) return { request, entry };
    return undefined;
  }

  /** Ids go on counting. */
  clear(): void {
    this.#dropped = 0;
    this.#entries.clear();
  }

  #began(request: Request): void {
    this.#seen++;
    const id = `r${this.#seen}`;
    this.#entries.set(request, { id, method: request.method(), url: request.url(), type: request.resourceType() });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= KEPT) break;
      this.#entries.delete(oldest);
      this.#dropped++;
    }
  }

  #ended(request: Request): void {
    const entry = this.#entries.get(request);
    if (entry !== undefined) entry.ms = Math.max(0, Math.round(request.timing().responseEnd));
  }
}
