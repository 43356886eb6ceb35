import type { Frame } from 'playwright-core';
import type { AskOptions } from '../browser/tab/ask-options.js';
import type { EngineClient } from '../browser/tab/engine.js';
import type { BoxesAnswer, PlaceAnswer } from '../page/answers.js';
import type { Probe } from '../page/protocol.js';
import type { KnownPage } from './known-page.js';
import { keysIn, withBehind } from './merged-tree.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode } from './tree.js';

/** Controls that a popup leaves alive beside itself, such as the field that it opened from. */
const MOST_LEFT = 2;
/** Parts that the page is asked for; of more than that the rest is taken to be as these are. */
const MOST_ASKED = 200;
/** Parts that are looked at closely. */
const SAMPLES = 8;

/**
 * The page with what an open popup keeps from being read: what is gone from the capture, and is still shown. It is aria-hidden,
 * inert or behind a modal dialog, and comes back with the end of the popup.
 * Resolves to nothing where there is no such popup, and was none.
 */
export async function wholePage(
  engine: EngineClient,
  known: KnownPage,
  page: PageSnapshot,
  options: AskOptions,
): Promise<SnapshotNode[] | undefined> {
  const present = keysIn(page.roots);
  const missing = missingFrom(known.roots, present);
  const wanted = opensOverRest(known, present) ? missing : missing.filter(({ key }) => known.isBehind(key));
  if (wanted.length === 0) return known.hasBehind ? page.roots : undefined;
  const shown = await shownOf(engine, wanted, page, options);
  return shown.size > 0 ? withBehind(known.roots, page.roots, shown) : known.hasBehind ? page.roots : undefined;
}

/** Something new has come, and with it nearly all went that could be acted on. */
function opensOverRest(known: KnownPage, present: ReadonlySet<string>): boolean {
  const before = keysIn(known.roots);
  const isNew = [...present].some(key => !before.has(key));
  // A popup that closes fades away while what was behind is there again.
  if (!isNew || [...present].some(key => known.isBehind(key))) return false;
  let left = 0;
  let lost = 0;
  for (const node of everyNode(known.page.roots)) {
    if (!isInteractive(node)) continue;
    if (present.has(node.key)) left++;
    else lost++;
  }
  return left <= MOST_LEFT && lost > left;
}

/** Keys of those that a person still sees. */
async function shownOf(
  engine: EngineClient,
  wanted: readonly SnapshotNode[],
  page: PageSnapshot,
  options: AskOptions,
): Promise<ReadonlySet<string>> {
  const documents = new Map<string, Frame>();
  for (const { document } of everyNode(page.roots)) documents.set(document.doc, document.frame);
  const shown = new Set<string>();
  for (const [doc, frame] of documents) {
    const nodes = wanted.filter(({ document }) => document.doc === doc);
    if (nodes.length === 0) continue;
    const asked = spread(nodes, MOST_ASKED);
    const ids = asked.map(({ id }) => id);
    const places = await engine.ask<(PlaceAnswer | null)[]>(frame, { do: 'places', ids }, options);
    const found = places.filter(place => place !== null);
    if (!(await areShown(engine, frame, spread(found, SAMPLES), options))) continue;
    const gone = new Set(asked.filter((_, index) => places[index] == null));
    for (const node of nodes) if (!gone.has(node)) shown.add(node.key);
  }
  return shown;
}

/** Whether most of some elements can be seen, be they covered. */
async function areShown(
  engine: EngineClient,
  frame: Frame,
  places: readonly PlaceAnswer[],
  options: AskOptions,
): Promise<boolean> {
  if (places.length === 0) return false;
  const ids = places.map(({ id }) => id);
  const [{ boxes, scroll }, ...probes] = await Promise.all([
    engine.ask<BoxesAnswer>(frame, { do: 'boxes', ids }, options),
    ...ids.map(id => engine.ask<Probe>(frame, { do: 'probe', id }, options)),
  ]);
  // Nobody scrolls to what a page has put before its beginning.
  const isInPage = ([left, top, width, height]: NonNullable<BoxesAnswer['boxes'][number]>): boolean =>
    left + width + scroll[0] > 0 && top + height + scroll[1] > 0;
  const shown = probes.filter(({ visible }, index) => {
    const box = boxes[index];
    return visible && box != null && isInPage(box);
  });
  return shown.length > places.length / 2;
}

/** So many of some things at most, from all over them. */
function spread<Thing>(things: readonly Thing[], most: number): Thing[] {
  const step = Math.max(1, things.length / most);
  return things.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** The outermost nodes that are not there any more. */
function missingFrom(nodes: readonly SnapshotNode[], present: ReadonlySet<string>): SnapshotNode[] {
  return nodes.flatMap(node => (present.has(node.key) ? missingFrom(node.children, present) : [node]));
}
