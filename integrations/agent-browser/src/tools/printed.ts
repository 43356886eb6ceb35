import { within } from '../browser/deadline.js';
import type { Session } from '../browser/session.js';
import type { Tab } from '../browser/tab.js';
import { plainMessage } from '../outcome/errors.js';
import type { PingAnswer } from '../page/answers.js';

/** Milliseconds that a page may take to be put on paper. */
const PRINTING = 10_000;
const SIGN_TIME = 500;

/** Puts what pages printed into a file: there is no paper, and no person who could choose a printer. */
export async function keepPrinted(session: Session): Promise<void> {
  const { newTab, newTabs = newTab === undefined ? [] : [newTab] } = session.effects.current;
  const opened = newTabs.flatMap(({ tab }) => session.tab(tab) ?? []);
  // Nobody has read these: they have not told yet.
  await Promise.all(opened.map(noteSigns));
  for (const tab of [session.activeTab, ...opened]) if (tab?.hasPrinted) await print(session, tab);
}

async function print({ threadId, owner, effects }: Session, tab: Tab): Promise<void> {
  tab.hasPrinted = false;
  try {
    const path = await owner.files.newPath(threadId, `${tab.title.slice(0, 80) || 'page'}.pdf`);
    const isDone = await within(
      PRINTING,
      tab.page.pdf({ path, printBackground: true }).then(() => true),
    );
    if (isDone) effects.note({ pdf: { path } });
    // The page takes this for printing too.
    await noteSigns(tab);
  } catch (error) {
    owner.log.debug('page could not be printed', { threadId, error: plainMessage(error) });
  }
  tab.hasPrinted = false;
}

async function noteSigns(tab: Tab): Promise<void> {
  if (tab.page.isClosed() || tab.dialog !== undefined) return;
  const asked = tab.engine.ask<PingAnswer>(tab.page.mainFrame(), { do: 'ping' }, { timeout: SIGN_TIME });
  // A page that is busy, or on its way elsewhere, tells another time.
  tab.hasPrinted ||= (await asked.catch(() => undefined))?.printed ?? false;
}
