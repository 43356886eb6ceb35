import type { RefEntry } from '../refs/registry.js';
import { everyNode, isInteractive, type PageSnapshot } from '../snapshot/tree.js';
import type { Action } from './action.js';

/** Suggestions that are told; the changes of the page tell the rest. */
const MOST = 8;
/** Milliseconds in which an autocomplete that waits for a pause in the typing has answered. */
const ANSWER = 800;

const OPTION_ROLES = new Set(['option', 'menuitem', 'menuitemradio', 'treeitem']);

/** Options that show now and did not before: what an autocomplete offers. */
export function newOptions(action: Action, page: PageSnapshot): { ref: string; name: string }[] {
  const options = [...everyNode(page.roots)].filter(
    node => OPTION_ROLES.has(node.role) && isInteractive(node) && !action.before.has(node.key),
  );
  return options.slice(0, MOST).map(node => ({ ref: action.session.refs.refOf(node), name: node.name }));
}

/** Resolves when options show, or would have by now. */
export async function optionsShow({ signal }: Action, entry: RefEntry): Promise<void> {
  const { frame } = entry.node.document;
  await frame
    .getByRole('option')
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: ANSWER, signal })
    .catch(error => {
      if (signal.aborted) throw error;
    });
}
