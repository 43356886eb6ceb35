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
}

/** Captures the active page and notes its title. */
export async function capture(tab: Tab, options: CaptureOptions, look?: Look): Promise<PageSnapshot> {
  const page = await tab.capture.take(options, look);
  tab.title = page.title;
  tab.unresponsive = false;
  tab.hasPrinted ||= page.printed;
  return page;
}

export interface ReadOptions extends CaptureOptions {
  /** Waits for what came up while the page was read. Resolves to whether anything did: the page is read again then. */
  settled?: () => Promise<boolean>;
}

/** Reads what changed since the agent last read this tab; of a document it has not seen, the beginning. */
export async function readChanges(session: Session, tab: Tab, options: ReadOptions): Promise<Reading> {
  const { afterAction, changeTokens, maxTokens } = session.owner.config.snapshot;
  let page = await capture(tab, options);
  const isKept = page.blocked !== undefined || page.missed !== undefined;
  if (!isKept && (await options.settled?.())) page = await capture(tab, options);
  const { known } = tab;
  if (known === undefined || known.doc !== page.doc) {
    session.refs.replace(page, true);
    tab.hasRead(page);
    const changes = overview(session, page, afterAction === 'full' ? maxTokens : changeTokens);
    return { page, changes, changed: true };
  }
  const views = pruneToContent(page.roots);
  const refOf = (node: SnapshotNode): string => session.refs.refOf(node);
  const difference = diffViews(known.view, views, { refOf, maxTokens: changeTokens });
  session.refs.replace(page, difference.complete || afterAction === 'full');
  session.refs.tell(difference.told);
  tab.hasRead(page);
  const changed = difference.text !== '(no change)';
  return { page, changed, changes: afterAction === 'full' ? overview(session, page, maxTokens) : difference.text };
}

function overview(session: Session, page: PageSnapshot, maxTokens: number): string {
  const { body } = viewText(session, pruneToInteractive(page.roots), { maxTokens });
  const left = body.rest.length;
  return [renderHeader(page), body.text, left > 0 ? `… ${left} more lines: browser_snapshot` : '']
    .filter(Boolean)
    .join('\n');
}

export interface ViewOptions {
  maxTokens: number;
  maxDepth?: number;
}

/** A view of a page as lines within a budget. */
export function viewText(session: Session, views: readonly ViewNode[], options: ViewOptions): PageView {
  const refOf = (node: SnapshotNode): string => session.refs.refOf(node);
  const lines = renderLines(views, { refOf, maxDepth: options.maxDepth });
  const body = fitToBudget(lines, { maxTokens: options.maxTokens, refOf });
  return { body, total: lines.length };
}
