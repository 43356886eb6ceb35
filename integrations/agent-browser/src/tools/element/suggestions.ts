import type { Locator } from 'playwright-core';
import { isTimeout } from '../../outcome/errors.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';

/** Suggestions that are told; the changes of the page tell the rest. */
const MOST = 8;

const OPTION_ROLES = new Set(['option', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'treeitem']);

export function isOption({ role }: SnapshotNode): boolean {
  return OPTION_ROLES.has(role);
}

/** Options that show now and did not before: what an autocomplete offers, be it marked as such or a plain list. */
export function newOptions(action: Action, page: PageSnapshot): { ref: string; name: string }[] {
  const isNew = (node: SnapshotNode): boolean => !action.before.has(node.key);
  const added = [...everyNode(page.roots)].filter(isNew);
  const marked = added.filter(node => isOption(node) && isInteractive(node));
  const plain = added.filter(({ role }) => role === 'list').flatMap(list => [...everyNode(list.children)]);
  const options = marked.length > 0 ? marked : plain.filter(node => isInteractive(node) && node.name !== '');
  return options.slice(0, MOST).map(node => ({ ref: action.session.refs.refOf(node), name: node.name }));
}

/** How many options show in the document of an element. */
export function optionsShown(entry: RefEntry): Promise<number> {
  return visibleOptions(entry).count();
}

/** Resolves when more options show than did before, or would have by now. */
export async function optionsShow({ signal, timings }: Action, entry: RefEntry, before = 0): Promise<void> {
  await visibleOptions(entry)
    .nth(before)
    .waitFor({ timeout: timings.suggestions, signal })
    .catch(error => {
      if (!isTimeout(error)) throw error;
    });
}

function visibleOptions({ node }: RefEntry): Locator {
  const { frame } = node.document;
  return frame
    .getByRole('option')
    .or(frame.getByRole('menuitem'))
    .or(frame.getByRole('menuitemradio'))
    .filter({ visible: true });
}
