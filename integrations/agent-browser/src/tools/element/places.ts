import type { Frame } from 'playwright-core';
import type { PlaceAnswer, Where } from '../../page/answers.js';
import type { SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';

/** Where something is, and a ref to act on it. */
export interface ElementPlace {
  ref: string;
  where: Where;
  /** The middle of it in the viewport of the page, in CSS pixels; left out for what is not in view. */
  x?: number;
  y?: number;
}

/** Where nodes are that the latest capture has; undefined for what has gone meanwhile. Each gets a ref to act on. */
export async function placesOf(action: Action, nodes: readonly SnapshotNode[]): Promise<(ElementPlace | undefined)[]> {
  const families = Map.groupBy(nodes, ({ document }) => document.frame);
  const placed = await Promise.all([...families].map(([frame, family]) => placesIn(action, frame, family)));
  const places = new Map(placed.flat());
  return nodes.map(node => places.get(node));
}

type Placed = [node: SnapshotNode, place: ElementPlace];

async function placesIn(action: Action, frame: Frame, nodes: readonly SnapshotNode[]): Promise<Placed[]> {
  const ids = nodes.map(({ id }) => id);
  const answers = await action.ask<(PlaceAnswer | null)[]>(frame, { do: 'places', ids });
  const found = nodes.flatMap((node, index) => {
    const answer = answers[index];
    return answer == null ? [] : [{ node, answer }];
  });
  const first = found[0];
  if (first === undefined) return [];
  const off = frame.parentFrame() === null ? { x: 0, y: 0 } : await offsetOf(action, first.node, first.answer);
  return found.map(({ node, answer }) => {
    const { id, now } = answer;
    const ref = action.session.refs.grant(node, id, now);
    return [node, { ref, ...inPage(action, answer, off) }];
  });
}

/** How far a document in a frame is off in the page. */
async function offsetOf(
  action: Action,
  { document: { doc, frame } }: SnapshotNode,
  { id, corner: [left, top] }: PlaceAnswer,
): Promise<{ x: number; y: number } | undefined> {
  const target = { doc, id, fingerprint: 0, lastId: 0 };
  const inPage = await action.tab.engine.locator(frame, { do: 'element', target }).boundingBox(action.limits);
  return inPage === null ? undefined : { x: inPage.x - left, y: inPage.y - top };
}

function inPage(
  action: Action,
  { where, x, y }: PlaceAnswer,
  off: { x: number; y: number } | undefined,
): Omit<ElementPlace, 'ref'> {
  if (where !== 'in view' || off === undefined) return { where };
  const at = { x: Math.round(x + off.x), y: Math.round(y + off.y) };
  const height = action.tab.page.viewportSize()?.height ?? Number.POSITIVE_INFINITY;
  if (at.y < 0) return { where: 'above' };
  return at.y > height ? { where: 'below' } : { where, ...at };
}
