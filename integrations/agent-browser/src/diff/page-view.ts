import type { Frame } from 'playwright-core';
import type { Session } from '../browser/session.js';
import type { EngineClient } from '../browser/tab/engine.js';
import type { AskOptions } from '../browser/tab/engine-line.js';
import type { Tab } from '../browser/tab/tab.js';
import type { BoxesAnswer, PlaceAnswer } from '../page/protocol.js';
import { type Budgeted, fitToBudget } from '../snapshot/budget.js';
import type { CaptureDetail, CaptureOptions } from '../snapshot/capture.js';
import { pruneToContent, pruneToInteractive } from '../snapshot/prune.js';
import { counted, elementText, renderHeader, renderLines, summarizeLines } from '../snapshot/render.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import { compareViews, type PageChange } from './compare.js';
import { foldFamiliar, type KnownPage, keysIn, withBehind } from './known-page.js';
import { NO_OTHER_CHANGE, writeChanges } from './write.js';

/** Controls that a popup leaves alive beside itself, such as the field that it opened from. */
const MOST_LEFT = 2;
/** Parts that the page is asked for; of more than that the rest is taken to be as these are. */
const MOST_ASKED = 200;
/** Parts that are looked at closely. */
const SAMPLES = 8;

/**
 * The page with what an open popup keeps from being read: what is gone from the capture, and is still shown. It is aria-hidden,
 * inert or behind a modal dialog, and comes back with the end of the popup.
 * Resolves to nothing where there is no such popup, and was none.
 */
async function wholePage(
  engine: EngineClient,
  known: KnownPage,
  page: PageSnapshot,
  options: AskOptions,
): Promise<SnapshotNode[] | undefined> {
  const present = keysIn(page.roots);
  const missing = missingFrom(known.roots, present);
  const wanted = opensOverRest(known, present) ? missing : missing.filter(({ key }) => known.isBehind(key));
  if (wanted.length === 0) return known.hasBehind ? page.roots : undefined;
  const shown = await shownOf(engine, wanted, page, options);
  return shown.size > 0 ? withBehind(known.roots, page.roots, shown) : known.hasBehind ? page.roots : undefined;
}

/** Something new has come, and with it nearly all went that could be acted on. */
function opensOverRest(known: KnownPage, present: ReadonlySet<string>): boolean {
  const before = keysIn(known.roots);
  const isNew = [...present].some(key => !before.has(key));
  // A popup that closes fades away while what was behind is there again.
  if (!isNew || [...present].some(key => known.isBehind(key))) return false;
  let left = 0;
  let lost = 0;
  for (const node of everyNode(known.page.roots)) {
    if (!isInteractive(node)) continue;
    if (present.has(node.key)) left++;
    else lost++;
  }
  return left <= MOST_LEFT && lost > left;
}

/** Keys of those that a person still sees. */
async function shownOf(
  engine: EngineClient,
  wanted: readonly SnapshotNode[],
  page: PageSnapshot,
  options: AskOptions,
): Promise<ReadonlySet<string>> {
  const documents = new Map<string, Frame>();
  for (const { document } of everyNode(page.roots)) documents.set(document.doc, document.frame);
  const shown = new Set<string>();
  for (const [doc, frame] of documents) {
    const nodes = wanted.filter(({ document }) => document.doc === doc);
    if (nodes.length === 0) continue;
    const asked = spread(nodes, MOST_ASKED);
    const ids = asked.map(({ id }) => id);
    const places = await engine.call(frame, 'places', { ids }, options);
    const found = places.filter(place => place !== null);
    if (!(await areShown(engine, frame, spread(found, SAMPLES), options))) continue;
    const gone = new Set(asked.filter((_, index) => places[index] == null));
    for (const node of nodes) if (!gone.has(node)) shown.add(node.key);
  }
  return shown;
}

/** Whether most of some elements can be seen, be they covered. */
async function areShown(
  engine: EngineClient,
  frame: Frame,
  places: readonly PlaceAnswer[],
  options: AskOptions,
): Promise<boolean> {
  if (places.length === 0) return false;
  const ids = places.map(({ id }) => id);
  const [{ boxes, scroll }, ...probes] = await Promise.all([
    engine.call(frame, 'boxes', { ids }, options),
    ...ids.map(id => engine.call(frame, 'probe', { id }, options)),
  ]);
  // Nobody scrolls to what a page has put before its beginning.
  const isInPage = ([left, top, width, height]: NonNullable<BoxesAnswer['boxes'][number]>): boolean =>
    left + width + scroll[0] > 0 && top + height + scroll[1] > 0;
  const shown = probes.filter(({ visible }, index) => {
    const box = boxes[index];
    return visible && box != null && isInPage(box);
  });
  return shown.length > places.length / 2;
}

