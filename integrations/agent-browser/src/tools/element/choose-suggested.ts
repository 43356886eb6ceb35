import type { ElementFacts } from '../../page/protocol.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import type { SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';
import { clickElement } from '../call/attempt.js';
import { enterText } from './enter-text.js';
import { beforeOptions, labelOf, type OptionList, whatCame } from './option-list.js';

export interface Suggested {
  list: OptionList;
  /** The option that was chosen; undefined when there is none, and the text is left as it was typed. */
  label?: string;
}

/** Types into a combobox and chooses the option that says what was typed, or the only one that has it. */
export async function chooseSuggested(
  action: Action,
  { entry, facts }: { entry: RefEntry; facts: ElementFacts },
  text: string,
): Promise<Suggested> {
  const earlier = await beforeOptions(action, entry, facts);
  await enterText(action, entry.ref, { text });
  const list = await whatCame(action, entry, earlier);
  const option = called(list, text);
  if (option === undefined) return { list };
  action.session.refs.tell([option]);
  await clickElement(action, action.session.refs.refOf(option));
  return { list, label: labelOf(option) };
}

/** What has no role of an option must say the text itself, and alone. */
function called({ options, plain }: OptionList, text: string): SnapshotNode | undefined {
  const wanted = tidy(text);
  const same = options.filter(option => tidy(labelOf(option)) === wanted);
  if (plain) return same.length === 1 ? same[0] : undefined;
  const having = options.filter(option => tidy(labelOf(option)).includes(wanted));
  return same[0] ?? (having.length === 1 ? having[0] : undefined);
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
