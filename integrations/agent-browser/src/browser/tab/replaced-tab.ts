import type { EffectsLog } from '../../outcome/effects-log.js';
import type { OpenContext } from '../open-context.js';
import type { SessionNetwork } from '../session-network.js';
import type { SessionOwner } from '../session-owner.js';
import { restoreTab } from '../storage/restored-tabs.js';
import { tabOutline } from '../storage/saved-state.js';
import { dropDialog } from './leave-page.js';
import { Leaving } from './leaving.js';
import type { Tab } from './tab.js';
import type { TabSet } from './tab-set.js';

interface Replacement {
  tabs: TabSet;
  home: OpenContext;
  session: { readonly network: SessionNetwork; readonly owner: SessionOwner; readonly effects: EffectsLog };
  /** Told of work on the old page that nobody waits for. */
  end(task: Promise<void>): void;
}

/** Gives a tab whose page crashed or hangs a fresh page, shows the url there, and notes what came of it. */
export async function replaceTab(tab: Tab, url: string, place: Replacement): Promise<Tab> {
  const { tabs, home, session, end } = place;
  const { effects } = session;
  const holdsOn = tab.leaving === undefined ? 'the page did not answer' : 'the page kept opening dialogs';
  tab.leaving ??= Leaving.aside(effects);
  if (tab.dialog !== undefined) tab.events.dialogAnswered(tab.dialog, false);
  const fresh = await tabs.replace(tab, home);
  end(tab.dispose());
  end(dropDialog(tab).then(() => tab.page.close({ runBeforeUnload: false })));
  const back = await effects.quietly(() => restoreTab(fresh, { ...tabOutline(tab), url }, session));
  // A page that always crashes must not keep the agent from going elsewhere.
  if (fresh.crashed) return replaceTab(fresh, 'about:blank', place);
  const was = tab.crashed ? 'the page crashed' : holdsOn;
  const isThere = back && url !== 'about:blank';
  effects.recovered(was, isThere ? `${url} open again` : 'an empty tab');
  return fresh;
}
