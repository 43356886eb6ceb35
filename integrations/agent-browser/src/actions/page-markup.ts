import type { Frame } from 'playwright-core';
import type { ReadAnswer } from '#page-engine/protocol.js';
import type { Action } from '../call/action.js';
import { FRAME_TIMEOUT_MS, MAX_FRAME_DEPTH } from '../limits.js';
import type { PageMarkup } from '../reading/write.js';
import { plainMessage, ToolError } from '../results/errors.js';

const MOST_READ_FRAMES = 30;

/** Markup of the active page, or of the element of a ref, with the content of its frames in place. */
export async function markupOf(action: Action, ref?: string): Promise<PageMarkup> {
  if (ref === undefined) {
    const { page } = action.tab;
    const answer = await action.ask(page.mainFrame(), 'read', {});
    action.tab.title = answer.title;
    return {
      ...answer,
      html: await wholeMarkup(action, answer, { frame: page.mainFrame(), depth: 0, isAsked: false }),
    };
  }
  const { entry, answer } = await action.askAbout(ref, 'read', target => ({ target }));
  const { frame } = entry.node.document;
  const isAsked = entry.node.role === 'iframe';
  return { ...answer, html: await wholeMarkup(action, answer, { frame, depth: 0, isAsked }) };
}

/** Hides secrets in the whole once more: one may begin in one document and end in the next. */
async function wholeMarkup(action: Action, answer: ReadAnswer, place: FrameAt): Promise<string> {
  const html = await withFrames(action, answer, place);
  return answer.frames.length === 0 ? html : action.session.owner.secrets.hideMarkup(html);
}

interface FrameAt {
  frame: Frame;
  depth: number;
  /** The frame itself was requested: it is read whatever its site. */
  isAsked: boolean;
}

async function withFrames(action: Action, { html, frames, doc }: ReadAnswer, place: FrameAt): Promise<string> {
  const read = await Promise.all(
    frames
      .slice(0, MOST_READ_FRAMES)
      .map(async id => [String(id), await frameMarkup(action, { doc, id }, place)] as const),
  );
  const inside = new Map(read);
  // The text of a page cannot contain this: its angle brackets are escaped.
  return html.replace(/<iframe id="(\d+)"><\/iframe>/g, (_, id: string) => inside.get(id) ?? '');
}

async function frameMarkup(action: Action, holder: { doc: string; id: number }, place: FrameAt): Promise<string> {
  const { frame: parent, depth, isAsked } = place;
  const frame = await action.tab.engine.contentFrame(parent, holder, action.limits).catch(() => null);
  if (frame === null) return '';
  const link = `<p><a href="${escapeQuotes(frame.url())}">Frame: ${escapeQuotes(frame.url().slice(0, 200))}</a></p>`;
  if (depth >= MAX_FRAME_DEPTH || !(isAsked || isOfSameSite(frame.url(), parent.url()))) return link;
  try {
    const limits = { timeout: Math.min(FRAME_TIMEOUT_MS, action.timeout), signal: action.signal };
    const answer = await action.tab.engine.call(frame, 'read', {}, limits);
    return `<div>${await withFrames(action, answer, { frame, depth: depth + 1, isAsked: false })}</div>`;
  } catch (error) {
    if (action.signal.aborted || action.tab.page.isClosed() || error instanceof ToolError) throw error;
    const { owner, threadId } = action.session;
    owner.log.debug('a frame could not be read', { threadId, url: frame.url(), error: plainMessage(error) });
    return link;
  }
}

/** A frame of another site is mostly an advertisement: it is linked, and read only on request. */
function isOfSameSite(url: string, around: string): boolean {
  if (!/^https?:/.test(url)) return true;
  if (!URL.canParse(around)) return false;
  const [inner, outer] = [new URL(url).hostname, new URL(around).hostname];
  return inner === outer || inner.endsWith(`.${outer}`) || outer.endsWith(`.${inner}`);
}

function escapeQuotes(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
