import { writeFile } from 'node:fs/promises';
import { OWNER_ONLY } from '@browser-toolset/core/files';
import type { Frame } from 'playwright-core';
import { z } from 'zod/v4';
import { drawOnPicture, type PictureDrawing } from '#live/frames/draw-on-picture.js';
import { type SecretOccurrences, takeBetweenReads } from '#live/frames/secret-occurrences.js';
import type { Rect } from '#page-engine/dom/geometry.js';
import type { BoxesAnswer } from '#page-engine/protocol.js';
import { imageSize } from '#vendored/image-size';
import { actOn } from '../actions/act-on.js';
import { withCdp } from '../browser/chromium/cdp.js';
import { type Action, readPage } from '../call/action.js';
import { defineTool, refField } from '../call/define.js';
import { offsetInPage } from '../call/point.js';
import { isTimeout, ToolError } from '../results/errors.js';
import { everyNode, isInteractive, type SnapshotNode } from '../snapshot/tree.js';

interface PictureKind {
  type: 'jpeg' | 'png' | 'webp';
  /** 1 to 100. */
  quality?: number;
}

/** The subject of a screenshot: one element, the whole page, or the viewport. */
interface PictureSubject {
  ref?: string;
  fullPage: boolean;
}

/** The area of a screenshot, in CSS pixels from the top left corner of the visual viewport. */
interface PictureArea extends Rect {
  /** Image pixels per CSS pixel: more than one where the page is pinch-zoomed. */
  scale: number;
}

/** Models refuse pictures with a longer side in a conversation of many, which then cannot go on. */
const LONGEST_SIDE_PX = 2_000;

/** How long Playwright may wait for fonts, in milliseconds. */
const FONT_MS = 3_000;

/** Takes a screenshot with one image pixel per CSS pixel, unless the page is pinch-zoomed. */
async function takePicture(action: Action, subject: PictureSubject, kind: PictureKind): Promise<Buffer> {
  // Playwright omits part of an element on a pinch-zoomed page.
  if (subject.ref !== undefined && (await documentBoxes(action)).scale !== 1) return cutOut(action, subject, kind);
  try {
    return await withFonts(action, subject, kind);
  } catch (error) {
    if (!isTimeout(error) && !(error instanceof ToolError && error.code === 'timeout')) throw error;
    return asItIs(action, subject, kind);
  }
}

async function withFonts(action: Action, { ref, fullPage }: PictureSubject, kind: PictureKind): Promise<Buffer> {
  const options = { ...kind, scale: 'css', animations: 'allow', caret: 'initial' } as const;
  const { signal } = action;
  const timeout = Math.min(FONT_MS, action.timeout);
  if (ref === undefined) return action.tab.page.screenshot({ ...options, fullPage, signal, timeout });
  const { value } = await actOn(action, ref, (locator, limits) =>
    locator.screenshot({ ...options, ...limits, timeout: Math.min(limits.timeout, timeout) }),
  );
  return value;
}

/** Takes a screenshot of the visible part of an element, cropped from the viewport. */
async function cutOut(action: Action, subject: PictureSubject, kind: PictureKind): Promise<Buffer> {
  const { scale, ...crop } = await pictureAreaOf(action, subject);
  const picture = await takePicture(action, { fullPage: false }, kind);
  return drawOn(action, picture, { kind, crop, scale });
}

/** Takes a screenshot without waiting for fonts, which may never load: it shows what a person sees now. */
async function asItIs(action: Action, subject: PictureSubject, { type, quality }: PictureKind): Promise<Buffer> {
  const { page } = action.tab;
  const { x, y, width, height, scale } = await pictureAreaOf(action, subject);
  const { scroll, viewport, pixelRatio } = await documentBoxes(action);
  const isInViewport = x >= 0 && y >= 0 && x + width <= viewport[0] && y + height <= viewport[1];
  const { data } = await withCdp(page, session =>
    session.send('Page.captureScreenshot', {
      format: type,
      quality,
      // Capturing beyond the viewport visibly resizes the page for a moment, so it is avoided.
      captureBeyondViewport: !isInViewport,
      clip: { x: x + scroll[0], y: y + scroll[1], width, height, scale: scale / pixelRatio },
    }),
  );
  return Buffer.from(data, 'base64');
}

