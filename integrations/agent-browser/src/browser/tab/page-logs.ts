import { within } from '@browser-toolset/core/waiting';
import type { ConsoleMessage, Page, Request } from 'playwright-core';
import { z } from 'zod/v4';
import type { Secrets } from '#egress/secrets.js';
import { forgetOldest } from '../../limits.js';
import type { ResolvedConfig } from '../../options.js';
import type { Tab } from './tab.js';

/** In increasing severity. */
export const LOG_LEVELS = ['debug', 'log', 'info', 'warning', 'error'] as const;

type LogLevel = (typeof LOG_LEVELS)[number];

export const uncaughtError = z.object({ text: z.string(), source: z.string().optional(), count: z.number() });
export type UncaughtError = z.output<typeof uncaughtError>;
export const consoleEntry = z.object({ level: z.enum(LOG_LEVELS), ...uncaughtError.shape });
export type ConsoleEntry = z.output<typeof consoleEntry>;

const MESSAGES_KEPT = 200;
const ERRORS_KEPT = 50;
const TEXT_LENGTH = 500;
const LOGGED_URL_LIMIT = 200;

/** The latest console messages of a session's pages, without duplicates. */
class ConsoleLog {
  readonly #messages = new Ring<ConsoleEntry>(MESSAGES_KEPT);
  readonly #errors = new Ring<UncaughtError>(ERRORS_KEPT);

  /** @param hide Hides secrets before a text is cut: half a value is a secret too. */
  constructor(readonly hide: (text: string) => string) {}

  watch(page: Page): void {
    page.on('console', message => {
      // A site may have no icon.
      if (!message.location().url.endsWith('/favicon.ico')) this.#messages.note(consoleEntryOf(message, this.hide));
    });
    page.on('pageerror', error =>
      this.#errors.note({
        text: this.hide(`${error.name}: ${error.message}`).slice(0, TEXT_LENGTH),
        ...thrownAt(error, this.hide),
      }),
    );
  }

  messages(from: LogLevel = 'debug'): ConsoleEntry[] {
    return this.#messages.all.filter(({ level }) => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(from));
  }

  get errors(): UncaughtError[] {
    return this.#errors.all;
  }

  get dropped(): number {
    return this.#messages.dropped + this.#errors.dropped;
  }

  clear(): void {
    this.#messages.clear();
    this.#errors.clear();
  }
}

/** Keeps the latest entries; a repeated one is counted and moves to the end. */
class Ring<Entry extends UncaughtError> {
  dropped = 0;
  readonly #entries = new Map<string, Entry>();

  constructor(readonly limit: number) {}

