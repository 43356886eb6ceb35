import { withCdp } from '../../browser/chromium/cdp.js';
import { type Drawing, drawOnPicture } from '../../browser/tab/draw-on-picture.js';
import { isTimeout, ToolError } from '../../outcome/errors.js';
import type { BoxesAnswer } from '../../page/answers.js';
import type { Action } from '../call/action.js';

export interface PictureKind {
  type: 'jpeg' | 'png' | 'webp';
  /** 1 to 100. */
  quality?: number;
}

/** What a picture shows: one element, the whole page, or the viewport. */
export interface Subject {
  ref?: string;
  fullPage: boolean;
}

/** What a picture shows, in CSS pixels of the viewport. */
export interface PictureArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How long Playwright may wait for fonts, in milliseconds. */
const FONT_TIME = 3_000;

/** A picture in CSS pixels, so that a point on it is a point of the page. */
export async function takePicture(action: Action, subject: Subject, kind: PictureKind): Promise<Buffer> {
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
  const { value } = await action.act(ref, (locator, limits) =>
    locator.screenshot({ ...options, ...limits, timeout: Math.min(limits.timeout, timeout) }),
  );
  return value;
}

/** Fonts may never come: then the picture is what a person would see now. */
async function asItIs(action: Action, subject: Subject, { type, quality }: PictureKind): Promise<Buffer> {
  const { page } = action.tab;
  const { x, y, width, height } = await areaOf(action, subject);
  const { scroll, pixelRatio } = await documentBoxes(action);
  const { data } = await withCdp(page, session =>
    session.send('Page.captureScreenshot', {
      format: type,
      quality,
      captureBeyondViewport: true,
      clip: { x: x + scroll[0], y: y + scroll[1], width, height, scale: 1 / pixelRatio },
    }),
  );
  return Buffer.from(data, 'base64');
}

/** What a picture of the subject shows. */
export async function areaOf(action: Action, { ref, fullPage }: Subject): Promise<PictureArea> {
  if (ref !== undefined) {
    const { value } = await action.act(ref, (locator, limits) => locator.boundingBox(limits));
    if (value === null) throw new ToolError('element_not_visible', `${ref} has no box to show.`);
    return value;
  }
  const { scroll, document, viewport } = await documentBoxes(action);
  const [width, height] = fullPage ? document : viewport;
  return fullPage ? { x: -scroll[0], y: -scroll[1], width, height } : { x: 0, y: 0, width, height };
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
