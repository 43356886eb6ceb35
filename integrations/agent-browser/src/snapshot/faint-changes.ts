import type { Change } from './diff.js';
import { everyNode, type PageSnapshot } from './tree.js';

/** Clock times, and numbers with a unit of time behind them. */
const TIME = /\d{1,2}:\d{2}|\b\d+\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/i;

/** A canvas is drawn anew by whatever goes on in it. */
const FAINT: ReadonlySet<Change['kind']> = new Set(['looks', 'titled', 'scrolled', 'drawn']);

/**
 * Whether a change may well have nothing to do with what the agent did: a clock that goes on, a title, a place in the page, or a
 * look that says nothing.
 * It is told only where there is nothing else to tell.
 */
export function isFaint(change: Change): boolean {
  if (FAINT.has(change.kind)) return true;
  if (change.kind !== 'changed') return false;
  const { item, was } = change;
  if (item.role === 'timer' || item.role === 'marquee') return true;
  return item.name !== was.name && TIME.test(was.name) && blank(item.name) === blank(was.name);
}

function blank(text: string): string {
  return text.replace(/\d+/g, '0');
}

/** How the page looks other than before, as far as its text does not say it. */
export function lookChanges(before: PageSnapshot, page: PageSnapshot): Change[] {
  const { title, selection, looks } = page;
  const changes: Change[] = [];
  if (title !== before.title) changes.push({ kind: 'titled', title, parents: [] });
  changes.push(...scrollChanges(before, page));
  const known = before.selection;
  if (selection !== undefined && selection.text !== known?.text)
    changes.push({ kind: 'selected', text: selection.text, parents: [] });
  else if (selection !== undefined && known !== undefined) {
    const gained = selection.look.filter(word => !known.look.includes(word));
    const lost = known.look.filter(word => !selection.look.includes(word));
    if (gained.length + lost.length > 0)
      changes.push({ kind: 'restyled', text: selection.text, gained, lost, parents: [] });
  }
  for (const { doc, turn, slid, drawn } of page.sights) {
    // Whoever was told of that press knows what came of it.
    if (before.sights.some(told => told.doc === doc && told.turn === turn)) continue;
    if (slid !== undefined) changes.push({ kind: 'slid', ...slid, parents: [] });
    if (drawn !== undefined) changes.push({ kind: 'drawn', names: drawn, parents: [] });
  }
  const restyled = new Set<string>();
  for (const { doc, id, tag, how, turn, gained = [], lost = [] } of looks) {
    // The action before was the last to act on an element: its looks are told.
    if (before.looks.some(told => told.doc === doc && told.turn === turn)) continue;
    const key = `${doc}:${id}`;
    // Each of several elements around it may have made it look so.
    if (restyled.has(key)) continue;
    if (gained.length + lost.length > 0) {
      restyled.add(key);
      changes.push({ kind: 'restyled', text: '', key, tag, gained, lost, parents: [] });
    } else changes.push({ kind: 'looks', key, tag, how, parents: [] });
  }
  return changes;
}

/** A person overlooks a smaller part of the viewport. */
const SMALLEST_SCROLL = 0.1;

function scrollChanges(before: PageSnapshot, { pressed, scroll, roots }: PageSnapshot): Change[] {
  const { top, length, viewport } = scroll;
  // Whoever was told of that press knows what came of it.
  if (pressed === undefined || before.pressed?.turn === pressed.turn) return [];
  if (Math.abs(top - pressed.top) < viewport * SMALLEST_SCROLL) return [];
  let heading: string | undefined;
  for (const { role, name, distance } of everyNode(roots)) if (role === 'heading' && distance === 0) heading ??= name;
  const percent = Math.round((100 * top) / Math.max(1, length - viewport));
  return [{ kind: 'scrolled', heading, percent, parents: [] }];
}
