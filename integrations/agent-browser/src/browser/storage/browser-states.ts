import type { BrowserState } from '@mastra/core/browser';
import type { Session } from '../session.js';
import type { Sessions } from '../sessions.js';

export type CloseReason = 'agent' | 'user' | 'error';

/** A thread's browser at this moment, as its agent should know it. */
export type BrowserNow =
  | { is: 'open'; tabs: readonly TabNow[]; active: string; driver: 'agent' | 'person'; urlChangedBy: 'agent' | 'user' }
  | { is: 'asleep'; tabs: readonly TabNow[]; active: string }
  | { is: 'closed'; by: CloseReason };

export interface TabNow {
  id: string;
  url: string;
  title: string;
}

/** Tells what the browsers of all sessions show, and why some are not open. */
export class BrowserStates {
  /** Else Mastra tells the model that its user closed it. */
  readonly #closeReasons = new WeakMap<Session, CloseReason>();

  constructor(readonly sessions: Sessions) {
    sessions.onCreated(session => {
      session.events.on('ready', () => this.#closeReasons.delete(session));
      session.events.on('closed', reason =>
        this.#closeReasons.set(session, reason === 'browser_closed' ? 'error' : 'agent'),
      );
    });
  }

  closedByUser(session: Session): void {
    this.#closeReasons.set(session, 'user');
  }

  /** Of a session that is open, in Mastra's shape. */
  current(session: Session): BrowserState {
    const tabs = publicTabs(session, session.tabs).map(({ url, title }) => ({ url, title }));
    const activeTabIndex = Math.max(
      0,
      session.tabs.findIndex(({ id }) => id === session.activeTab?.id),
    );
    // Else the model is told after each of its own navigations that the user went somewhere.
    return { tabs, activeTabIndex, activeUrlChangeSource: session.person.urlChangedBy };
  }

  /** Of a thread whose browser was open once, in Mastra's shape. */
  last(threadId: string): BrowserState | undefined {
    const session = this.sessions.find(threadId);
    const closeReason = session && this.#closeReasons.get(session);
    if (session === undefined || closeReason === undefined) return undefined;
    const { tabs = [], active = '' } = session.remembered ?? {};
    const activeTabIndex = Math.max(0, tabs.map(tab => tab.id).indexOf(active));
    return { tabs: publicTabs(session, tabs).map(({ url, title }) => ({ url, title })), activeTabIndex, closeReason };
  }

  /** Undefined when there is nothing to tell: it has not been used. */
  now(threadId: string): BrowserNow | undefined {
    const session = this.sessions.find(threadId);
    if (session === undefined) return undefined;
    const { activeTab, remembered, person } = session;
    if (session.isOpen && activeTab !== undefined) {
      const driver = person.control.isHeld ? 'person' : 'agent';
      return {
        is: 'open',
        tabs: publicTabs(session, session.tabs),
        active: activeTab.id,
        driver,
        urlChangedBy: person.urlChangedBy,
      };
    }
    const by = this.#closeReasons.get(session);
    if (remembered !== undefined && by !== 'user')
      return { is: 'asleep', tabs: publicTabs(session, remembered.tabs), active: remembered.active };
    return by && { is: 'closed', by };
  }
}

/** Tabs as they are told to whoever asks. */
function publicTabs({ owner }: Session, tabs: readonly TabNow[]): TabNow[] {
  return tabs.map(({ id, url, title }) => owner.secrets.hideIn({ id, url, title }));
}
