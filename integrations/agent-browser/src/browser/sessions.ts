import type { ResolvedConfig } from '../config.js';
import { Host } from './host.js';
import { Session, type SessionOwner } from './session.js';

/** The one session of `scope: 'shared'`. */
const SHARED = 'shared';
/** Closed sessions keep their ref numbers, so that an old ref never means something else; so many are kept. */
const CLOSED_KEPT = 1000;

/** What all sessions of a toolset share. */
export type SessionsContext = Omit<SessionOwner, 'host'> & { readonly config: ResolvedConfig };

/**
 * All sessions of a toolset: made on first use, hibernated when idle or when there are too many, closed together.
 * Invariant: which session an action belongs to is decided by its thread id alone.
 */
export class Sessions {
  #sessions = new Map<string, Session>();
  #hosts = new Map<string, Host>();
  #timers = new Map<Session, NodeJS.Timeout>();
  #listeners = new Set<(session: Session) => void>();

  constructor(readonly context: SessionsContext) {}

  get isShared(): boolean {
    return this.context.config.scope === 'shared' || this.context.config.profile !== undefined;
  }

  /** The session of a thread, made now if there is none. Starts nothing. */
  get(threadId: string): Session {
    const key = this.isShared ? SHARED : threadId;
    let session = this.#sessions.get(key);
    if (session === undefined) {
      session = new Session(key, { ...this.context, host: this.#hostOf(key) });
      this.#sessions.set(key, session);
      for (const listener of [...this.#listeners]) listener(session);
      this.#forgetClosed();
    }
    return session;
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

  /** Makes room for a session that is about to open. */
  async makeRoom(session: Session): Promise<void> {
    if (session.isOpen) return;
    const open = this.all().filter(other => other.isOpen && other !== session);
    const surplus = open.length + 1 - this.context.config.sessions.max;
    if (surplus <= 0) return;
    const idle = open.filter(other => other.queue.isIdle).sort((a, b) => a.lastUsed - b.lastUsed);
    await Promise.all(idle.slice(0, surplus).map(other => other.queue.run(() => other.hibernate())));
  }

  /** An action of this session has ended: from now on it is idle. */
  used(session: Session): void {
    session.lastUsed = performance.now();
    clearTimeout(this.#timers.get(session));
    const { idleMs } = this.context.config.sessions;
    const timer = setTimeout(() => this.#idle(session), idleMs);
    timer.unref();
    this.#timers.set(session, timer);
  }

  async close(session: Session): Promise<void> {
    clearTimeout(this.#timers.get(session));
    this.#timers.delete(session);
    await session.close();
    if (typeof this.context.config.cdpUrl === 'function') await this.#hosts.get(session.threadId)?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled(this.all().map(session => this.close(session)));
    await Promise.all([...this.#hosts.values()].map(host => host.close()));
  }

  #hostOf(key: string): Host {
    const { config } = this.context;
    const { cdpUrl } = config;
    const perThread = typeof cdpUrl === 'function';
    const hostKey = perThread ? key : '';
    let host = this.#hosts.get(hostKey);
    if (host === undefined) {
      const endpoint =
        cdpUrl === undefined
          ? undefined
          : async () => (typeof cdpUrl === 'function' ? cdpUrl({ threadId: key }) : cdpUrl);
      host = new Host(config, endpoint);
      this.#hosts.set(hostKey, host);
    }
    return host;
  }

  #idle(session: Session): void {
    // An action that runs now starts the time anew when it ends.
    if (!session.queue.isIdle) return;
    session.queue
      .run(() => session.hibernate())
      .catch(error => this.context.log.warn('session could not hibernate', { threadId: session.threadId, error }));
  }

  #forgetClosed(): void {
    if (this.#sessions.size <= CLOSED_KEPT) return;
    for (const [key, session] of this.#sessions) {
      if (session.isKnown || !session.queue.isIdle) continue;
      this.#sessions.delete(key);
      this.#timers.delete(session);
      if (this.#sessions.size <= CLOSED_KEPT / 2) return;
    }
  }
}
