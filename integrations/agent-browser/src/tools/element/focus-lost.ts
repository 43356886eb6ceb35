import { ToolError } from '../../outcome/errors.js';
import type { FocusHolder } from '../../page/answers.js';
import type { RefEntry } from '../../refs/ref-entry.js';
import { describeTold } from '../../refs/told.js';

const HINT = 'Look at what took the focus: it may be what takes the text instead.';

/** The error for a field that hands the keyboard focus on: keys would go to something else. */
export function focusLost(entry: RefEntry, holder: FocusHolder | undefined, begun = false): ToolError {
  const what = `${entry.ref} (${describeTold(entry.told)})`;
  const message = `${what} did not keep the keyboard focus${wentTo(holder)}. ${begun ? 'Only the beginning was typed.' : 'Nothing was typed.'}`;
  return new ToolError('not_focusable', message, { hint: HINT });
}

/** The error for Enter behind a text that is in its field: something else would have taken the key. */
export function enterWithheld(entry: RefEntry, holder: FocusHolder | undefined): ToolError {
  const message = `The text is in ${entry.ref}, but the focus is not any more${wentTo(holder)}. Enter was not pressed.`;
  return new ToolError('not_focusable', message, { hint: 'Click what sends it.' });
}

function wentTo(holder: FocusHolder | undefined): string {
  return holder === undefined ? '' : `: it went to ${describeTold({ ...holder, row: '' })}`;
}
