import type { Page } from 'playwright-core';
import { capture } from '../snapshot/reading.js';
import { everyNode, isInteractive } from '../snapshot/tree.js';
import type { Action } from './action.js';

/** A ref and where it stands on a picture, in CSS pixels of the picture. */
export interface LabelBox {
  ref: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const MOST = 150;

/** The boxes of what can be acted on, in the coordinates of a picture of the viewport, the page or one element. */
export async function labelsOf(
  action: Action,
  { ref, fullPage }: { ref?: string; fullPage: boolean },
): Promise<LabelBox[]> {
  const { session, tab } = action;
  const page = await capture(tab, action.limits);
  session.refs.replace(page, true);
  const origin = await originOf(action, page.scroll.top, { ref, fullPage });
  const nodes = [...everyNode(page.roots)].filter(
    node => isInteractive(node) && (fullPage || ref !== undefined || node.distance === 0),
  );
  const boxes = await Promise.all(
    nodes.slice(0, MOST).map(async node => {
      const target = { doc: node.document.doc, id: node.id, fingerprint: 0, lastId: 0 };
      const box = await tab.engine.locator(node.document.frame, { do: 'element', target }).boundingBox(action.limits);
      return box === null
        ? undefined
        : { ...box, ref: session.refs.refOf(node), x: box.x - origin.x, y: box.y - origin.y };
    }),
  );
  return boxes.filter(box => box !== undefined);
}

async function originOf(
  action: Action,
  scrollTop: number,
  { ref, fullPage }: { ref?: string; fullPage: boolean },
): Promise<{ x: number; y: number }> {
  if (fullPage) return { x: 0, y: -scrollTop };
  if (ref === undefined) return { x: 0, y: 0 };
  const { value } = await action.act(ref, (locator, limits) => locator.boundingBox(limits), {});
  return value ?? { x: 0, y: 0 };
}

interface Drawing {
  boxes: readonly LabelBox[];
  type: 'jpeg' | 'png' | 'webp';
  quality?: number;
}

/** Draws boxes with refs on a picture, in a blank page of its own: the page on the picture stays untouched. */
export async function drawLabels(action: Action, picture: Buffer, { boxes, type, quality }: Drawing): Promise<Buffer> {
  const page = await action.session.scratchPage();
  try {
    const source = `data:image/${type};base64,${picture.toString('base64')}`;
    const drawn = await page.evaluate(drawBoxes, {
      source,
      boxes: [...boxes],
      mimeType: `image/${type}`,
      quality: (quality ?? 100) / 100,
    });
    return Buffer.from(drawn, 'base64');
  } finally {
    await (page satisfies Page).close();
  }
}

/** Runs in the blank page. */
async function drawBoxes(job: {
  source: string;
  boxes: LabelBox[];
  mimeType: string;
  quality: number;
}): Promise<string> {
  const image = new Image();
  image.src = job.source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(image, 0, 0);
  context.font = 'bold 11px sans-serif';
  context.textBaseline = 'top';
  job.boxes.forEach(({ ref, x, y, width, height }, index) => {
    const color = `hsl(${(index * 47) % 360} 85% 35%)`;
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.strokeRect(x, y, width, height);
    const text = ref.slice(1);
    const tag = context.measureText(text).width + 6;
    const top = y >= 14 ? y - 14 : y;
    context.fillStyle = color;
    context.fillRect(x - 1, top, tag, 14);
    context.fillStyle = 'white';
    context.fillText(text, x + 2, top + 2);
  });
  return canvas.toDataURL(job.mimeType, job.quality).split(',')[1] ?? '';
}
