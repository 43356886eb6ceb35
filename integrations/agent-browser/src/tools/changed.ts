import type { Session } from '../browser/session.js';
import { ToolError } from '../outcome/errors.js';
import type { Unclicked } from '../page/answers.js';
import type { Change } from '../page/protocol.js';
import { describeTold, type RefEntry, type Told } from '../refs/registry.js';

/**
 * The error for an element that says something else than the agent was told. The ref stands for what it says now, so
 * that the agent can call again if that is what it meant.
 */
export function changed(
  session: Session,
  entry: RefEntry,
  { now, was = entry.told, went }: { now: Change; was?: Told; went?: { from: string; to: string } },
): ToolError {
  const { begun, ...said } = now;
  session.refs.update(entry, said);
  const what =
    went === undefined
      ? `${entry.ref} was ${describeTold(was)} and is now ${describeTold(now)}`
      : `The page went from ${went.from} to ${went.to} after ${entry.ref} (${describeTold(was)}) was read`;
  return new ToolError('ref_changed', `${what}. ${begun ? 'Only the beginning was done.' : 'Nothing was done.'}`);
}

/** The error for a press or for keys that something else would have taken: the element or the focus has moved. */
export function movedAway(entry: RefEntry): ToolError {
  const what = `${entry.ref} (${describeTold(entry.told)})`;
  return new ToolError('element_blocked', `${what} moved away: something else would have taken what was meant for it.`);
}

/** The error for a press of which the page made no click. */
export function notClicked(entry: RefEntry, how: Unclicked): ToolError {
  const what = `${entry.ref} (${describeTold(entry.told)})`;
  if (how === 'disabled')
    return new ToolError('element_disabled', `${what} was disabled when the mouse came. It got no click.`);
  const message = `${what} moved away from under the mouse while it was pressed. It got no click. Only the beginning was done.`;
  return new ToolError('element_blocked', message, { hint: 'Repeat the call: it may stand still now.' });
}
