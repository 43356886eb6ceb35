import type { LiveSession, LiveTab } from '@browser-toolset/core';
import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { Tab } from '../browser/tab/tab.js';

/** Where a session was last. */
interface Seen {
  url: string;
  title: string;
}

/** The sessions and tabs of a toolset as viewers see them; of a session that was closed, where it was last. */
export class TabNews {
  readonly #sessions: Sessions;
  readonly #seen = new WeakMap<Session, Seen>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    sessions.onCreated(session => session.events.on('tabs', () => this.#look(session)));
  }

  /** Sessions that have or had a tab, the latest used first. */
  sessions(): LiveSession[] {
    return this.#sessions
      .all()
      .filter(session => session.isOpen || this.#seen.has(session))
      .sort((a, b) => b.lastUsed - a.lastUsed)
      .map(session => ({ threadId: session.threadId, isOpen: session.isOpen, ...this.#seen.get(session) }));
  }

  tabs(session: Session): LiveTab[] {
    if (!session.isOpen) return [];
    return session.tabs.map(tab => ({ tab: tab.id, ...told(session, tab), active: tab.id === session.activeTab?.id }));
  }

  #look(session: Session): void {
    const { activeTab } = session;
    if (activeTab !== undefined) this.#seen.set(session, told(session, activeTab));
  }
}

function told({ owner }: Session, { url, title }: Tab): Seen {
  return owner.secrets.hideIn({ url, title });
}
