import type {
  DefaultAction,
  ElementChange,
  ElementFacts,
  EngineRefusal,
  FocusHolder,
  Missed,
  Purpose,
} from '#page-engine/protocol.js';
import type { Session } from '../browser/session.js';
import { describeChange, describeEntry, describeRef, type RefDescription, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import { rangeWords } from './field-values.js';

/** The error for a field that loses the keyboard focus: keys would go elsewhere. */
export function focusLost(entry: RefEntry, holder: FocusHolder | undefined, begun = false): ToolError {
  const message = `${describeEntry(entry)} did not keep the keyboard focus${wentTo(holder)}. ${begun ? 'The text was only partly typed.' : 'Nothing was typed.'}`;
  return new ToolError('not_focusable', message, { hint: 'Look at what took the focus: the text may belong there.' });
}

/** The error for a withheld Enter: the text is in its field, but something else would have taken the key. */
export function enterWithheld(entry: RefEntry, holder: FocusHolder | undefined): ToolError {
  const message = `The text is in ${entry.ref}, but the focus is no longer there${wentTo(holder)}. Enter was not pressed.`;
  return new ToolError('not_focusable', message, { hint: 'Click the button that submits it.' });
}

function wentTo(holder: FocusHolder | undefined): string {
  return holder === undefined ? '' : `: it went to ${describeRef({ ...holder, row: '' })}`;
}

/**
 * The error for an element whose description changed. The ref stands for the new description from now on, so that the
 * agent can repeat the call if it means that.
 */
export function changed(
  session: Session,
  entry: RefEntry,
  { now, was = entry.shown, went }: { now: ElementChange; was?: RefDescription; went?: { from: string; to: string } },
): ToolError {
  const { begun, ...shown } = now;
  session.refs.update(entry, shown);
  const [before, after] = describeChange(was, now);
  const what =
    went === undefined
      ? `${entry.ref} was ${before} and is now ${after}`
      : `The page went from ${went.from} to ${went.to} after ${entry.ref} (${describeRef(was)}) was read`;
  return new ToolError(
    'ref_changed',
    `${what}. ${begun ? 'The action was only partly performed.' : 'Nothing was done.'}`,
  );
}

/** The error for a press or keys that something else would have taken, because the element or the focus moved. */
export function movedAway(
  session: Session,
  entry: RefEntry,
  { by, begun, elsewhere, unclicked, unfocused, does }: Missed = {},
): ToolError {
  if (unfocused !== undefined) return focusLost(entry, unfocused.holder, begun);
  const what = describeEntry(entry);
  if (does !== undefined) return exceeding(what, does);
  if (unclicked !== undefined) return notClicked(what, unclicked);
  const taker = by === undefined ? 'something else' : nameOfElement(session, entry, by);
  const done = begun ? 'The action was only partly performed.' : elsewhere ? '' : 'Nothing was done.';
  const took = `${taker} ${elsewhere ? 'received the click instead' : 'would have received the input instead'}.`;
  return new ToolError('element_blocked', `${what} could not be reached: ${took} ${done}`.trimEnd());
}

/** The error for a press that was about to do what nobody was asked about, and was kept from the page. */
export function exceeding(what: string, does: DefaultAction): ToolError {
  const message = `${what} was pressed, and was about to do more than its call was judged by (${does}), which was prevented.`;
  return new ToolError('approval_required', message, { hint: 'Repeat the call: it is judged by that now.' });
}

/** The error for an element that cannot be pressed without pressing a widget inside it. */
export function fullOfOthers(session: Session, entry: RefEntry, inner: { id: number; what: string }): ToolError {
  const hint = `If that is what you mean, use its own ref.`;
  const message = `A click on ${describeEntry(entry)} would hit ${nameOfElement(session, entry, inner)} inside it.`;
  return new ToolError('element_blocked', `${message} Nothing was done.`, { hint });
}

function nameOfElement({ refs }: Session, { node }: RefEntry, { id, what }: { id?: number; what: string }): string {
  const known = id === undefined ? undefined : refs.entryOf(node.document.doc, id);
  return known === undefined ? what : describeEntry(known);
}

/** The error for what was pressed and got no click. */
export function notClicked(what: string, how: NonNullable<Missed['unclicked']>): ToolError {
  if (how === 'disabled') return new ToolError('element_disabled', `${what} is disabled. It received no click.`);
  const fate = how === 'moved' ? 'moved away from under the mouse' : 'was removed and re-inserted by the page';
  const message = `${what} ${fate} during the click. It received no click. The action was only partly performed.`;
  return new ToolError('element_blocked', message, { hint: 'Repeat the call: it may stay in place now.' });
}

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
export function onlyRead(entry: RefEntry): ToolError {
  const message = `${describeEntry(entry)} cannot be acted on itself; use a ref of something inside it.`;
  return new ToolError('invalid_ref', message, { hint: `Take a browser_snapshot with ref=${entry.ref}.` });
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
