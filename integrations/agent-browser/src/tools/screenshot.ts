import { writeFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { OWNER_ONLY } from '../browser/files/files.js';
import { type Area, type Sightings, takeBetweenLooks } from '../browser/tab/secret-sightings.js';
import { ToolError } from '../outcome/errors.js';
import type { Action } from './call/action.js';
import { labelsOf } from './content/labels.js';
import { areaOf, drawOn, type PictureKind, type Subject, takePicture } from './content/picture.js';
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

/** How often a picture is taken anew because the page showed a secret for a moment only. */
const TRIES = 3;

/**
 * A picture without secrets: the page is looked at before and after, and what was seen is covered on the picture.
 * Invariant: no picture leaves of which it is not known where the secrets on it stand.
 */
async function takeCoveredPicture(action: Action, subject: Subject, kind: PictureKind): Promise<Buffer> {
  const { tab, limits } = action;
  const { sightings } = tab.engine;
  if (sightings === undefined) return takePicture(action, subject, kind);
  for (let tries = 0; tries < TRIES; tries++) {
    // The element is scrolled into view now, not while the picture is taken.
    if (subject.ref !== undefined) await areaOf(action, subject);
    const taken = await takeBetweenLooks(
      () => sightings.look(tab.page, limits),
      before => {
        if (subject.fullPage) refusePinned(before);
        return takePicture(action, subject, kind);
      },
    );
    if (taken === undefined) continue;
    const { picture, covers } = taken;
    return covers.length === 0 ? picture : cover(action, picture, { covers, subject, kind });
  }
  throw new ToolError('browser_error', 'The page shows a secret for moments at a time: no picture of it can be taken.');
}

/** A picture of the whole page is taken with a larger viewport, in which such parts stand elsewhere. */
function refusePinned({ areas }: Sightings): void {
  if (![...areas.values()].some(({ pinned }) => pinned)) return;
  throw new ToolError('browser_error', 'A part of the page that does not scroll with it shows a secret.', {
    hint: 'Take the picture of the viewport or of one element.',
  });
}

async function cover(
  action: Action,
  picture: Buffer,
  { covers, subject, kind }: { covers: Area[]; subject: Subject; kind: PictureKind },
): Promise<Buffer> {
  const { x, y, scale } = await areaOf(action, subject);
  const moved = covers.map(area => ({ ...area, x: area.x - x, y: area.y - y }));
  return drawOn(action, picture, { kind, covers: moved, scale });
}

/** Width and height in pixels of a PNG, JPEG or WebP picture, read from its header. */
export function imageSize(picture: Buffer): { width: number; height: number } {
  if (picture.readUInt32BE(0) === 0x89504e47)
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
  if (picture.toString('latin1', 0, 4) === 'RIFF') return webpSize(picture);
  return jpegSize(picture);
}

/** ISO/IEC 10918-1: the frame header (SOF) carries the size. */
function jpegSize(picture: Buffer): { width: number; height: number } {
  for (let at = 2; at + 9 < picture.length; ) {
    const marker = picture.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: picture.readUInt16BE(at + 7), height: picture.readUInt16BE(at + 5) };
    at += 2 + picture.readUInt16BE(at + 2);
  }
  throw new Error('the picture is no JPEG');
}

/** RFC 9649: simple lossy (VP8), simple lossless (VP8L) and extended (VP8X) layouts. */
function webpSize(picture: Buffer): { width: number; height: number } {
  const chunk = picture.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: 1 + picture.readUIntLE(24, 3), height: 1 + picture.readUIntLE(27, 3) };
  if (chunk === 'VP8L') {
    const bits = picture.readUInt32LE(21);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
  }
  return { width: picture.readUInt16LE(26) & 0x3fff, height: picture.readUInt16LE(28) & 0x3fff };
}
