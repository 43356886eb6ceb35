import type { RefEntry } from '../../refs/ref-entry.js';
import { capture } from '../../snapshot/reading.js';
import { everyNode, isInteractive, type SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';
import { clickElement } from '../call/attempt.js';
import { enterText } from './enter-text.js';
import { isOption, optionsShow, optionsShown } from './suggestions.js';

/**
 * Types into a combobox and chooses the option that says what was typed, or the only one that has it. Answers with its name;
 * undefined when there is none, and the text is left as it was typed.
 */
export async function chooseSuggested(action: Action, entry: RefEntry, text: string): Promise<string | undefined> {
  const shown = await optionsShown(entry);
  await enterText(action, entry.ref, { text });
  await optionsShow(action, entry, shown);
  const { offers = [] } = (await action.readBack()) ?? {};
  const page = await capture(action.tab, action.limits);
  action.session.refs.replace(page, false);
  const own = new Set(offers);
  const { doc } = entry.node.document;
  const options = [...everyNode(page.roots)].filter(
    node =>
      isOption(node) &&
      isInteractive(node) &&
      (!action.before.has(node.key) || (node.document.doc === doc && own.has(node.id))),
  );
  const option = called(options, text);
  if (option === undefined) return undefined;
  action.session.refs.tell([option]);
  await clickElement(action, action.session.refs.refOf(option));
  return option.name;
}

function called(options: readonly SnapshotNode[], text: string): SnapshotNode | undefined {
  const wanted = tidy(text);
  const same = options.find(({ name }) => tidy(name) === wanted);
  const having = options.filter(({ name }) => tidy(name).includes(wanted));
  return same ?? (having.length === 1 ? having[0] : undefined);
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
