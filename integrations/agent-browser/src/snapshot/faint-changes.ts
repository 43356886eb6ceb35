import type { Change } from './diff.js';
import type { PageSnapshot } from './tree.js';

/** Clock times, and numbers with a unit of time behind them. */
const TIME = /\d{1,2}:\d{2}|\b\d+\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/i;

/**
 * Whether a change may well have nothing to do with what the agent did: a clock that goes on, a title, or a look that says nothing.
 * It is told only where there is nothing else to tell.
 */
export function isFaint(change: Change): boolean {
  if (change.kind === 'looks' || change.kind === 'titled') return true;
  if (change.kind !== 'changed') return false;
  const { item, was } = change;
  if (item.role === 'timer' || item.role === 'marquee') return true;
  return item.name !== was.name && TIME.test(was.name) && blank(item.name) === blank(was.name);
}

function blank(text: string): string {
  return text.replace(/\d+/g, '0');
}

/** How the page looks other than before, as far as its text does not say it. */
export function lookChanges(before: PageSnapshot, { title, selection, looks }: PageSnapshot): Change[] {
  const changes: Change[] = [];
  if (title !== before.title) changes.push({ kind: 'titled', title, parents: [] });
  const known = before.selection;
  if (selection !== undefined && selection.text !== known?.text)
    changes.push({ kind: 'selected', text: selection.text, parents: [] });
  else if (selection !== undefined && known !== undefined) {
    const gained = selection.look.filter(word => !known.look.includes(word));
    const lost = known.look.filter(word => !selection.look.includes(word));
    if (gained.length + lost.length > 0)
      changes.push({ kind: 'restyled', text: selection.text, gained, lost, parents: [] });
  }
  for (const { doc, id, tag, how, turn, gained = [], lost = [] } of looks) {
    // The action before was the last to act on an element: its looks are told.
    if (before.looks.some(told => told.doc === doc && told.turn === turn)) continue;
    const key = `${doc}:${id}`;
    if (gained.length + lost.length > 0) changes.push({ kind: 'restyled', text: '', key, gained, lost, parents: [] });
    else changes.push({ kind: 'looks', key, tag, how, parents: [] });
  }
  return changes;
}
