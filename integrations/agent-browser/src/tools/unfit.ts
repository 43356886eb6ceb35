import { ToolError } from '../outcome/errors.js';
import type { ElementFacts } from '../page/protocol.js';
import { describeTold, type RefEntry } from '../refs/registry.js';

const OPTIONS_SHOWN = 30;

/** The error for an element that takes something else than it was given: says which tool it takes, and with what. */
export function unfit(entry: RefEntry, facts: ElementFacts): ToolError {
  const what = `${entry.ref} (${describeTold(facts)})`;
  if (facts.kind === 'select')
    return new ToolError('is_select', `${what} is a drop-down list with these options: ${listOptions(facts)}`);
  if (facts.kind === 'file') return new ToolError('is_file_input', `${what} takes files.`);
  if (facts.readOnly) return new ToolError('not_editable', `${what} is read-only.`);
  return new ToolError('not_editable', `${what} is no text field.`);
}

/** Options as a model reads them: label, and value where it differs. */
export function listOptions(facts: Pick<ElementFacts, 'options'>): string {
  const shown = facts.options.slice(0, OPTIONS_SHOWN).map(option => {
    const value = option.value === option.label ? '' : ` (${JSON.stringify(option.value)})`;
    return `${JSON.stringify(option.label)}${value}${option.selected ? ' selected' : ''}${option.disabled ? ' disabled' : ''}`;
  });
  const left = facts.options.length - shown.length;
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}