  get all(): Entry[] {
    return [...this.#entries.values()].map(entry => ({ ...entry }));
  }

  note(fresh: Omit<Entry, 'count'>): void {
    const key = JSON.stringify(fresh);
    const count = (this.#entries.get(key)?.count ?? 0) + 1;
    this.#entries.delete(key);
    this.#entries.set(key, { ...fresh, count } as Entry);
    this.dropped += forgetOldest(this.#entries, this.limit);
  }

  clear(): void {
    this.#entries.clear();
    this.dropped = 0;
  }
}

function consoleEntryOf(message: ConsoleMessage, hide: (text: string) => string): Omit<ConsoleEntry, 'count'> {
  const { url, lineNumber } = message.location();
  const source = url === '' ? undefined : `${hide(url).slice(0, LOGGED_URL_LIMIT)}:${lineNumber + 1}`;
  return {
    level: levelOf(message.type()),
    text: hide(message.text()).slice(0, TEXT_LENGTH),
    ...(source !== undefined && { source }),
  };
}

/** Console types without a level (table, group, timer) count as logs. */
function levelOf(type: string): LogLevel {
  if (type === 'assert') return 'error';
  return LOG_LEVELS.find(level => level === type) ?? 'log';
}

const PLACE = /((?:https?|blob|data|file):[^\s()]+?):(\d+):\d+/;

function thrownAt({ stack = '' }: Error, hide: (text: string) => string): { source?: string } {
  const [, url, line] = PLACE.exec(stack) ?? [];
  return url === undefined ? {} : { source: `${hide(url).slice(0, LOGGED_URL_LIMIT)}:${line}` };
}

export const loggedRequest = z.object({
  id: z.string(),
  method: z.string(),
  url: z.string(),
  /** CDP's resource type in Playwright's spelling, such as `document`, `script` or `fetch`. */
  type: z.string(),
  status: z.number().optional(),
  /** The network error of a request without a response. */
  failure: z.string().optional(),
  /** Bytes of the response body as transferred. */
  size: z.number().optional(),
  ms: z.number().optional(),
});
export type LoggedRequest = z.output<typeof loggedRequest>;

const LOG_SIZE = 200;
/** In milliseconds: the wait for Chromium to report body sizes. */
const MEASURE_MS = 1_000;

/** The latest requests; subscribes on first use, and keeps Playwright's request to read details from later. */
class NetworkLog {
  #seen = 0;
  dropped = 0;
  readonly #entries = new Map<Request, LoggedRequest>();
  readonly #watched = new WeakSet<Page>();

  constructor(private isWanted: boolean) {}

  /** Subscribes from now on. Returns whether it did before. */
  want(pages: readonly Page[]): boolean {
    const wasWanted = this.isWanted;
    this.isWanted = true;
    for (const page of pages) this.watch(page);
    return wasWanted;
  }

  watch(page: Page): void {
    if (!this.isWanted || this.#watched.has(page)) return;
    this.#watched.add(page);
    page.on('request', request => this.#began(request));
    page.on('response', response => this.#note(response.request(), { status: response.status() }));
    page.on('requestfinished', request => {
      this.#note(request, { ms: Math.max(0, Math.round(request.timing().responseEnd)) });
    });
    page.on('requestfailed', request => this.#note(request, { failure: request.failure()?.errorText ?? 'failed' }));
  }

  get all(): LoggedRequest[] {
    return [...this.#entries.values()];
  }

  /** Reads missing body sizes. Requests of closed pages have none. */
  async measure(): Promise<void> {
    const unmeasured = [...this.#entries].filter(([, { ms, size }]) => ms !== undefined && size === undefined);
    const asked = unmeasured.map(async ([request, entry]) => {
      entry.size = (await request.sizes()).responseBodySize;
    });
    await within(MEASURE_MS, Promise.allSettled(asked));
  }

  find(id: string): { request: Request; entry: LoggedRequest } | undefined {
    for (const [request, entry] of this.#entries) if (entry.id === id) return { request, entry };
    return undefined;
  }

  /** Ids are not reused. */
  clear(): void {
    this.dropped = 0;
    this.#entries.clear();
  }

  #began(request: Request): void {
    this.#seen++;
    const id = `r${this.#seen}`;
    this.#entries.set(request, { id, method: request.method(), url: request.url(), type: request.resourceType() });
    this.dropped += forgetOldest(this.#entries, LOG_SIZE);
  }

  /** Adds to what is recorded of a request, unless that was forgotten. */
  #note(request: Request, change: Partial<LoggedRequest>): void {
    Object.assign(this.#entries.get(request) ?? {}, change);
  }
}

export class PageLogs {
  readonly console: ConsoleLog;
  readonly network: NetworkLog;

  constructor({ tools: { only = [], also = [] } }: ResolvedConfig, secrets: Secrets) {
    this.console = new ConsoleLog(text => secrets.hide(text));
    this.network = new NetworkLog([...only, ...also].includes('browser_network'));
  }

  watch({ page }: Tab): void {
    this.console.watch(page);
    this.network.watch(page);
  }

  clear(): void {
    this.console.clear();
    this.network.clear();
  }
}