async function pictureAreaOf(action: Action, { ref, fullPage }: PictureSubject): Promise<PictureArea> {
  if (ref !== undefined) {
    const { value } = await actOn(action, ref, (locator, limits) => locator.boundingBox(limits));
    const { viewport, scale } = await documentBoxes(action);
    const area = value && scale !== 1 ? inside(value, viewport) : value;
    if (area === null) throw new ToolError('element_not_visible', `${ref} has no visible area to capture.`);
    return { ...area, scale };
  }
  const { scroll, document, viewport, scale } = await documentBoxes(action);
  const [width, height] = fullPage ? document : viewport;
  return fullPage ? { x: -scroll[0], y: -scroll[1], width, height, scale: 1 } : { x: 0, y: 0, width, height, scale };
}

/** The part of a box inside the visual viewport; null if there is none. */
function inside(box: Rect, [width, height]: readonly [number, number]): Rect | null {
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)];
  const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** Draws on an image, in a page that is opened for it. */
async function drawOn(
  { session }: Action,
  picture: Buffer,
  { kind, ...drawing }: PictureDrawing & { kind: PictureKind },
): Promise<Buffer> {
  const blank = await session.scratchPage();
  try {
    return Buffer.from(await drawOnPicture(blank, { data: picture.toString('base64'), ...kind }, drawing), 'base64');
  } finally {
    await blank.close();
  }
}

function documentBoxes(action: Action): Promise<BoxesAnswer> {
  return action.ask(action.tab.page.mainFrame(), 'boxes', { ids: [] });
}

const MOST_LABELS = 150;

/** The refs of the interactive elements on a screenshot, with their boxes in CSS pixels. */
async function labelsOn(action: Action, area: PictureArea): Promise<(Rect & { label: string })[]> {
  const { session } = action;
  const { roots } = await readPage(action);
  const nodes = [...everyNode(roots)].filter(isInteractive);
  const families = Map.groupBy(nodes, ({ document }) => document.frame);
  const boxed = await Promise.all([...families].map(([frame, family]) => boxesIn(action, frame, family)));
  const labels: (Rect & { label: string })[] = [];
  for (const { node, box } of boxed.flat()) {
    const x = box.x - area.x;
    const y = box.y - area.y;
    const isShown = x < area.width && y < area.height && x + box.width > 0 && y + box.height > 0;
    if (!isShown || labels.length >= MOST_LABELS) continue;
    labels.push({ label: session.refs.refOf(node).slice(1), x, y, width: box.width, height: box.height });
    session.refs.recordShown([node]);
  }
  return labels;
}

interface Boxed {
  node: SnapshotNode;
  box: Rect;
}

/** The boxes of visible elements of a frame, in CSS pixels of the page's viewport. */
async function boxesIn(action: Action, frame: Frame, nodes: readonly SnapshotNode[]): Promise<Boxed[]> {
  const { boxes } = await action.ask(frame, 'boxes', { ids: nodes.map(node => node.id) });
  const seen = nodes.flatMap((node, index) => {
    const [x, y, width, height] = boxes[index] ?? [];
    return x === undefined || y === undefined || width === undefined || height === undefined
      ? []
      : [{ node, box: { x, y, width, height } }];
  });
  const first = seen[0];
  // All elements of a document have the same offset in the page.
  const off = first && (await offsetInPage(action, first.node, first.box));
  if (off === undefined) return [];
  return seen.map(({ node, box }) => ({ node, box: { ...box, x: box.x + off.x, y: box.y + off.y } }));
}

const shownPicture = z.object({ path: z.string(), width: z.number(), height: z.number() });

