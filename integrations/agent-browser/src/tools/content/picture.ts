import { withCdp } from '../../browser/chromium/cdp.js';
import { type Box, type Drawing, drawOnPicture } from '../../browser/tab/draw-on-picture.js';
import { isTimeout, ToolError } from '../../outcome/errors.js';
import type { BoxesAnswer } from '../../page/answers.js';
import type { Action } from '../call/action.js';
import { actOn } from '../call/attempt.js';

export interface PictureKind {
  type: 'jpeg' | 'png' | 'webp';
  /** 1 to 100. */
  quality?: number;
}

/** The subject of a picture: one element, the whole page, or the viewport. */
export interface Subject {
  ref?: string;
  fullPage: boolean;
}

/** The area of a picture, in CSS pixels from the corner of the visible part of the page. */
export interface PictureArea extends Box {
  /** Pixels of the picture in a CSS pixel: of what is enlarged there are more. */
  scale: number;
}

/** How long Playwright may wait for fonts, in milliseconds. */
const FONT_TIME = 3_000;

/** A picture in the pixels that a person sees: CSS pixels, as far as nothing is enlarged. */
export async function takePicture(action: Action, subject: Subject, kind: PictureKind): Promise<Buffer> {
  // Of an element that is enlarged Playwright leaves a part out.
  if (subject.ref !== undefined && (await documentBoxes(action)).scale !== 1) return cutOut(action, subject, kind);
  try {
    return await withFonts(action, subject, kind);
  } catch (error) {
    if (!isTimeout(error) && !(error instanceof ToolError && error.code === 'timeout')) throw error;
    return asItIs(action, subject, kind);
  }
}

async function withFonts(action: Action, { ref, fullPage }: Subject, kind: PictureKind): Promise<Buffer> {
  const options = { ...kind, scale: 'css', animations: 'allow', caret: 'initial' } as const;
  const { signal } = action;
  const timeout = Math.min(FONT_TIME, action.timeout);
  if (ref === undefined) return action.tab.page.screenshot({ ...options, fullPage, signal, timeout });
  const { value } = await actOn(action, ref, (locator, limits) =>
    locator.screenshot({ ...options, ...limits, timeout: Math.min(limits.timeout, timeout) }),
  );
  return value;
}

/** As much of an element as is in sight. */
async function cutOut(action: Action, subject: Subject, kind: PictureKind): Promise<Buffer> {
  const { scale, ...crop } = await areaOf(action, subject);
  const picture = await takePicture(action, { fullPage: false }, kind);
  return drawOn(action, picture, { kind, crop, scale });
}

/** Fonts may never come: then the picture is what a person would see now. */
async function asItIs(action: Action, subject: Subject, { type, quality }: PictureKind): Promise<Buffer> {
  const { page } = action.tab;
  const { x, y, width, height, scale } = await areaOf(action, subject);
  const { scroll, viewport, pixelRatio } = await documentBoxes(action);
  const isInSight = x >= 0 && y >= 0 && x + width <= viewport[0] && y + height <= viewport[1];
  const { data } = await withCdp(page, session =>
    session.send('Page.captureScreenshot', {
      format: type,
      quality,
      // It shows a person the page as large as it is laid out, if only for a moment.
      captureBeyondViewport: !isInSight,
      clip: { x: x + scroll[0], y: y + scroll[1], width, height, scale: scale / pixelRatio },
    }),
  );
  return Buffer.from(data, 'base64');
}

/** The area of the subject. */
export async function areaOf(action: Action, { ref, fullPage }: Subject): Promise<PictureArea> {
  if (ref !== undefined) {
    const { value } = await actOn(action, ref, (locator, limits) => locator.boundingBox(limits));
    const { viewport, scale } = await documentBoxes(action);
    const area = value && scale !== 1 ? inside(value, viewport) : value;
    if (area === null) throw new ToolError('element_not_visible', `${ref} has no box to show.`);
    return { ...area, scale };
  }
  const { scroll, document, viewport, scale } = await documentBoxes(action);
  const [width, height] = fullPage ? document : viewport;
  return fullPage ? { x: -scroll[0], y: -scroll[1], width, height, scale: 1 } : { x: 0, y: 0, width, height, scale };
}

/** The part of a box that lies in what is in sight; null when none does. */
function inside(box: Box, [width, height]: readonly [number, number]): Box | null {
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)];
  const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** Draws on a picture in a page of its own. */
export async function drawOn(
  { session }: Action,
  picture: Buffer,
  { kind, ...drawing }: Drawing & { kind: PictureKind },
): Promise<Buffer> {
  const blank = await session.scratchPage();
  try {
    return Buffer.from(await drawOnPicture(blank, { data: picture.toString('base64'), ...kind }, drawing), 'base64');
  } finally {
    await blank.close();
  }
}

function documentBoxes(action: Action): Promise<BoxesAnswer> {
  return action.ask<BoxesAnswer>(action.tab.page.mainFrame(), { do: 'boxes', ids: [] });
}
