import { writeFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import { imageSize } from '../outcome/image-size.js';
import type { BoxesAnswer } from '../page/protocol.js';
import type { Action } from './action.js';
import { defineTool, refField } from './define.js';
import { drawLabels, type PictureKind } from './draw-labels.js';
import { labelsOf } from './labels.js';

export const screenshot = defineTool({
  id: 'browser_screenshot',
  description: 'Take a picture of the viewport, the whole page or one element.',
  input: z
    .strictObject({
      ref: refField.optional(),
      fullPage: z.boolean().optional(),
      format: z.enum(['jpeg', 'png', 'webp']).optional().describe('Default jpeg'),
      quality: z.number().int().min(1).max(100).optional().describe('Of jpeg and webp'),
      labels: z.boolean().optional().describe('Draws refs on the picture'),
    })
    .refine(({ ref, fullPage }) => ref === undefined || !fullPage, {
      path: ['fullPage'],
      message: 'cannot be combined with ref',
    })
    .refine(({ format, quality }) => format !== 'png' || quality === undefined, {
      path: ['quality'],
      message: 'png has none',
    }),
  output: {
    path: z.string().optional(),
    mimeType: z.string().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
  },
  policy: { readOnly: true },
  async run(action, { ref, fullPage = false, format = 'jpeg', quality, labels = false }) {
    const kind: PictureKind = { type: format, ...(format !== 'png' && { quality: quality ?? 80 }) };
    const plain = await shoot(action, { ref, fullPage }, kind);
    const picture = labels ? await withLabels(action, plain, { ref, fullPage, kind }) : plain;
    const { files } = action.session.owner;
    const path = await files.newPath(action.session.threadId, `screenshot.${format === 'jpeg' ? 'jpg' : format}`);
    await writeFile(path, picture);
    return { path, mimeType: `image/${format}`, ...imageSize(picture) };
  },
  headline: ({ path, width, height }) => `Screenshot ${width} x ${height}: ${path}`,
});

interface Subject {
  ref?: string;
  fullPage: boolean;
}

/** The picture in CSS pixels, so that a point on it is a point of the page. */
async function shoot(action: Action, { ref, fullPage }: Subject, kind: PictureKind): Promise<Buffer> {
  const options = { ...kind, scale: 'css', animations: 'allow', caret: 'initial' } as const;
  if (ref === undefined) return action.tab.page.screenshot({ ...options, fullPage, ...action.limits });
  const { value } = await action.act(ref, (locator, limits) => locator.screenshot({ ...options, ...limits }));
  return value;
}

async function withLabels(
  action: Action,
  picture: Buffer,
  { kind, ...subject }: Subject & { kind: PictureKind },
): Promise<Buffer> {
  const { width, height } = imageSize(picture);
  const boxes = await labelsOf(action, { ...(await cornerOf(action, subject)), width, height });
  return drawLabels(action, picture, { boxes, ...kind });
}

/** Where the picture begins, in the viewport. */
async function cornerOf(action: Action, { ref, fullPage }: Subject): Promise<{ x: number; y: number }> {
  if (ref !== undefined) {
    const { value } = await action.act(ref, (locator, limits) => locator.boundingBox(limits));
    if (value === null) throw new ToolError('element_not_visible', `${ref} has no box to draw on.`);
    return value;
  }
  if (!fullPage) return { x: 0, y: 0 };
  const { scroll } = await action.ask<BoxesAnswer>(action.tab.page.mainFrame(), { do: 'boxes', ids: [] });
  return { x: -scroll[0], y: -scroll[1] };
}
