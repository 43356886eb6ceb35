import type { OpenContext } from '../open-context.js';
import type { TabSet } from '../tab/tab-set.js';
import type { RememberedStorage } from './remembered-storage.js';
import { afterLoss, type SavedState, saveStorage, saveTab } from './saved-state.js';

/** Where a session stands. */
export type SessionState =
  | { is: 'new' }
  | ({ is: 'open' } & OpenContext)
  | { is: 'asleep'; saved: SavedState; why: 'hibernated' | 'browser gone' | 'used elsewhere' }
  | { is: 'closed' };

/** The parts of an open session. */
interface Parts {
  home: OpenContext;
  tabs: TabSet;
  storage: RememberedStorage;
}

/** Everything of a session that is about to be closed. */
export async function wholeState({ home, tabs, storage: { state } }: Parts): Promise<SavedState> {
  const { context, keeps, contextId } = home;
  const saved = await Promise.all(tabs.all.map(saveTab));
  const hint = { remembered: state, isWhole: keeps === 'all' };
  const storage = keeps === 'nothing' ? undefined : await saveStorage(context, hint);
  return { tabs: saved, active: tabs.active?.id ?? '', storage, contextId };
}

/** The state of a session that stays open, without its databases: those are as they were at the last whole save. */
export async function quickState({ home, tabs, storage }: Parts): Promise<SavedState> {
  const { context, keeps, contextId } = home;
  const looked = keeps === 'nothing' ? undefined : storage.look(context, tabs.active);
  const [saved] = await Promise.all([Promise.all(tabs.all.map(saveTab)), looked]);
  return { tabs: saved, active: tabs.active?.id ?? '', storage: storage.state, contextId };
}

/**
 * What to bring back of a session whose browser ended.
 * @param restoring What was just being brought back.
 */
export function stateAfterLoss({ home, tabs, storage }: Parts, restoring: SavedState | undefined): SavedState {
  return { ...afterLoss(tabs.outline(), restoring, storage.state), contextId: home.contextId };
}
