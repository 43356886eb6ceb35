import { writeFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { OWNER_ONLY } from '../browser/files/files.js';
import { imageSize } from '../outcome/image-size.js';
import type { Action } from './call/action.js';
import { takeCoveredPicture } from './content/covered-picture.js';
import { labelsOf } from './content/labels.js';
import { areaOf, drawOn, type PictureKind, type Subject } from './content/picture.js';
import { defineTool, refField } from './define.js';

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
  risk: 'none',
  enters: 'nothing',
  async run(action, { ref, fullPage = false, format = 'jpeg', quality, labels = false }) {
    const kind: PictureKind = { type: format, ...(format !== 'png' && { quality: quality ?? 80 }) };
    const plain = await takeCoveredPicture(action, { ref, fullPage }, kind);
    const picture = labels ? await withLabels(action, plain, { ref, fullPage, kind }) : plain;
    const { files } = action.session.owner;
    const path = await files.newPath(action.session.threadId, `screenshot.${format === 'jpeg' ? 'jpg' : format}`);
    await writeFile(path, picture, { mode: OWNER_ONLY });
    return { path, mimeType: `image/${format}`, ...imageSize(picture) };
  },
  headline: ({ path, width, height }) => `Screenshot ${width} x ${height}: ${path}`,
});

async function withLabels(
  action: Action,
  picture: Buffer,
  { kind, ...subject }: Subject & { kind: PictureKind },
): Promise<Buffer> {
  const area = await areaOf(action, subject);
  const boxes = await labelsOf(action, area);
  const labels = boxes.map(({ ref, ...box }) => ({ ...box, label: ref.slice(1) }));
  return drawOn(action, picture, { kind, labels, scale: area.scale });
}
