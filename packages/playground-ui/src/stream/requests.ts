import { z } from 'zod/v4';
import type { ViewportSize } from '../input/geometry.js';
import { type BrowserStreamAddress, routeUrl } from './address.js';

/** The tab requests of a viewer. */
export type TabRequest =
  | { action: 'switch'; tab: string }
  | { action: 'close'; tab: string }
  | { action: 'new'; url?: string };

/** Where the active tab shall go. */
export type NavigateRequest = { url: string } | { direction: 'back' | 'forward' | 'reload' };

const tabsReply = z.object({
  tabs: z.array(z.object({ tab: z.string(), url: z.string(), title: z.string(), active: z.boolean() })),
});
const sessionsReply = z.object({
  sessions: z.array(
    z.looseObject({
      threadId: z.string(),
      isOpen: z.boolean().optional(),
      url: z.string().optional(),
      title: z.string().optional(),
      viewers: z.number().optional(),
    }),
  ),
});
const failureReply = z.object({ error: z.string(), message: z.string().optional() });

export type BrowserSession = z.output<typeof sessionsReply>['sessions'][number];

/** The server refused a request, or could not be reached (`status` 0). */
export class BrowserRequestError extends Error {
  override readonly name = 'BrowserRequestError';

  constructor(
    message: string,
    /** HTTP status. */
    readonly status: number,
    /** The server's error code, when it gave one. */
    readonly code: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface RequestOptions {
  address: BrowserStreamAddress;
  /** Id that the server gave this viewer; it must hold control for what changes the page. */
  viewer: () => string | undefined;
  /** @default fetch of the window */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The REST routes beside the stream. All methods reject with `BrowserRequestError`. */
export class BrowserRequests {
  readonly #options: RequestOptions;

  constructor(options: RequestOptions) {
    this.#options = options;
  }

  async listTabs(signal?: AbortSignal) {
    return parseReply(tabsReply, await this.#call('tabs', { method: 'GET', ...(signal && { signal }) })).tabs;
  }

  async listSessions(): Promise<BrowserSession[]> {
    return parseReply(sessionsReply, await this.#call('sessions', { method: 'GET' })).sessions;
  }

  async changeTabs(request: TabRequest): Promise<void> {
    await this.#post('tabs', request);
  }

  async navigate(request: NavigateRequest): Promise<void> {
    await this.#post('navigate', request);
  }

  /** Gives the thread's pages another viewport, in whole CSS pixels. */
  async resize({ width, height }: ViewportSize): Promise<void> {
    await this.#post('viewport', { width, height });
  }

  async relaunch(): Promise<void> {
    await this.#post('relaunch', {});
  }

  async close(): Promise<void> {
    await this.#post('close', {});
  }

  async #post(route: string, body: object): Promise<void> {
    const { threadId } = this.#options.address;
    await this.#call(route, {
      method: 'POST',
      body: JSON.stringify({ threadId, ...body }),
      headers: { 'content-type': 'application/json' },
    });
  }

  async #call(route: string, init: RequestInit): Promise<unknown> {
    const { address, fetch = globalThis.fetch } = this.#options;
    const url = routeUrl(address, route, location.href);
    if (init.method !== 'GET') url.searchParams.delete('threadId');
    const headers = { ...init.headers, ...this.#identity() };
    const response = await fetch(url, { ...init, headers }).catch((cause: unknown) => {
      throw new BrowserRequestError('The server cannot be reached.', 0, undefined, { cause });
    });
    // A proxy in between may answer something other than JSON: the status then says enough.
    const reply: unknown = await response.json().catch(() => undefined);
    if (response.ok) return reply;
    const failure = failureReply.safeParse(reply).data;
    const message = failure?.message ?? failure?.error ?? `The server answered with status ${response.status}.`;
    throw new BrowserRequestError(message, response.status, failure?.error);
  }

  #identity(): Record<string, string> {
    const { address, viewer } = this.#options;
    const id = viewer();
    return {
      ...(id !== undefined && { 'x-viewer': id }),
      ...(address.token !== undefined && { authorization: `Bearer ${address.token}` }),
    };
  }
}

function parseReply<Schema extends z.ZodType>(schema: Schema, reply: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(reply);
  if (error !== undefined) {
    throw new BrowserRequestError('The server sent an unexpected response.', 200, undefined, { cause: error });
  }
  return data as z.output<Schema>;
}
