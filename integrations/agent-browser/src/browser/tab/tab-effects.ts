import type { Dialog, Page, Request } from 'playwright-core';
import { maskUrl } from '#egress/masked-http.js';
import { logged } from '../../results/errors.js';
import type { Emulation } from '../chromium/emulation.js';
import type { Downloads } from '../files/downloads.js';
import type { Person } from '../person/person.js';
import type { SessionNetwork } from '../session-network.js';
import type { SessionBase } from '../session-owner.js';
import type { PageLogs } from './page-logs.js';
import { type DialogAnswer, MOST_DIALOGS, type Tab } from './tab.js';
import type { TabSetEvents } from './tab-set.js';

interface TabsSession extends SessionBase {
  readonly person: Person;
  readonly network: SessionNetwork;
  readonly emulation: Emulation;
  readonly records: PageLogs;
  readonly downloads: Downloads;
  readonly dialogAnswer: DialogAnswer | undefined;
  intrusions: number;
  /** Removes a tab whose page is gone. Returns whether it was still a tab of the session. */
  forget(tab: Tab): boolean;
}

/** Reports the events of a session's tabs to its agent and viewers. */
export function tabEffects(session: TabsSession): TabSetEvents {
  const { effects, events } = session;
  const caused = new WeakSet<Request>();
  return {
    dialogChanged: () => events.emit('dialogs'),
    dialog: (tab, dialog) => dialogOpened(session, tab, dialog),
    dialogAnswered(dialog, isAccepted) {
      const answered = isAccepted ? ('accepted' as const) : ('dismissed' as const);
      effects.dialog({ type: dialog.type(), message: dialog.message(), answered });
    },
    gone: (tab, how) => gone(session, tab, how),
    leaves: tab => {
      tab.movedBy = session.person.cause;
    },
    navigated: (tab, how) => navigated(session, tab, how),
    notReached: (tab, url) => notReached(session, tab, url),
    opened(tab) {
      session.records.watch(tab);
      logUnlessGone(session, session.emulation.applyToPage(tab.page));
      const { headless, cdpUrl } = session.owner.config;
      // A headless browser shows no file chooser; one with a window leaves it to the person there.
      if (headless && cdpUrl === undefined)
        tab.files.onChooser(chooser => effects.note({ fileChooser: { multiple: chooser.isMultiple() } }));
    },
    changed: () => events.emit('tabs'),
    consoleError: text => effects.consoleError(session.owner.secrets.hide(text)),
    requested(request) {
      if (effects.isActing) caused.add(request);
    },
    requestFailed(request, how) {
      const reason = how.reason && session.network.plainError(how.reason, request.url());
      const failed = { method: request.method(), url: maskUrl(request.url()), ...how, ...(reason && { reason }) };
      if (caused.has(request)) effects.failedRequest(failed);
    },
    download: (tab, download) => session.downloads.save(download, tab.files.progressOfNext(download.url())),
    popup(tab) {
      effects.newTab({ tab: tab.id, url: tab.address });
      // Its document may have loaded before we subscribed.
      tab.greet();
      logUnlessGone(session, activeToFront(session));
    },
    surplus: page => surplus(session, page),
    activeChanged() {
      session.person.urlChangedBy = session.person.cause;
      events.emit('activePage');
      events.emit('dialogs');
      if (session.activeTab !== undefined) events.emit('url', session.activeTab.url);
      events.emit('tabs');
    },
  };
}

function surplus(session: TabsSession, page: Page): void {
  session.effects.closedTab();
  session.effects.note({ tabLimit: session.owner.config.sessions.maxTabs });
  // Chromium shows any tab when the front one closes.
  logUnlessGone(
    session,
    page.close().then(() => activeToFront(session)),
  );
}

/** Chromium renders a background page once a second and sends it no mouse events. */
async function activeToFront(session: TabsSession): Promise<void> {
  session.intrusions++;
  await session.activeTab?.page.bringToFront();
}

/** Ignores that a page is gone, which makes the command obsolete. */
function logUnlessGone(session: TabsSession, asked: Promise<unknown>): void {
  asked.catch(logged(session, 'page was gone already'));
}

function dialogOpened(session: TabsSession, tab: Tab, dialog: Dialog): void {
  const { effects, events, dialogAnswer: answer } = session;
  if (tab.leaving !== undefined) {
    tab.dialog = undefined;
    void tab.leaving.answer(dialog);
    return;
  }
  const suggested = dialog.defaultValue();
  const base = { type: dialog.type(), message: dialog.message(), ...(suggested !== '' && { defaultValue: suggested }) };
  if (answer === undefined && (isByItself(tab, dialog) || isOneTooMany(tab, dialog))) {
    if (tab.dialogs > MOST_DIALOGS) effects.dismissedDialog(dialog.type());
    else effects.dialog({ ...base, answered: 'dismissed' });
    // Those that follow it only count.
    tab.dialogs = MOST_DIALOGS;
    tab.dialog = undefined;
    logUnlessGone(session, dialog.dismiss());
    return;
  }
  if (answer === undefined) {
    effects.dialog(base);
    events.emit('dialog', tab);
    return;
  }
  effects.dialog({ ...base, answered: answer.accept ? 'accepted' : 'dismissed' });
  tab.dialog = undefined;
  logUnlessGone(session, answer.accept ? dialog.accept(answer.text ?? suggested) : dialog.dismiss());
}

/** Limits the dialogs answered per document. Each `beforeunload` belongs to its own navigation and does not count. */
function isOneTooMany(tab: Tab, dialog: Dialog): boolean {
  return dialog.type() !== 'beforeunload' && tab.dialogs > MOST_DIALOGS;
}

/** Milliseconds from one alert to the next of a page that opens them without end. */
const STORM_MS = 1_500;

/** Whether an alert follows another one though nothing was done since: the page opens them by itself. */
function isByItself(tab: Tab, dialog: Dialog): boolean {
  const { alertEndedAt } = tab;
  return dialog.type() === 'alert' && alertEndedAt !== undefined && performance.now() - alertEndedAt < STORM_MS;
}

function navigated(
  session: TabsSession,
  tab: Tab,
  { status, isStill }: Parameters<TabSetEvents['navigated']>[1],
): void {
  const { person, events, effects } = session;
  const by = tab.movedBy ?? person.cause;
  tab.dialog = undefined;
  tab.movedBy = undefined;
  if (tab === session.activeTab) {
    const authentication = session.network.hasCredentials(tab.url) ? ('refused' as const) : ('missing' as const);
    const isAsked = status === 401 && tab.isChallenged;
    if (!isStill)
      effects.note({ navigated: true, ...(status !== undefined && { status }), ...(isAsked && { authentication }) });
    person.urlChangedBy = by;
    events.emit('url', tab.url);
  }
  session.network.connectionPolicy.recheck();
  events.emit('tabs');
}

/** Reports a refused navigation of the page itself; a driver's navigation throws its own error. */
function notReached({ network, effects }: TabsSession, tab: Tab, url: string): void {
  const refusal = tab.goal === undefined ? network.whyUnreached(url)?.refusal : undefined;
  if (refusal !== undefined) effects.consoleError(`${url} is refused: ${refusal.reason} (${refusal.rule})`);
}

function gone(session: TabsSession, tab: Tab, how: 'closed' | 'crashed'): void {
  tab.dialog = undefined;
  // Waiters handle the event while the tab is still in the list.
  session.events.emit('tabGone', tab, how);
  if (how === 'closed' && session.forget(tab)) session.effects.closedTab(tab.id);
}
