import { EventEmitter } from 'node:events';
import type { LiveAction } from '@browser-toolset/core';
import type { HostAndPort } from '../policy/host-pattern.js';
import type { Refusal } from '../policy/url-policy.js';
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
  refused: [what: HostAndPort & Refusal];
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
