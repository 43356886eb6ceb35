import { within } from '@browser-toolset/core/waiting';
import type { Session } from '../../browser/session.js';
import { noteOutputs } from '../../browser/tab/outputs.js';
import type { Tab } from '../../browser/tab/tab.js';
import { plainMessage } from '../../outcome/errors.js';
import { savePdf } from '../content/page-pdf.js';

/** Milliseconds that a page may take to be put on paper. */
const PRINTING = 10_000;

/** Puts what pages printed into a file: there is no paper, and no person who could choose a printer. */
export async function keepPrinted(session: Session): Promise<void> {
  const { newTab, newTabs = newTab === undefined ? [] : [newTab] } = session.effects.current;
  const opened = newTabs.flatMap(({ tab }) => session.tab(tab) ?? []);
  // Nobody has read these: they have not told yet.
  await Promise.all(opened.map(tab => noteOutputs(tab)));
  for (const tab of [session.activeTab, ...opened]) if (tab?.hasPrinted) await print(session, tab);
}

async function print(session: Session, tab: Tab): Promise<void> {
  const { threadId, owner, effects } = session;
  tab.hasPrinted = false;
  try {
    const saved = await within(PRINTING, savePdf(session, tab, { printBackground: true }));
    if (saved !== undefined) effects.note({ pdf: { path: saved.path } });
  } catch (error) {
    owner.log.debug('page could not be printed', { threadId, error: plainMessage(error) });
  }
}
