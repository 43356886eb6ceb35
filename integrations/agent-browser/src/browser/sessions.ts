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
import { type RecordStore, recordKey, recordStore } from './storage/record-store.js';
import { SessionRecord } from './storage/session-record.js';

/**
 * Keeps the number of open sessions at its limit: who wants to open when it is reached waits for its turn, and then for
 * a session that is idle, which hibernates; of several the one that was used longest ago.
 */
class SessionLimiter {
  #inside = new Set<Session>();
  #waiting = new Set<Session>();
  #turns = new Queue();
  #change = Promise.withResolvers<void>();

  constructor(readonly limit: number) {}

  /** Another session may open without sending one to sleep. */
  get hasPlace(): boolean {
    return new Set([...this.#inside, ...this.#waiting]).size < this.limit;
  }

  /** The session is open or about to open, or waits for it. */
  concerns(predicate: (session: Session) => boolean): boolean {
    return [...this.#inside, ...this.#waiting].some(predicate);
  }

  /** Resolves when the session may open. Rejects when the signal aborts first. */
  async enter(session: Session, signal?: AbortSignal): Promise<void> {
    await this.returning(session, () => this.#turns.run(() => this.#admit(session, signal)));
  }

  /** Meanwhile the session counts as one that is about to open. */
  async returning(session: Session, task: () => Promise<unknown>): Promise<void> {
    this.#waiting.add(session);
    try {
      await task();
    } finally {
      this.#waiting.delete(session);
    }
  }

  /** The session is not open any more. */
  leave(session: Session): void {
    this.#inside.delete(session);
    this.#changed();
  }

  /** A session has nothing to do: it may make room for another. */
  idle(): void {
    this.#changed();
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  async #admit(session: Session, signal?: AbortSignal): Promise<void> {
    while (this.#inside.size >= this.limit && !this.#inside.has(session)) {
      signal?.throwIfAborted();
      const longestUnused = this.#idleOnes().sort((a, b) => a.lastUsed - b.lastUsed)[0];
      await longestUnused?.queue.run(() => longestUnused.hibernate());
      // All are in use, or the one that is idle is on its way out already.
      if (longestUnused === undefined || this.#inside.has(longestUnused))
        await unlessAborted(this.#change.promise, signal);
    }
    this.#inside.add(session);
  }

  #idleOnes(): Session[] {
    return [...this.#inside].filter(({ queue, person }) => queue.isIdle && !person.control.isHeld);
  }
}

/** The session of calls that nothing says more about. */
export const DEFAULT_SESSION = 'default';
/** The one session of `scope: 'shared'`. */
const SHARED = 'shared';
/** So many sessions that are closed or asleep are kept; of those that were not used for longest nothing is. */
const REST_KEPT = 1000;
/** How long calls that were interrupted may take to end, in milliseconds. */
const DRAIN_TIME = 2_000;

/** Node ends timers that are set for longer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The parts that all sessions of a toolset share. */
interface SessionsContext extends HostOwner {
  readonly timings: Timings;
  /** Makes videos of sessions, where they are wanted. */
  readonly recorder: Recorder | undefined;
}

/** Makes videos of what sessions show, each from the moment at which it gets its context. */
export interface Recorder {
  start(session: Session, browser: Browser): Recording;
}

/**
 * All sessions of a toolset: made on first use, hibernated when idle or when there are too many, closed together.
 * Invariant: which session an action belongs to is decided by its thread id alone.
 */
export class Sessions {
  #sessions = new Map<string, Session>();
  #timers = new Map<Session, NodeJS.Timeout>();
  #listeners = new Set<(session: Session) => void>();
  /** Where new sessions begin to count: beyond all refs and tab ids of sessions that were forgotten. */
  #firstNumbers = { ref: 1, tab: 1 };
  readonly #limiter: SessionLimiter;
  /** Whose the context is that a remote browser came with, by its id: it keeps pages and cookies when its session sleeps. */
  readonly #claims = new Map<string, Session>();
  readonly #records: RecordStore | undefined;
  #recordKey: Promise<string> | undefined;
  /** The browser of all sessions, unless each thread has a remote one of its own. */
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

  /** The session of a thread, made now if there is none. Starts nothing. */
  get(threadId: string): Session {
    const key = this.isShared ? SHARED : threadId;
    let session = this.#sessions.get(key);
    if (session === undefined) {
      session = this.#make(key);
      this.#sessions.set(key, session);
      for (const listener of [...this.#listeners]) listener(session);
      this.#forgetOldest();
    }
    return session;
  }

  /** Starts the browser before a session opens in it. Resolves when its process runs, or will not. */
  async startBrowser(): Promise<void> {
    // Each thread may have a browser of its own.
    if (this.context.config.cdpUrl === undefined) await this.#host.start();
  }

  /** The session of a thread that has one. */
  find(threadId: string): Session | undefined {
    return this.#sessions.get(this.isShared ? SHARED : threadId);
  }

  all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Calls back with each session that is made from now on. Returns the way to stop. */
  onCreated(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Closes a session. What waits in its queue opens it anew. */
  async close(session: Session): Promise<void> {
    await session.close();
  }

  /** Closes a session whatever it does: calls that run or wait answer that the browser was closed. */
  async end(session: Session, what?: 'session' | 'browser'): Promise<void> {
    session.interrupt();
    await session.close(what);
  }

  /** Ends all sessions and their browsers. */
  async closeAll(): Promise<void> {
    const all = this.all();
    const hosts = new Set([this.#host, ...all.map(session => session.owner.host)]);
    await Promise.allSettled(all.map(session => this.end(session, 'browser')));
    await Promise.all([...hosts].map(host => host.close()));
    await within(DRAIN_TIME, Promise.all(all.map(session => session.queue.drained())));
  }

  #keyOf(storageKey: string): Promise<string> {
    this.#recordKey ??= recordKey(storageKey);
    return this.#recordKey;
  }

  #make(threadId: string): Session {
    const session: Session = new Session(
      threadId,
      this.#ownerOf(threadId, () => session),
    );
    return session;
  }

  #ownerOf(threadId: string, session: () => Session): SessionOwner {
    const { context } = this;
    const endpoint = new ThreadEndpoint();
    const store = this.#records;
    const { storageKey } = context.config;
    const key = storageKey === undefined ? undefined : () => this.#keyOf(storageKey);
    return {
      ...context,
      host: this.#hostOf(threadId, endpoint),
      endpoint,
      record: store && new SessionRecord(threadId, { store, log: context.log, ...(key !== undefined && { key }) }),
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

  /** Whether a page in a remote browser was a session's, and is in use by none. */
  #isLeft(targetId: string): boolean {
    const holders = this.all().filter(({ owner }) => owner.endpoint.pages.includes(targetId));
    return holders.length > 0 && !holders.some(({ isOpen }) => isOpen);
  }

  /** Threads whose remote browsers turn out to be one must not see each other's pages. */
  #claim(session: Session, contextId: string | undefined, need: 'wished' | 'needed'): boolean {
    if (contextId === undefined) return true;
    const holder = this.#claims.get(contextId);
    // Some browsers have but one context: the next thread gets it when the one before is done with it.
    const isFree = holder === undefined || (need === 'needed' && this.#isDone(holder));
    if (isFree) this.#claims.set(contextId, session);
    return isFree || holder === session;
  }

  /** Whether a session was closed, and does not come back where it was. */
  #isDone(session: Session): boolean {
    return session.remembered === undefined && !this.#limiter.concerns(other => other === session);
  }

  /** A browser without sessions ends: the next session starts it again. */
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
    this.#limiter.idle();
    session.owner.host.keepSpare(this.#limiter.hasPlace);
    if (session.isOpen) this.#hibernateIn(session, this.context.config.sessions.idleMs);
  }

  #hibernateIn(session: Session, milliseconds: number): void {
    clearTimeout(this.#timers.get(session));
    const timer = setTimeout(() => this.#timeIsUp(session), Math.min(milliseconds, LONGEST_TIMER));
    timer.unref();
    this.#timers.set(session, timer);
  }

  #timeIsUp(session: Session): void {
    // An action that runs now starts the time anew when it ends.
    if (!session.queue.isIdle) return;
    const rest = session.lastUsed + this.context.config.sessions.idleMs - performance.now();
    // A person has used it meanwhile, or drives it; then giving it back starts the time anew.
    if (session.person.control.isHeld) return;
    if (rest > 0) this.#hibernateIn(session, rest);
    else this.#hibernate(session);
  }

  #hibernate(session: Session): void {
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
