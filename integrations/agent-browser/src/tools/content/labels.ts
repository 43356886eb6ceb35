import type { Frame } from 'playwright-core';
import type { BoxesAnswer } from '../../page/answers.js';
import { capture } from '../../snapshot/reading.js';
import { everyNode, isInteractive, type SnapshotNode } from '../../snapshot/tree.js';
import type { Action } from '../call/action.js';
import type { PictureArea } from './picture.js';

/** A ref and where it stands on a picture, in CSS pixels. */
export interface LabelBox {
  ref: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const MOST = 150;

/** The boxes of what can be acted on and stands on a picture. */
export async function labelsOf(action: Action, area: PictureArea): Promise<LabelBox[]> {
  const { session, tab } = action;
  const page = await capture(tab, action.limits);
  session.refs.replace(page, false);
  const nodes = [...everyNode(page.roots)].filter(isInteractive);
  const labels: LabelBox[] = [];
  for (const { node, box } of await boxesOf(action, nodes)) {
    const x = box.x - area.x;
    const y = box.y - area.y;
    const isShown = x < area.width && y < area.height && x + box.width > 0 && y + box.height > 0;
    if (!isShown || labels.length >= MOST) continue;
    labels.push({ ref: session.refs.refOf(node), x, y, width: box.width, height: box.height });
    session.refs.tell([node]);
  }
  return labels;
}

interface Boxed {
  node: SnapshotNode;
  box: Omit<PictureArea, 'scale'>;
}

/** The boxes of elements in the viewport of the page, as far as they are in sight. */
async function boxesOf(action: Action, nodes: readonly SnapshotNode[]): Promise<Boxed[]> {
  const families = new Map<Frame, SnapshotNode[]>();
  for (const node of nodes) {
    const family = families.get(node.document.frame) ?? [];
    families.set(node.document.frame, family);
    family.push(node);
  }
  const boxed = await Promise.all([...families].map(([frame, family]) => boxesIn(action, frame, family)));
  return boxed.flat();
}

async function boxesIn(action: Action, frame: Frame, nodes: readonly SnapshotNode[]): Promise<Boxed[]> {
  const { boxes } = await action.ask<BoxesAnswer>(frame, { do: 'boxes', ids: nodes.map(node => node.id) });
  const seen = nodes.flatMap((node, index) => {
    const [x, y, width, height] = boxes[index] ?? [];
    return x === undefined || y === undefined || width === undefined || height === undefined
      ? []
      : [{ node, box: { x, y, width, height } }];
  });
  const first = seen[0];
  if (first === undefined || frame.parentFrame() === null) return seen;
  const { document, id } = first.node;
  const target = { doc: document.doc, id, fingerprint: 0, lastId: 0 };
  const inPage = await action.tab.engine.locator(frame, { do: 'element', target }).boundingBox(action.limits);
  if (inPage === null) return [];
  // How far one element is off in the page is how far all of its document is.
  const { x, y } = { x: inPage.x - first.box.x, y: inPage.y - first.box.y };
  return seen.map(({ node, box }) => ({ node, box: { ...box, x: box.x + x, y: box.y + y } }));
}
