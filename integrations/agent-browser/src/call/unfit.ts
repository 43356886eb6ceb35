import type { ElementFacts, EngineRefusal, Purpose } from '../page/protocol.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import { rangeWords } from './field-values.js';

/** Options beyond this number are only counted. */
const OPTIONS_SHOWN = 50;

const ROLE_HINTS: Record<string, string> = {
  button: 'Use browser_click to press it.',
  link: 'Use browser_click to follow it.',
  clickable: 'Use browser_click to press it; to move a handle, use browser_press with arrow keys or browser_drag.',
  checkbox: 'Use browser_fill_form with true or false to set it.',
  slider: 'Use browser_fill_form to set it.',
  spinbutton: 'Use browser_fill_form to set it.',
  combobox: 'Use browser_select to choose an option.',
  listbox: 'Use browser_select to choose an option.',
};

/** The error for a container, whose ref is only for reading. */
export function onlyRead({ ref, told }: RefEntry): ToolError {
  return new ToolError(
    'invalid_ref',
    `${ref} (${describeRef(told)}) cannot be acted on itself; use a ref of something inside it.`,
    {
      hint: `Take a browser_snapshot with ref=${ref}.`,
    },
  );
}

/** The error for an element that does not take the given input: names what it takes, and the tool for it. */
export function unfit(entry: RefEntry, { purpose, facts }: Extract<EngineRefusal, { code: 'unfit' }>): ToolError {
  const what = `${entry.ref} (${describeRef(facts)})`;
  if (purpose.to === 'select') return new ToolError('invalid_input', unfitOptions(entry.ref, purpose, facts));
  if (purpose.to === 'upload') return new ToolError('invalid_input', `ref: ${what} does not accept files.`);
  if (purpose.to === 'focus') return new ToolError('not_focusable', `${what} cannot take the keyboard focus.`);
  if (facts.kind === 'select')
    return new ToolError('is_select', `${what} is a drop-down list with these options: ${listOptions(facts.options)}`);
  if (facts.kind === 'file') return new ToolError('is_file_input', `${what} is a file input.`);
  if (facts.readOnly)
    return new ToolError('not_editable', `${what} is read-only.`, {
      hint: 'Click it: it may open a list or a calendar to choose from.',
    });
  if (facts.inputType === 'number' || facts.inputType === 'range')
    return new ToolError('invalid_input', `text: ${what} expects a number${rangeWords(facts)}.`);
  const hint = ROLE_HINTS[facts.kind === 'toggle' ? 'checkbox' : facts.role];
  return new ToolError('not_editable', `${what} is not a text field.`, { ...(hint && { hint }) });
}

type Wanted = Extract<Purpose, { to: 'select' }>;

function unfitOptions(ref: string, { values, labels, indexes }: Wanted, { options, multiple }: ElementFacts): string {
  const field = values ? 'values' : labels ? 'labels' : 'indexes';
  const wanted = values ?? labels ?? indexes ?? [];
  if (wanted.length > 1 && !multiple) return `${field}: ${ref} accepts one option, not ${wanted.length}.`;
  const isIt = (option: Option, index: number, choice: string | number): boolean =>
    values ? option.value === choice : labels ? option.label === String(choice).trim() : index === choice;
  const missing = wanted.find(
    choice => !options.some((option, index) => isIt(option, index, choice) && !option.disabled),
  );
  const isDisabled = options.some((option, index) => missing !== undefined && isIt(option, index, missing));
  const problem = isDisabled
    ? `the option ${JSON.stringify(missing)} of ${ref} is disabled`
    : `${ref} has no option ${JSON.stringify(missing)}`;
  return `${field}: ${problem}; it has ${listOptions(options)}`;
}

export interface Option {
  value: string;
  label: string;
  selected: boolean;
  disabled: boolean;
}

/** Options as a model reads them: the label, and the value where it differs. */
export function listOptions(options: readonly Option[]): string {
  const shown = options.slice(0, OPTIONS_SHOWN).map(option => {
    const value = option.value === option.label ? '' : ` (${JSON.stringify(option.value)})`;
    return `${JSON.stringify(option.label)}${value}${option.selected ? ' selected' : ''}${option.disabled ? ' disabled' : ''}`;
  });
  const left = options.length - shown.length;
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}
