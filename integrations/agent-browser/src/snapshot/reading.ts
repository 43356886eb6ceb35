import type { Session } from '../browser/session.js';
import type { Tab } from '../browser/tab/tab.js';
import { fitToBudget } from './budget.js';
import type { CaptureOptions, Look } from './capture.js';
import { diffViews } from './diff.js';
import type { PageView } from './latest-views.js';
import { pruneToContent, pruneToInteractive, type ViewNode } from './prune.js';
import { renderHeader, renderLines } from './render.js';
import type { PageSnapshot, SnapshotNode } from './tree.js';

/** What an agent reads of a page after an action. */
export interface Reading {
  page: PageSnapshot;
  /** Lines for the agent; undefined when nothing is to be told. */
  changes?: string;
  changed: boolean;
  /** Nodes whose lines are told. */
  told: readonly SnapshotNode[];
  /** Whether all that changed is told. */
  complete: boolean;
}

/** Captures the active page and notes its title. */
export async function capture(tab: Tab, options: CaptureOptions, look?: Look): Promise<PageSnapshot> {
  const page = await tab.capture.take(options, look);
  tab.title = page.title;
  tab.unresponsive = false;
  return page;
}

export interface ReadOptions extends CaptureOptions {
  /** Somebody asks for the difference itself, within this budget in tokens. */
  difference?: { maxTokens: number };
  /** Waits for what came up while the page was read. Resolves to whether anything did: the page is read again then. */
  settled?: () => Promise<boolean>;
}

/** Reads what changed since the agent last read this tab; of a document it has not seen, the beginning. */
export async function readChanges(session: Session, tab: Tab, options: ReadOptions): Promise<Reading> {
  const { config } = session.owner;
  const isFull = config.snapshot.afterAction === 'full' && options.difference === undefined;
  const changeTokens = options.difference?.maxTokens ?? config.snapshot.changeTokens;
  const overviewTokens = isFull ? config.snapshot.maxTokens : changeTokens;
  let page = await capture(tab, options);
  const isKept = page.blocked !== undefined || page.missed !== undefined;
  if (!isKept && (await options.settled?.())) page = await capture(tab, options);
  const { known } = tab;
  if (known === undefined || known.doc !== page.doc) {
    session.refs.replace(page, true);
    tab.hasRead(page);
    const { text, told } = overview(session, page, overviewTokens);
    return { page, changes: text, changed: true, told, complete: false };
  }
  const views = pruneToContent(page.roots);
  const refOf = (node: SnapshotNode): string => session.refs.refOf(node);
  const difference = diffViews(known.view, views, { refOf, maxTokens: changeTokens });
  // Lines of a difference that have no ref do not say which ref they are about: a list that uses its rows anew would else
  // hand the ref of one row to another without a word.
  session.refs.replace(page, false);
  session.refs.tell(difference.told);
  tab.hasRead(page);
  const { complete } = difference;
  const changed = difference.text !== '(no change)';
  if (!isFull) return { page, changed, changes: difference.text, told: difference.told, complete };
  const { text, told } = overview(session, page, overviewTokens);
  session.refs.tell(told);
  return { page, changed, changes: text, told, complete };
}

function overview(session: Session, page: PageSnapshot, maxTokens: number): { text: string; told: SnapshotNode[] } {
  const { body } = viewText(session, pruneToInteractive(page.roots), { maxTokens, isUsual: true });
  const left = body.rest.length;
  const lines = [renderHeader(page), body.text, left > 0 ? `… ${left} more lines: browser_snapshot` : ''];
  return { text: lines.filter(Boolean).join('\n'), told: body.shown };
}

export interface ViewOptions {
  maxTokens: number;
  maxDepth?: number;
  /** It is what a snapshot that is asked for without options has of the page, or of a part of it. */
  isUsual: boolean;
}

/** A view of a page as lines within a budget. */
export function viewText(session: Session, views: readonly ViewNode[], options: ViewOptions): PageView {
  const refOf = (node: SnapshotNode): string => session.refs.refOf(node);
  const lines = renderLines(views, { refOf, maxDepth: options.maxDepth });
  const usualTokens = options.isUsual ? session.owner.config.snapshot.maxTokens : 0;
  const body = fitToBudget(lines, { maxTokens: options.maxTokens, usualTokens, refOf });
  return { body, total: lines.length };
}
