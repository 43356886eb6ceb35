import { Flag } from '#page-engine/protocol.js';
import { isVerbatim } from '../snapshot/prune.js';
import { isInteractive, type SnapshotNode } from '../snapshot/tree.js';

/** On a page that is mostly the one before, such as a form that came back. */
const ALIKE = { texts: 5, characters: 300 };
/** On another page, and where much is new: only near the heading. */
const OTHER = { texts: 2, characters: 120 };
/** More new texts are content, such as other results. */
const MOST_NEW = 8;
/** Distance from the heading, in texts, fields and headings. */
const NEAR_HEADING = 3;

/**
 * What a page says of the action that led to it, whatever its markup: short texts that the page before did not have.
 * Messages and dialogs are left out, as every view of a page has them.
 * @param said What the page before said of the action that led there: it may say the same again.
 */
export function outcomeOf(
  before: readonly SnapshotNode[],
  now: readonly SnapshotNode[],
  said: ReadonlySet<string>,
): SnapshotNode[] {
  const known = new Set(partsOf(before).map(({ name }) => name));
  const parts = partsOf(now);
  const isNew = (node: SnapshotNode): boolean => isText(node) && (said.has(node.name) || !known.has(node.name));
  const isFormAgain = parts.filter(({ name }) => known.has(name)).length > parts.length / 2;
  const isAlike = isFormAgain && parts.filter(isNew).length <= MOST_NEW;
  const heading = parts.findIndex(({ role }) => role === 'heading');
  const { texts, characters } = isAlike ? ALIKE : OTHER;
  const found = parts.filter(
    (part, index) =>
      isNew(part) && part.name.length <= characters && (isAlike || Math.abs(index - heading) <= NEAR_HEADING),
  );
  return [...new Map(found.map(node => [node.name, node])).values()].slice(0, texts);
}

/** Headings, texts and what can be acted on, in the order of the page. */
function partsOf(nodes: readonly SnapshotNode[]): SnapshotNode[] {
  return nodes.flatMap(node => {
    if (isText(node) || isInteractive(node) || node.role === 'heading') return node.name === '' ? [] : [node];
    return isVerbatim(node) ? [] : partsOf(node.children);
  });
}

function isText({ role, flags }: SnapshotNode): boolean {
  return role === 'text' && (flags & Flag.HiddenText) === 0;
}
