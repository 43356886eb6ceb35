import { unlessAborted, within } from '@browser-toolset/core/waiting';
import type { Browser } from 'playwright-core';
import { plainMessage } from '../results/errors.js';
import type { Timings } from '../timings.js';
import { endpointOf } from './chromium/endpoint.js';
import { Host } from './host.js';
import type { Recording } from './open-context.js';
import { Queue } from './queue.js';
import type { DetachReason, HostOwner } from './running-browser.js';
import { Session } from './session.js';
import { type SessionOwner, ThreadEndpoint } from './session-owner.js';
import { Signal } from './signal.js';
import { type RecordStore, recordKey, recordStore } from './storage/record-store.js';
import { SessionRecord } from './storage/session-record.js';
import type { PageReaders } from './tab/page-readers.js';

/** Limits the open sessions: opening waits in line until the least recently used idle session can hibernate. */
class SessionLimiter {
  #inside = new Set<Session>();
  #waiting = new Set<Session>();
  #turns = new Queue();
  #change = Promise.withResolvers<void>();

  constructor(readonly limit: number) {}

  /** Whether another session may open without hibernating one. */
  get hasPlace(): boolean {
    return new Set([...this.#inside, ...this.#waiting]).size < this.limit;
  }

  concerns(predicate: (session: Session) => boolean): boolean {
    return [...this.#inside, ...this.#waiting].some(predicate);
  }

  /** Resolves when the session may open. Rejects when the signal aborts first. */
  async enter(session: Session, signal?: AbortSignal): Promise<void> {
    await this.returning(session, () => this.#turns.run(() => this.#admit(session, signal)));
  }

  /** Counts the session as opening while the task runs. */
  async returning(session: Session, task: () => Promise<unknown>): Promise<void> {
    this.#waiting.add(session);
    try {
      await task();
    } finally {
      this.#waiting.delete(session);
    }
  }

  leave(session: Session): void {
    this.#inside.delete(session);
    this.changed();
  }

  /** A session has left or become idle. */
  changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  async #admit(session: Session, signal?: AbortSignal): Promise<void> {
    while (this.#inside.size >= this.limit && !this.#inside.has(session)) {
      signal?.throwIfAborted();
      const idle = [...this.#inside].filter(({ queue, person }) => queue.isIdle && !person.control.isHeld);
      const longestUnused = idle.sort((a, b) => a.lastUsed - b.lastUsed)[0];
      await longestUnused?.queue.run(() => longestUnused.hibernate());
      // All sessions are busy, or the idle one is already closing.
      if (longestUnused === undefined || this.#inside.has(longestUnused))
        await unlessAborted(this.#change.promise, signal);
    }
    this.#inside.add(session);
  }
}

/** The session of calls without a thread id. */
export const DEFAULT_SESSION = 'default';
const SHARED = 'shared';
/** The number of closed or sleeping sessions kept; the least recently used ones are forgotten. */
const REST_KEPT = 1000;
/** In milliseconds: the wait for interrupted calls to end. */
const DRAIN_MS = 2_000;

/** Node fires longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface SessionsContext extends HostOwner {
  readonly timings: Timings;
  readonly readers: PageReaders;
  /** Undefined when videos are off. */
  readonly recorder: Recorder | undefined;
}

export interface Recorder {
  start(session: Session, browser: Browser): Recording;
}

/**
 * All sessions of a toolset: created on first use, hibernated when idle or too many, and closed together.
 * Invariant: only the thread id decides which session an action belongs to.
 */
export class Sessions {
  #sessions = new Map<string, Session>();
  #timers = new Map<Session, NodeJS.Timeout>();
  readonly created = new Signal<[Session]>();
  /** The next numbers of new sessions, beyond all refs and tab ids of forgotten sessions. */
  #firstNumbers = { ref: 1, tab: 1 };
  readonly #limiter: SessionLimiter;
  /** The owner of each remote default context, by context id: it keeps pages and cookies while its session sleeps. */
  readonly #claims = new Map<string, Session>();
  readonly #records: RecordStore | undefined;
  #recordKey: Promise<string | undefined> | undefined;
  /** The browser of all sessions, unless each thread has its own remote one. */
  readonly #host: Host;

  constructor(readonly context: SessionsContext) {
    const { cdpUrl, sessions, records } = context.config;
    this.#records = records === undefined ? undefined : recordStore(records);
    this.#limiter = new SessionLimiter(sessions.max);
    const mayClose = (targetId: string): boolean => this.#isLeft(targetId);
    this.#host = new Host(context, typeof cdpUrl === 'string' ? { endpoint: async () => cdpUrl, mayClose } : undefined);
  }

  get isShared(): boolean {
    return this.context.config.scope === 'shared' || this.context.config.profile !== undefined;
  }

  /** The session of a thread, created if there is none. Starts no browser. */
  get(threadId: string): Session {
    const key = this.isShared ? SHARED : threadId;
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const session: Session = new Session(
      key,
      this.#ownerOf(key, () => session),
    );
    this.#sessions.set(key, session);
    this.created.emit(session);
    this.#forgetOldest();
    return session;
  }

  /** Starts the browser, unless each thread may have its own. Resolves when its process runs or failed. */
  async startBrowser(): Promise<void> {
    if (this.context.config.cdpUrl === undefined) await this.#host.start();
  }

  find(threadId: string): Session | undefined {
    return this.#sessions.get(this.isShared ? SHARED : threadId);
  }

  all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Closes a session at once: running and waiting calls report that the browser was closed. */
  async end(session: Session, what?: 'session' | 'browser'): Promise<void> {
    session.events.emit('interrupted');
    await session.close(what);
  }

  async closeAll(): Promise<void> {
    const all = this.all();
    const hosts = new Set([this.#host, ...all.map(session => session.owner.host)]);
    await Promise.allSettled(all.map(session => this.end(session, 'browser')));
    await Promise.all([...hosts].map(host => host.close()));
    await within(DRAIN_MS, Promise.all(all.map(session => session.queue.drained())));
  }

  #ownerOf(threadId: string, session: () => Session): SessionOwner {
    const { context } = this;
    const endpoint = new ThreadEndpoint();
    const store = this.#records;
    const key = async (): Promise<string | undefined> => {
      this.#recordKey ??= recordKey(context.config.storageKey);
      return this.#recordKey;
    };
    return {
      ...context,
      host: this.#hostOf(threadId, endpoint),
      endpoint,
      record: store && new SessionRecord(threadId, { store, log: context.log, key }),
      claim: (contextId, need) => this.#claim(session(), contextId, need),
      firstNumbers: { ...this.#firstNumbers },
      enter: signal => this.#limiter.enter(session(), signal),
      left: reason => this.#left(session(), reason),
      reopen: signal => this.#reopen(session(), signal),
      idle: () => this.#idle(session()),
      film: browser => context.recorder?.start(session(), browser),
    };
  }

  #hostOf(threadId: string, place: ThreadEndpoint): Host {
    const { cdpUrl } = this.context.config;
    if (typeof cdpUrl !== 'function') return this.#host;
    return new Host(this.context, {
      mayClose: targetId => this.#isLeft(targetId),
      endpoint: async () => {
        const last = place.last === undefined ? {} : { endpoint: place.last };
        const answer = endpointOf(await cdpUrl({ threadId, ...last }));
        place.last = answer.url;
        return answer;
      },
    });
  }

  /** Whether a remote page belonged to a session and is no longer used by any. */
  #isLeft(targetId: string): boolean {
    const holders = this.all().filter(({ owner }) => owner.endpoint.pages().includes(targetId));
    return holders.length > 0 && !holders.some(({ isOpen }) => isOpen);
  }

  /** Threads whose remote browsers are the same one must not see each other's pages. */
  #claim(session: Session, contextId: string | undefined, need: 'wished' | 'needed'): boolean {
    if (contextId === undefined) return true;
    const holder = this.#claims.get(contextId);
    // Some browsers have one context: the next thread gets it after its holder has closed.
    const isDone = holder?.remembered === undefined && !this.#limiter.concerns(other => other === holder);
    const isFree = holder === undefined || (need === 'needed' && isDone);
    if (isFree) this.#claims.set(contextId, session);
    return isFree || holder === session;
  }

  /** Ends a browser that no session uses; the next session starts it again. */
  async #left(session: Session, reason?: DetachReason): Promise<void> {
    clearTimeout(this.#timers.get(session));
    this.#timers.delete(session);
    this.#limiter.leave(session);
    await this.#endUnused(session.owner.host, reason);
  }

  async #endUnused(host: Host, reason?: DetachReason): Promise<void> {
    if (!this.#limiter.concerns(other => other.owner.host === host)) await host.close(reason);
  }

  async #reopen(session: Session, signal?: AbortSignal): Promise<void> {
    try {
      await this.#limiter.returning(session, async () => {
        await session.hibernate();
        await session.ready(signal);
      });
    } finally {
      await this.#endUnused(session.owner.host);
    }
  }

  #idle(session: Session): void {
    this.#limiter.changed();
    session.owner.host.keepSpare(this.#limiter.hasPlace);
    if (session.isOpen) this.#hibernateIn(session, this.context.config.sessions.idleMs);
  }

  #hibernateIn(session: Session, milliseconds: number): void {
    clearTimeout(this.#timers.get(session));
    const timer = setTimeout(() => this.#timeIsUp(session), Math.min(milliseconds, LONGEST_TIMER_MS));
    timer.unref();
    this.#timers.set(session, timer);
  }

  #timeIsUp(session: Session): void {
    // The running action restarts the timer when it ends.
    if (!session.queue.isIdle) return;
    const rest = session.lastUsed + this.context.config.sessions.idleMs - performance.now();
    // A person has used or controls the session; giving control back restarts the timer.
    if (session.person.control.isHeld) return;
    if (rest > 0) {
      this.#hibernateIn(session, rest);
      return;
    }
    session.queue
      .run(() => session.hibernate())
      .catch(error => {
        const { threadId } = session;
        this.context.log.warn('session could not hibernate', { threadId, error: plainMessage(error) });
      });
  }

  #forgetOldest(): void {
    const resting = this.all().filter(({ isOpen, queue, person }) => !isOpen && queue.isIdle && !person.isExpected);
    if (resting.length <= REST_KEPT) return;
    resting.sort((a, b) => a.lastUsed - b.lastUsed);
    for (const session of resting.slice(0, REST_KEPT / 10)) {
      this.#sessions.delete(session.threadId);
      for (const [contextId, holder] of this.#claims) if (holder === session) this.#claims.delete(contextId);
      this.#firstNumbers.ref = Math.max(this.#firstNumbers.ref, session.nextNumbers.ref);
      this.#firstNumbers.tab = Math.max(this.#firstNumbers.tab, session.nextNumbers.tab);
    }
  }
}
