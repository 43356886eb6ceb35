import type { BrowserState } from '@mastra/core/browser';
import type { Session } from '../session.js';
import type { Sessions } from '../sessions.js';

export type CloseReason = 'agent' | 'user' | 'error';

/** A thread's browser state, for its agent's prompt. */
export type BrowserNow =
  | { is: 'open'; tabs: readonly TabNow[]; active: string; driver: 'agent' | 'person'; urlChangedBy: 'agent' | 'user' }
  | { is: 'asleep'; tabs: readonly TabNow[]; active: string }
  | { is: 'closed'; by: CloseReason };

export interface TabNow {
  id: string;
  url: string;
  title: string;
}

export class BrowserStates {
  /** Without a reason Mastra reports to the model that the user closed the browser. */
  readonly #closeReasons = new WeakMap<Session, CloseReason>();

  constructor(readonly sessions: Sessions) {
    sessions.created.on(session => {
      session.events.on('ready', () => this.#closeReasons.delete(session));
      session.events.on('closed', reason =>
        this.#closeReasons.set(session, reason === 'browser_closed' ? 'error' : 'agent'),
      );
    });
  }

  closedByUser(session: Session): void {
    this.#closeReasons.set(session, 'user');
  }

  /** The state of an open session as Mastra's type. */
  current(session: Session): BrowserState {
    const { tabs, activeTab, person } = session;
    // Without this the model reads after each of its own navigations that the user navigated.
    return { ...mastraTabs(session, tabs, activeTab?.id), activeUrlChangeSource: person.urlChangedBy };
  }

  /** The last state of a closed session as Mastra's type. */
  last(threadId: string): BrowserState | undefined {
    const session = this.sessions.find(threadId);
    const closeReason = session && this.#closeReasons.get(session);
    if (session === undefined || closeReason === undefined) return undefined;
    const { tabs = [], active } = session.remembered ?? {};
    return { ...mastraTabs(session, tabs, active), closeReason };
  }

  /** Undefined when the thread's browser has not been used. */
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

function mastraTabs(session: Session, tabs: readonly TabNow[], active: string | undefined) {
  const activeTabIndex = Math.max(0, tabs.map(({ id }) => id).indexOf(active ?? ''));
  return { tabs: publicTabs(session, tabs).map(({ url, title }) => ({ url, title })), activeTabIndex };
}

function publicTabs({ owner }: Session, tabs: readonly TabNow[]): TabNow[] {
  return tabs.map(({ id, url, title }) => owner.secrets.hideIn({ id, url, title }));
}
