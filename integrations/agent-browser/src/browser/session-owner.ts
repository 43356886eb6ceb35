import { EventEmitter } from 'node:events';
import type { LiveAction } from '@browser-toolset/core';
import type { Browser } from 'playwright-core';
import type { Metrics, SessionLog } from '../observe/observation.js';
import type { ResolvedConfig } from '../options.js';
import type { HostAndPort } from '../policy/addresses.js';
import type { Secrets } from '../policy/secrets.js';
import type { UrlRefusal } from '../policy/url-policy.js';
import type { Timings } from '../timings.js';
import type { SessionFiles } from './files/files.js';
import type { Host } from './host.js';
import type { Recording } from './open-context.js';
import type { DetachReason } from './running-browser.js';
import type { RecordedSession, SessionRecord } from './storage/session-record.js';
import type { Tab } from './tab/tab.js';

interface Events {
  /** The session has a page. */
  ready: [];
  /** The session has no page any more. */
  closed: [reason: string];
  /** Whoever owns the session ends it whatever it does at the moment. */
  interrupted: [];
  /** The browser died under the session. */
  lost: [];
  /** Another page is the active one. */
  activePage: [];
  /** The active page has another url. */
  url: [url: string];
  /** A dialog opened that waits for an answer. */
  dialog: [tab: Tab];
  /** Dialogs have opened or been answered, or another tab is the active one. */
  dialogs: [];
  tabGone: [tab: Tab, how: 'closed' | 'crashed'];
  /** There are other tabs, or one has another url or title, or is the active one. */
  tabs: [];
  /** The agent acts. */
  action: [action: LiveAction];
  /** A page asked for something that it may not reach. */
  refused: [what: HostAndPort & UrlRefusal];
  /** A person drives from now on, or nobody does any more. */
  control: [];
  /** Another question waits for a person, or none. */
  question: [];
}

/** The events of a session. */
export class SessionEvents {
  readonly #emitter = new EventEmitter<Events>();

  constructor() {
    // Every viewer and every action listens; their number is no sign of a leak.
    this.#emitter.setMaxListeners(0);
  }

  /** Returns the way to stop listening. */
  on<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): () => void {
    const emitter = this.#emitter as EventEmitter;
    emitter.on(name, listener);
    return () => emitter.off(name, listener);
  }

  /** Whether anybody listens. */
  isHeard(name: keyof Events): boolean {
    return this.#emitter.listenerCount(name) > 0;
  }

  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): void {
    (this.#emitter as EventEmitter).emit(name, ...args);
  }
}

/** Where a thread's remote browser was the last time, and which pages the thread has there. */
export class ThreadEndpoint {
  last: string | undefined;
  #pages: () => readonly string[] = () => [];

  /** Targets of the pages of the context that the browser came with, where the thread has that. */
  get pages(): readonly string[] {
    return this.#pages();
  }

  /** The thread has another context of that kind. */
  has(pages: () => readonly string[]): void {
    this.#pages = pages;
  }

  /** For whichever process goes on with the thread. */
  get now(): Pick<RecordedSession, 'endpoint' | 'pages'> {
    return { endpoint: this.last, pages: this.pages };
  }

  /** As another process has recorded it. */
  restore({ endpoint, pages = [] }: Pick<RecordedSession, 'endpoint' | 'pages'>): void {
    this.last = endpoint;
    this.#pages = () => pages;
  }
}

/** The parts of the toolset that one session needs. */
export interface SessionOwner {
  readonly host: Host;
  readonly config: ResolvedConfig;
  readonly timings: Timings;
  readonly log: SessionLog;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
  /** Where downloads and screenshots go. */
  readonly files: SessionFiles;
  /** The first ref and tab id of the session. */
  readonly firstNumbers: { ref: number; tab: number };
  /** Where the session is recorded for other processes, when it is. */
  readonly record: SessionRecord | undefined;
  /** Where the thread's own remote browser is, once it was asked for. */
  readonly endpoint: ThreadEndpoint;
  /** Whether the session may have the context that a remote browser came with: one session may. */
  claim(contextId: string | undefined, need: 'wished' | 'needed'): boolean;
  /** Resolves when the session may open. */
  enter(signal?: AbortSignal): Promise<void>;
  /** The session is not open any more. */
  left(reason?: DetachReason): Promise<void>;
  /** Gives the session another context, with all that it had; the browser stays. */
  reopen(signal?: AbortSignal): Promise<void>;
  /** The session has nothing to do. */
  idle(): void;
  /** Makes a video of the session, where videos are wanted, until its context goes. */
  film(browser: Browser): Recording | undefined;
}
