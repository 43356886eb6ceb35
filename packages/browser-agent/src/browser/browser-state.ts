import { readFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { shortened } from '../messages/frame.js';
import type { BrowserTools, Picture } from './browser-tools.js';

const refs = z.record(
  z.string(),
  z.looseObject({ role: z.string(), name: z.string().optional(), row: z.string().optional() }),
);
/** Elements that can be acted on, by ref, in the order of the page. */
export type Refs = z.infer<typeof refs>;

const tabs = z.array(z.object({ tab: z.string(), url: z.string(), title: z.string(), active: z.boolean() }));
type Tab = z.infer<typeof tabs>[number];

/** The state of the browser, as the loop sees it. */
export interface BrowserState {
  url: string;
  title: string;
  tabs: Tab[];
  /** The page as text, with a ref for what can be acted on. */
  elements: string;
  refs: Refs;
  /** Refs that the page did not have at the step before. */
  newRefs: ReadonlySet<string>;
  /** CSS pixels of the page above and below the viewport, where they are known. */
  pixelsAbove?: number;
  pixelsBelow?: number;
  /** The picture of the viewport. */
  screenshot?: Picture & { path: string };
  /** The dialog that is open. */
  dialog?: string;
  /** The actions of a person since the last look. */
  humanActions?: unknown;
  /** Why the page could not be read. */
  problem?: string;
  /** Code of that failure. */
  code?: string;
}

/** The state of the page at the step before. */
interface SeenBefore {
  url: string;
  refs: readonly string[];
}

export interface LookOptions {
  maxTokens?: number;
  /** Whether texts are shown beside controls and headings: of pages that are small whole, of all pages, or of none. */
  fullText?: 'small' | 'always' | 'never';
  takesPicture: boolean;
  /** Draws refs on the picture. */
  labels?: boolean;
  before?: SeenBefore;
  signal?: AbortSignal;
}

const seen = z.looseObject({
  tree: z.string().optional(),
  refs: refs.optional(),
  pixelsAbove: z.number().optional(),
  pixelsBelow: z.number().optional(),
});
const pictured = z.looseObject({ path: z.string(), mimeType: z.string().optional() });

/** Characters of the message of a dialog. */
const MOST_MESSAGE = 1_000;

/** Names the calls of tools that look at the page for the agent itself: they are no actions. */
export const LOOK_CALL_ID = 'look';

/** Looks at the active tab. What fails is told in the state: the model may know a way out. */
export async function lookAt(tools: BrowserTools, options: LookOptions): Promise<BrowserState> {
  const { signal, maxTokens, fullText = 'small' } = options;
  const asked = {
    ...(maxTokens !== undefined && { maxTokens }),
    // Left out, the toolset itself shows a small page whole.
    ...(fullText !== 'small' && { interactiveOnly: fullText === 'never' }),
  };
  const look = await tools.call('browser_snapshot', asked, { callId: LOOK_CALL_ID, signal, isSilent: true });
  if (look.kind !== 'ended') throw new Error('a snapshot waits for nobody');
  const { result } = look;
  const page = seen.safeParse(result).data ?? {};
  const known = page.refs ?? {};
  const state: BrowserState = {
    url: result.url ?? '',
    title: result.title ?? '',
    tabs: await tabsOf(tools, signal),
    elements: page.tree ?? '',
    refs: known,
    newRefs: newOf(known, result.url ?? '', options.before),
    ...(page.pixelsAbove !== undefined && { pixelsAbove: page.pixelsAbove }),
    ...(page.pixelsBelow !== undefined && { pixelsBelow: page.pixelsBelow }),
    ...(result.humanActions !== undefined && { humanActions: result.humanActions }),
  };
  // A page with a dialog cannot be read, and has not to be: it is told what stands in the dialog.
  const dialog = result.success ? result.dialog : result.code === 'dialog_open' ? tools.openDialog : undefined;
  if (dialog !== undefined && !('answered' in dialog && dialog.answered !== undefined))
    state.dialog = `${dialog.type ?? 'dialog'} ${JSON.stringify(shortened(dialog.message ?? '', MOST_MESSAGE))}`;
  if (!result.success) {
    state.code = result.code;
    if (state.dialog !== undefined) return state;
    state.problem = [result.message, result.recoveryHint].filter(Boolean).join(' ');
    return state;
  }
  const screenshot = options.takesPicture ? await pictureOf(tools, options.labels ?? false, signal) : undefined;
  return screenshot === undefined ? state : { ...state, screenshot };
}

async function tabsOf(tools: BrowserTools, signal?: AbortSignal): Promise<Tab[]> {
  const listed = await tools.call('browser_tabs', { action: 'list' }, { callId: LOOK_CALL_ID, signal, isSilent: true });
  return listed.kind === 'ended' ? (tabs.safeParse(listed.result.tabs).data ?? []) : [];
}

/** The page as a picture; undefined where none can be taken. */
async function pictureOf(
  tools: BrowserTools,
  labels: boolean,
  signal?: AbortSignal,
): Promise<BrowserState['screenshot']> {
  if (!tools.has('browser_screenshot')) return undefined;
  const taken = await tools.call('browser_screenshot', { labels }, { callId: LOOK_CALL_ID, signal });
  if (taken.kind !== 'ended' || !taken.result.success) return undefined;
  const { path, mimeType = 'image/jpeg' } = pictured.parse(taken.result);
  const [picture] = taken.images;
  return { path, ...(picture ?? { data: (await readFile(path)).toString('base64'), mediaType: mimeType }) };
}

/** All of another page is new, also of one that was loaded again: nothing of it is marked. */
function newOf(known: Refs, url: string, before: SeenBefore | undefined): ReadonlySet<string> {
  if (before === undefined || withoutFragment(before.url) !== withoutFragment(url)) return new Set();
  const old = new Set(before.refs);
  const refs = Object.keys(known);
  const fresh = refs.filter(ref => !old.has(ref));
  return new Set(old.size > 0 && fresh.length === refs.length ? [] : fresh);
}

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? url;
}