export const screenshot = defineTool({
  id: 'browser_screenshot',
  description: 'Take a picture of the viewport, the whole page or one element.',
  input: z
    .strictObject({
      ref: refField.optional(),
      fullPage: z.boolean().optional(),
      format: z.enum(['jpeg', 'png', 'webp']).optional().describe('Default jpeg'),
      quality: z.number().int().min(1).max(100).optional().describe('For jpeg and webp'),
      labels: z.boolean().optional().describe('Draw refs on the picture'),
    })
    .refine(({ ref, fullPage }) => ref === undefined || !fullPage, {
      path: ['fullPage'],
      message: 'cannot be combined with ref',
    })
    .refine(({ format, quality }) => format !== 'png' || quality === undefined, {
      path: ['quality'],
      message: 'does not apply to png',
    }),
  output: {
    path: z.string().optional(),
    mimeType: z.string().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
    /** The scaled picture that the model gets of one that is too large for models. */
    shown: shownPicture.optional(),
  },
  policy: { readOnly: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { ref, fullPage = false, format = 'jpeg', quality, labels = false }) {
    const kind: PictureKind = { type: format, ...(format !== 'png' && { quality: quality ?? 80 }) };
    const plain = await takeCoveredPicture(action, { ref, fullPage }, kind);
    const picture = labels ? await withLabels(action, plain, { ref, fullPage, kind }) : plain;
    const { width, height } = imageSize(picture);
    const path = await savePicture(action, picture, 'screenshot', kind);
    const isTooLarge = Math.max(width, height) > LONGEST_SIDE_PX;
    const shown = isTooLarge ? await scaledForModels(action, picture, kind) : undefined;
    return { path, mimeType: `image/${format}`, width, height, ...(shown && { shown }) };
  },
  headline: ({ path, width, height, shown }) =>
    `Screenshot ${width} x ${height}: ${path}${shown ? scaledWords(shown) : ''}`,
});

function scaledWords({ width, height }: z.output<typeof shownPicture>): string {
  return `\nScaled to ${width} x ${height} here. For readable parts, take an element by ref, or scroll and take the viewport.`;
}

async function savePicture(action: Action, picture: Buffer, name: string, { type }: PictureKind): Promise<string> {
  const { owner, threadId } = action.session;
  const path = await owner.files.newPath(threadId, `${name}.${type === 'jpeg' ? 'jpg' : type}`);
  await writeFile(path, picture, { mode: OWNER_ONLY });
  return path;
}

/** Saves a picture at the size in which models take it. */
async function scaledForModels(
  action: Action,
  picture: Buffer,
  kind: PictureKind,
): Promise<z.output<typeof shownPicture>> {
  const small = await drawOn(action, picture, { kind, longest: LONGEST_SIDE_PX });
  const { width, height } = imageSize(small);
  return { path: await savePicture(action, small, 'screenshot-shown', kind), width, height };
}

async function withLabels(
  action: Action,
  picture: Buffer,
  { kind, ...subject }: PictureSubject & { kind: PictureKind },
): Promise<Buffer> {
  const area = await pictureAreaOf(action, subject);
  return drawOn(action, picture, { kind, labels: await labelsOn(action, area), scale: area.scale });
}

/** How often a screenshot is retried because the position of a secret changed. */
const SCREENSHOT_TRIES = 3;

/**
 * Takes a screenshot without secrets: they are located before and after it, and covered on the image. Invariant: a
 * screenshot is returned only if the position of every secret on it is known.
 */
async function takeCoveredPicture(action: Action, subject: PictureSubject, kind: PictureKind): Promise<Buffer> {
  const { tab, limits } = action;
  const { secretOccurrences } = tab.engine;
  if (secretOccurrences === undefined) return takePicture(action, subject, kind);
  for (let tries = 0; tries < SCREENSHOT_TRIES; tries++) {
    // The element is scrolled into view now, so that the screenshot does not scroll.
    if (subject.ref !== undefined) await pictureAreaOf(action, subject);
    const shot = await takeBetweenReads(
      () => secretOccurrences.read(tab.page, limits),
      before => {
        if (subject.fullPage) refusePinned(before);
        return takePicture(action, subject, kind);
      },
    );
    if (shot === undefined) continue;
    const { picture, covers } = shot;
    return covers.length === 0 ? picture : cover(action, picture, { covers, subject, kind });
  }
  throw new ToolError(
    'browser_error',
    'The page keeps showing a secret for short moments, so no screenshot can be taken.',
  );
}

/** Fixed parts move in a full-page screenshot, because it is taken with a larger viewport. */
function refusePinned({ areas }: SecretOccurrences): void {
  if (![...areas.values()].some(({ pinned }) => pinned)) return;
  throw new ToolError('browser_error', 'A fixed part of the page shows a secret.', {
    hint: 'Take a screenshot of the viewport or of one element instead.',
  });
}

async function cover(
  action: Action,
  picture: Buffer,
  { covers, subject, kind }: { covers: Rect[]; subject: PictureSubject; kind: PictureKind },
): Promise<Buffer> {
  const { x, y, scale } = await pictureAreaOf(action, subject);
  const moved = covers.map(area => ({ ...area, x: area.x - x, y: area.y - y }));
  return drawOn(action, picture, { kind, covers: moved, scale });
}
