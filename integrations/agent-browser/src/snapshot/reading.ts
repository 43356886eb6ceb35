import type { Session } from '../browser/session.js';
import type { Tab } from '../browser/tab/tab.js';
import { wholePage } from './behind.js';
import { type Budgeted, fitToBudget } from './budget.js';
import type { CaptureOptions, Look } from './capture.js';
import { type Change, compareViews } from './diff.js';
import { NO_OTHER_CHANGE, writeChanges } from './diff-text.js';
import { isFaint, lookChanges } from './faint-changes.js';
import { foldFamiliar } from './familiar.js';
import { pruneToContent, pruneToInteractive } from './prune.js';
import { elementText, renderHeader, renderLines } from './render.js';
import { counted, summaryOf } from './rest.js';
import type { PageSnapshot, SnapshotNode } from './tree.js';
import type { ViewNode } from './view-node.js';

/** A page, and what differs from what the agent last read of its tab. */
export interface Compared {
  page: PageSnapshot;
  /** Undefined for a document that the agent has read nothing of. */
  changes: readonly Change[] | undefined;
}

/** Lines of a page within a budget, and how many there are in all. */
export interface PageView {
  body: Budgeted;
  total: number;
}

/** An agent's view of a page after an action. */
export interface Reading {
  page: PageSnapshot;
  /** Lines for the agent. */
  changes: string;
  changed: boolean;
  counts?: ChangeCounts;
  /** The lines are the page as a whole, not what differs. */
  isWhole: boolean;
  /** Nodes whose lines are told. */
  told: readonly SnapshotNode[];
  /** Whether all that changed is told. */
  complete: boolean;
}

/** How many changes are of which kind. */
interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
}

/** Captures the active page and notes its title. */
export async function capture(tab: Tab, options: CaptureOptions, look?: Look): Promise<PageSnapshot> {
  const page = await tab.capture.take(options, look);
  tab.title = page.title;
  tab.unresponsive = false;
  return page;
}

/** Looks at a page without taking note of it: the agent knows what it knew. */
export async function compare(tab: Tab, options: CaptureOptions): Promise<Compared> {
  const captured = await capture(tab, options);
  const { known } = tab;
  if (known === undefined || known.doc !== captured.doc) return { page: captured, changes: undefined };
  const page = { ...captured, whole: await wholePage(tab.engine, known, captured, options) };
  const changes = compareViews(known.views, pruneToContent(page.whole ?? page.roots), known.memory);
  const isNew = changes.some(({ kind }) => kind === 'added' || kind === 'again');
  const told = new Set(changes.flatMap(change => (change.kind === 'changed' ? [change.item.node.key] : [])));
  const looks = lookChanges(known.page, page).filter(change => {
    // What came into view is told as such where it is new, and a new state says what a look only shows.
    if (change.kind === 'slid') return !isNew;
    return change.kind !== 'restyled' || change.key === undefined || !told.has(change.key);
  });
  return { page, changes: [...changes, ...looks] };
}

export interface TellOptions {
  /** Budget of a difference in estimated tokens; left out, as the options of the toolset say. */
  maxTokens?: number;
  /** Changes that the agent knows already and is not told again. */
  isKnown?: (change: Change) => boolean;
}

/** Tells the agent what differs, or of a document that it has not seen, the beginning. From here on the agent knows it. */
export function tell(session: Session, tab: Tab, { page, changes }: Compared, options: TellOptions = {}): Reading {
  const { snapshot } = session.owner.config;
  const isFull = snapshot.afterAction === 'full' && options.maxTokens === undefined;
  if (changes === undefined) {
    session.refs.replace(page, true);
    const maxTokens = isFull ? snapshot.maxTokens : (options.maxTokens ?? snapshot.afterNavigation);
    const { text, told } = overview(session, page, {
      maxTokens,
      isBrief: isFull,
      familiar: isFull ? [] : tab.known?.told,
    });
    tab.noteRead(page, session.refs.live, told);
    return { page, changes: text, changed: true, isWhole: true, told, complete: false };
  }
  const refOf = (node: SnapshotNode): string => session.refs.refOf(node);
  const { isKnown = () => false } = options;
  const untold = changes.filter(change => !isKnown(change));
  const plain = untold.filter(change => !isFaint(change));
  const news = plain.length > 0 ? plain : untold;
  // A page that puts another view in its place has gone elsewhere for whoever looks at it.
  const isElsewhere = tab.known !== undefined && tab.known.page.url !== page.url;
  const usual = isElsewhere ? Math.max(snapshot.afterNavigation, snapshot.changeTokens) : snapshot.changeTokens;
  const maxTokens = options.maxTokens ?? usual;
  const describe = (key: string): string | undefined => {
    const node = session.refs.live.get(key);
    return node && elementText({ node, role: node.role, name: node.name, children: [] }, refOf);
  };
  // Lines of a difference that have no ref do not say which ref they are about: a list that uses its rows anew would else
  // hand the ref of one row to another without a word.
  session.refs.replace(page, false);
  const { text, told, complete } =
    news.length === 0 && changes.length > 0
      ? { text: NO_OTHER_CHANGE, told: [], complete: true }
      : writeChanges(news, { refOf, maxTokens, describe });
  session.refs.tell(told);
  session.refs.tell(
    changes.flatMap(change => (change.kind === 'changed' && isKnown(change) ? [change.item.node] : [])),
  );
  tab.noteRead(page, session.refs.live, told);
  const changed = changes.length > 0;
  const counts = countsOf(news);
  if (!isFull) return { page, changed, counts, changes: text, isWhole: false, told, complete };
  const whole = overview(session, page, { maxTokens: snapshot.maxTokens, isBrief: true });
  session.refs.tell(whole.told);
  tab.known?.tell(whole.told);
  return { page, changed, counts, changes: whole.text, isWhole: true, told: whole.told, complete };
}

function countsOf(changes: readonly Change[]): ChangeCounts {
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const { kind } of changes) {
    if (kind === 'added' || kind === 'again') counts.added++;
    else if (kind === 'removed') counts.removed++;
    else counts.changed++;
  }
  return counts;
}

interface OverviewOptions {
  maxTokens: number;
  /** What the agent was told of the page before. */
  familiar?: readonly ViewNode[] | undefined;
  /** Only what can be acted on, as a snapshot has it. */
  isBrief: boolean;
}

/** The beginning of a page: with all that it says where that fits, else what can be acted on. */
function overview(
  session: Session,
  page: PageSnapshot,
  { maxTokens, isBrief, familiar = [] }: OverviewOptions,
): { text: string; told: SnapshotNode[] } {
  const refOf = (node: SnapshotNode): string => session.refs.refOf(node);
  const header = renderHeader(page);
  const fold = (views: readonly ViewNode[]): readonly ViewNode[] =>
    familiar.length === 0 ? views : foldFamiliar(views, familiar, refOf);
  const room = { maxTokens, usualTokens: 0, refOf };
  const whole = fitToBudget(renderLines(fold(pruneToContent(page.roots)), { refOf }), room);
  const body =
    whole.rest.length === 0 && !isBrief
      ? whole
      : fitToBudget(renderLines(fold(pruneToInteractive(page.roots)), { refOf }), { ...room, isFilled: !isBrief });
  const { unfolded } = body;
  const left =
    unfolded.length > 0
      ? `… ${counted(unfolded.length, 'more line')}: ${summaryOf(unfolded, refOf)} (browser_snapshot)`
      : '';
  return { text: [header, body.text, left].filter(Boolean).join('\n'), told: body.shown };
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
