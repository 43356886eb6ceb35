import { writeFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { imageSize } from '../outcome/image-size.js';
import type { Action } from './action.js';
import { defineTool, refField } from './define.js';
import { drawLabels, labelsOf } from './labels.js';

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
    const kind = { type: format, ...(format !== 'png' && { quality: quality ?? 80 }) } as const;
    let picture = await shoot(action, { ref, fullPage, ...kind });
    delete action.facts.element;
    if (labels)
      picture = await drawLabels(action, picture, { boxes: await labelsOf(action, { ref, fullPage }), ...kind });
    const path = await action.session.owner.files.newPath(
      action.session.threadId,
      `screenshot.${format === 'jpeg' ? 'jpg' : format}`,
    );
    await writeFile(path, picture);
    return { path, mimeType: `image/${format}`, ...imageSize(picture) };
  },
  headline: ({ path, width, height }) => `Screenshot ${width} x ${height}: ${path}`,
});

interface Shot {
  ref?: string;
  fullPage: boolean;
  type: 'jpeg' | 'png' | 'webp';
  quality?: number;
}

/** The picture in CSS pixels, so that a point on it is a point of the page. */
async function shoot(action: Action, { ref, fullPage, ...kind }: Shot): Promise<Buffer> {
  const options = { ...kind, scale: 'css', animations: 'allow', caret: 'initial' } as const;
  if (ref === undefined) return action.tab.page.screenshot({ ...options, fullPage, ...action.limits });
  const { value } = await action.act(ref, (locator, limits) => locator.screenshot({ ...options, ...limits }), {});
  return value;
}