/** So many of some things at most, from all over them. */
function spread<Thing>(things: readonly Thing[], most: number): Thing[] {
  const step = Math.max(1, things.length / most);
  return things.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** The outermost nodes that are not there any more. */
function missingFrom(nodes: readonly SnapshotNode[], present: ReadonlySet<string>): SnapshotNode[] {
  return nodes.flatMap(node => (present.has(node.key) ? missingFrom(node.children, present) : [node]));
}

/** Clock times, and numbers with a unit of time behind them. */
const TIME_TEXT = /\d{1,2}:\d{2}|\b\d+\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/i;

/** A canvas is drawn anew by whatever goes on in it. */
const FAINT: ReadonlySet<PageChange['kind']> = new Set(['looks', 'titled', 'scrolled', 'drawn']);

/**
 * Whether a change may well have nothing to do with what the agent did: a clock that goes on, a title, a place in the page, or a
 * look that says nothing.
 * It is told only where there is nothing else to tell.
 */
export function isFaint(change: PageChange): boolean {
  if (FAINT.has(change.kind)) return true;
  if (change.kind !== 'changed') return false;
  const { item, was } = change;
  if (item.role === 'timer' || item.role === 'marquee') return true;
  return item.name !== was.name && TIME_TEXT.test(was.name) && blank(item.name) === blank(was.name);
}

function blank(text: string): string {
  return text.replace(/\d+/g, '0');
}

/** How the page looks other than before, as far as its text does not say it. */
function lookChanges(before: PageSnapshot, page: PageSnapshot): PageChange[] {
  const { title, selection, looks } = page;
  const changes: PageChange[] = [];
  if (title !== before.title) changes.push({ kind: 'titled', title, parents: [] });
  changes.push(...scrollChanges(before, page));
  const known = before.selection;
  if (selection !== undefined && selection.text !== known?.text)
    changes.push({ kind: 'selected', text: selection.text, parents: [] });
  else if (selection !== undefined && known !== undefined) {
    const gained = selection.look.filter(word => !known.look.includes(word));
    const lost = known.look.filter(word => !selection.look.includes(word));
    if (gained.length + lost.length > 0)
      changes.push({ kind: 'restyled', text: selection.text, gained, lost, parents: [] });
  }
  for (const { doc, turn, slid, drawn } of page.sights) {
    // Whoever was told of that press knows what came of it.
    if (before.sights.some(told => told.doc === doc && told.turn === turn)) continue;
    if (slid !== undefined) changes.push({ kind: 'slid', ...slid, parents: [] });
    if (drawn !== undefined) changes.push({ kind: 'drawn', names: drawn, parents: [] });
  }
  const restyled = new Set<string>();
  for (const { doc, id, tag, how, turn, gained = [], lost = [] } of looks) {
    // The action before was the last to act on an element: its looks are told.
    if (before.looks.some(told => told.doc === doc && told.turn === turn)) continue;
    const key = `${doc}:${id}`;
    // Each of several elements around it may have made it look so.
    if (restyled.has(key)) continue;
    if (gained.length + lost.length > 0) {
      restyled.add(key);
      changes.push({ kind: 'restyled', text: '', key, tag, gained, lost, parents: [] });
    } else changes.push({ kind: 'looks', key, tag, how, parents: [] });
  }
  return changes;
}

/** A person overlooks a smaller part of the viewport. */
const SMALLEST_SCROLL = 0.1;

function scrollChanges(before: PageSnapshot, { pressed, scroll, roots }: PageSnapshot): PageChange[] {
  const { top, length, viewport } = scroll;
  // Whoever was told of that press knows what came of it.
  if (pressed === undefined || before.pressed?.turn === pressed.turn) return [];
  if (Math.abs(top - pressed.top) < viewport * SMALLEST_SCROLL) return [];
  let heading: string | undefined;
  for (const { role, name, distance } of everyNode(roots)) if (role === 'heading' && distance === 0) heading ??= name;
  const percent = Math.round((100 * top) / Math.max(1, length - viewport));
  return [{ kind: 'scrolled', heading, percent, parents: [] }];
}

/** A page, and what differs from what the agent last read of its tab. */
export interface Compared {
  page: PageSnapshot;
  /** Undefined for a document that the agent has read nothing of. */
  changes: readonly PageChange[] | undefined;
}

/** Lines of a page within a budget, and how many there are in all. */
export interface PageView {
  body: Budgeted;
  total: number;
}

/** An agent's view of a page after an action. */
export interface PageReading {
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
export async function capture(tab: Tab, options: CaptureOptions, look?: CaptureDetail): Promise<PageSnapshot> {
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

interface TellOptions {
  /** Budget of a difference in estimated tokens; left out, as the options of the toolset say. */
  maxTokens?: number;
  /** Changes that the agent knows already and is not told again. */
  isKnown?: (change: PageChange) => boolean;
}

/** Tells the agent what differs, or of a document that it has not seen, the beginning. From here on the agent knows it. */
export function report(
  session: Session,
  tab: Tab,
  { page, changes }: Compared,
  options: TellOptions = {},
): PageReading {
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
  const counts = changeCountsOf(news);
  if (!isFull) return { page, changed, counts, changes: text, isWhole: false, told, complete };
  const whole = overview(session, page, { maxTokens: snapshot.maxTokens, isBrief: true });
  session.refs.tell(whole.told);
  tab.known?.tell(whole.told);
  return { page, changed, counts, changes: whole.text, isWhole: true, told: whole.told, complete };
}

function changeCountsOf(changes: readonly PageChange[]): ChangeCounts {
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
      ? `… ${counted(unfolded.length, 'more line')}: ${summarizeLines(unfolded, refOf)} (browser_snapshot)`
      : '';
  return { text: [header, body.text, left].filter(Boolean).join('\n'), told: body.shown };
}

interface ViewOptions {
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
