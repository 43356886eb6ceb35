import type { Session } from '../browser/session.js';
import type { ElementChange, FocusHolder, Missed } from '../page/protocol.js';
import { describeChange, describeRef, type RefDescription, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';

const HINT = 'Look at what took the focus: the text may belong there.';

/** The error for a field that loses the keyboard focus: keys would go elsewhere. */
export function focusLost(entry: RefEntry, holder: FocusHolder | undefined, begun = false): ToolError {
  const what = `${entry.ref} (${describeRef(entry.told)})`;
  const message = `${what} did not keep the keyboard focus${wentTo(holder)}. ${begun ? 'The text was only partly typed.' : 'Nothing was typed.'}`;
  return new ToolError('not_focusable', message, { hint: HINT });
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
  { now, was = entry.told, went }: { now: ElementChange; was?: RefDescription; went?: { from: string; to: string } },
): ToolError {
  const { begun, ...said } = now;
  session.refs.update(entry, said);
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
  { by, begun, elsewhere, unclicked, unfocused }: Missed = {},
): ToolError {
  if (unfocused !== undefined) return focusLost(entry, unfocused.holder, begun);
  if (unclicked !== undefined) return notClicked(entry, unclicked);
  const what = `${entry.ref} (${describeRef(entry.told)})`;
  const taker = by === undefined ? 'something else' : nameOfElement(session, entry, by);
  const done = begun ? 'The action was only partly performed.' : elsewhere ? '' : 'Nothing was done.';
  const took = `${taker} ${elsewhere ? 'received the click instead' : 'would have received the input instead'}.`;
  return new ToolError('element_blocked', `${what} could not be reached: ${took} ${done}`.trimEnd());
}

/** The error for an element that cannot be pressed without pressing a widget inside it. */
export function fullOfOthers(session: Session, entry: RefEntry, inner: { id: number; what: string }): ToolError {
  const what = `${entry.ref} (${describeRef(entry.told)})`;
  const hint = `If that is what you mean, use its own ref.`;
  const message = `A click on ${what} would hit ${nameOfElement(session, entry, inner)} inside it.`;
  return new ToolError('element_blocked', `${message} Nothing was done.`, { hint });
}

function nameOfElement({ refs }: Session, { node }: RefEntry, { id, what }: { id?: number; what: string }): string {
  const known = id === undefined ? undefined : refs.entryOf(node.document.doc, id);
  return known === undefined ? what : `${known.ref} (${describeRef(known.told)})`;
}

function notClicked(entry: RefEntry, how: NonNullable<Missed['unclicked']>): ToolError {
  const what = `${entry.ref} (${describeRef(entry.told)})`;
  if (how === 'disabled')
    return new ToolError(
      'element_disabled',
      `${what} had become disabled by the time of the click. It received no click.`,
    );
  const fate = how === 'moved' ? 'moved away from under the mouse' : 'was removed and re-inserted by the page';
  const message = `${what} ${fate} during the click. It received no click. The action was only partly performed.`;
  return new ToolError('element_blocked', message, { hint: 'Repeat the call: it may stay in place now.' });
}
