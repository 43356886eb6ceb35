import { EventEmitter } from 'node:events';
import type { LiveAction } from '@browser-toolset/core';
import type { Browser } from 'playwright-core';
import type { EffectsLog } from '../results/effects.js';
import type { Timings } from '../timings.js';
import type { Host } from './host.js';
import type { Recording } from './open-context.js';
import type { DetachReason, HostOwner } from './running-browser.js';
import type { RecordedSession, SessionRecord } from './storage/session-record.js';
import type { PageReaders } from './tab/page-readers.js';
import type { Tab } from './tab/tab.js';

interface Events {
  /** The session has a page. */
  ready: [];
  /** The session has no page any more: it was closed, hibernated, or lost its browser. */
  closed: [reason: string];
  /** The session's owner ends it while calls may be running. */
  interrupted: [];
  /** The browser died under the session. */
  lost: [];
  activePage: [];
  url: [url: string];
  /** Pages were given another viewport. */
  resized: [];
  /** A dialog opened that waits for an answer. */
  dialog: [tab: Tab];
  /** A dialog opened or was answered, or the active tab changed. */
  dialogs: [];
  tabGone: [tab: Tab, how: 'closed' | 'crashed'];
  /** The list of tabs, a URL or title, or the active tab changed. */
  tabs: [];
  action: [action: LiveAction];
  control: [];
  question: [];
}

export class SessionEvents {
  readonly #emitter = new EventEmitter<Events>();

  constructor() {
    // Every viewer and every action subscribes, so their number does not indicate a leak.
    this.#emitter.setMaxListeners(0);
  }

  on<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): () => void {
    const emitter = this.#emitter as EventEmitter;
    emitter.on(name, listener);
    return () => emitter.off(name, listener);
  }

  isHeard(name: keyof Events): boolean {
    return this.#emitter.listenerCount(name) > 0;
  }

  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): void {
    (this.#emitter as EventEmitter).emit(name, ...args);
  }
}

/** The last endpoint of a thread's remote browser, and the thread's page targets there. */
export class ThreadEndpoint {
  last: string | undefined;
  /** The page targets of the browser's default context, if the thread uses that. */
  pages: () => readonly string[] = () => [];

  get now(): Pick<RecordedSession, 'endpoint' | 'pages'> {
    return { endpoint: this.last, pages: this.pages() };
  }

  restore({ endpoint, pages = [] }: Pick<RecordedSession, 'endpoint' | 'pages'>): void {
    this.last = endpoint;
    this.pages = () => pages;
  }
}

/** A session, as all of its parts know it. */
export interface SessionBase {
  readonly threadId: string;
  readonly owner: SessionOwner;
  readonly effects: EffectsLog;
  readonly events: SessionEvents;
  readonly tabs: readonly Tab[];
  readonly activeTab: Tab | undefined;
}

export interface SessionOwner extends Omit<HostOwner, 'launch'> {
  readonly host: Host;
  readonly timings: Timings;
  readonly readers: PageReaders;
  readonly firstNumbers: { ref: number; tab: number };
  /** Undefined when sessions are not shared between processes. */
  readonly record: SessionRecord | undefined;
  readonly endpoint: ThreadEndpoint;
  /** Claims a remote browser's default context, which one session may use. */
  claim(contextId: string | undefined, need: 'wished' | 'needed'): boolean;
  /** Resolves when the session may open. */
  enter(signal?: AbortSignal): Promise<void>;
  left(reason?: DetachReason): Promise<void>;
  /** Moves the session, with its tabs and storage, to a new context of the same browser. */
  reopen(signal?: AbortSignal): Promise<void>;
  idle(): void;
  /** Records a video until the session's context closes; undefined when videos are off. */
  film(browser: Browser): Recording | undefined;
}
