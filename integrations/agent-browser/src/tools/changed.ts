import type { Session } from '../browser/session.js';
import { ToolError } from '../outcome/errors.js';
import { describeTold, type RefEntry, type Told } from '../refs/registry.js';

/**
 * The error for an element that says something else than the agent was told. The ref stands for what it says now, so
 * that the agent can call again if that is what it meant.
 */
export function changed(
  session: Session,
  entry: RefEntry,
  { now, was = entry.told }: { now: Told; was?: Told },
): ToolError {
  session.refs.update(entry, now);
  const words = `${entry.ref} was ${describeTold(was)} and is now ${describeTold(now)}`;
  return new ToolError('ref_changed', `${words}. Nothing was done.`);
}
