import type { Frame } from 'playwright-core';
import type { BoxesAnswer, PlaceAnswer } from '#page-engine/protocol.js';
import { withoutMarks } from '#page-engine/text/text-marks.js';
import type { Session } from '../browser/session.js';
import type { EngineClient } from '../browser/tab/engine.js';
import type { AskOptions } from '../browser/tab/engine-line.js';
import type { Tab } from '../browser/tab/tab.js';
import { type Budgeted, fitToBudget } from '../snapshot/budget.js';
import type { CaptureDetail, CaptureOptions } from '../snapshot/capture.js';
import { pruneToContent, pruneToInteractive, toBeRead } from '../snapshot/prune.js';
import {
  counted,
  elementText,
  GONE_REF,
  renderHeader,
  renderLines,
  summarizeLines,
  withoutGoneRefs,
} from '../snapshot/render.js';
import { everyNode, isInteractive, type PageSnapshot, type SnapshotNode, type ViewNode } from '../snapshot/tree.js';
import { estimateTokens } from '../tokens.js';
import { compareViews, isAlike, type PageChange } from './compare.js';
import { actionOutcome, foldFamiliar, KnownPage, keysIn, withBehind } from './known-page.js';
import { NO_CHANGE, NO_OTHER_CHANGE, writeChanges } from './write.js';

/** Interactive nodes outside of a popup that it may leave exposed, such as the field that it opened from. */
const MOST_LEFT = 2;
/** Parts whose position is queried; if there are more, a sample of them stands for the rest. */
const MOST_ASKED = 200;
/** Parts that are probed for visibility. */
const SAMPLES = 8;

/**
 * The page including the nodes that an open popup hides from the accessibility tree while they are still visible: they
 * are aria-hidden, inert or behind a modal dialog, and come back when the popup closes. Undefined if no popup is open
 * and none was.
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

/** Whether new nodes appeared and almost all interactive nodes disappeared at the same time. */
function opensOverRest(known: KnownPage, present: ReadonlySet<string>): boolean {
  const before = keysIn(known.roots);
  const isNew = [...present].some(key => !before.has(key));
  // While a popup fades out, the nodes that it hid are back already.
  if (!isNew || [...present].some(key => known.isBehind(key))) return false;
  const controls = [...everyNode(known.page.roots)].filter(isInteractive);
  const left = controls.filter(({ key }) => present.has(key)).length;
  return left <= MOST_LEFT && controls.length - left > left;
}

/** Keys of the nodes that are still visible. */
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

/** Whether most of the elements are visible, covered or not. */
async function areShown(
  engine: EngineClient,
  frame: Frame,
  places: readonly PlaceAnswer[],
  options: AskOptions,
): Promise<boolean> {
  if (places.length === 0) return false;
  const ids = places.map(({ id }) => id);
  const { boxes, scroll } = await engine.call(frame, 'boxes', { ids }, options);
  // A box above or left of the document's origin cannot be scrolled into view.
  const isInPage = ([left, top, width, height]: NonNullable<BoxesAnswer['boxes'][number]>): boolean =>
    left + width + scroll[0] > 0 && top + height + scroll[1] > 0;
  const shown = boxes.filter(box => box !== null && isInPage(box));
  return shown.length > places.length / 2;
}

/** An evenly spread sample of at most `most` items. */
function spread<Thing>(things: readonly Thing[], most: number): Thing[] {
  const step = Math.max(1, things.length / most);
  return things.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** The outermost nodes that no longer exist. */
function missingFrom(nodes: readonly SnapshotNode[], present: ReadonlySet<string>): SnapshotNode[] {
  return nodes.flatMap(node => (present.has(node.key) ? missingFrom(node.children, present) : [node]));
}

/** Clock times, and numbers followed by a unit of time. */
const TIMES = /\d{1,2}(?::\d{2})+|\b\d+\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/gi;

/** Kinds of changes that are often unrelated to the action, such as an animation that redraws a canvas. */
const FAINT: ReadonlySet<PageChange['kind']> = new Set(['attribute', 'titled', 'scrolled', 'drawn']);

/**
 * Whether a change is likely unrelated to the action: a running clock, a title, a scroll position, or meaningless
 * styling. It is reported only if there is nothing else to report.
 */
export function isFaint(change: PageChange): boolean {
  if (FAINT.has(change.kind)) return true;
  if (change.kind !== 'changed') return false;
  const { item, was } = change;
  if (item.role === 'timer' || item.role === 'marquee') return true;
  return item.name !== was.name && withoutTimes(item.name) === withoutTimes(was.name);
}

/** A text in which all times are alike: a clock changes nothing else, and a date that was chosen stays. */
function withoutTimes(text: string): string {
  return text.replace(TIMES, time => time.replace(/\d+/g, '0'));
}

/** Changes of the page that its text does not show: title, scroll position, selection and styling. */
function appearanceChanges(before: PageSnapshot, page: PageSnapshot): PageChange[] {
  const { title, selection, styleChanges } = page;
  const changes: PageChange[] = [];
  if (title !== before.title) changes.push({ kind: 'titled', title, parents: [] });
  changes.push(...scrollChanges(before, page));
  const known = before.selection;
  if (selection !== undefined && selection.text !== known?.text)
    changes.push({ kind: 'selected', text: selection.text, parents: [] });
  else if (selection !== undefined && known !== undefined) {
    const gained = selection.style.filter(word => !known.style.includes(word));
    const lost = known.style.filter(word => !selection.style.includes(word));
    if (gained.length + lost.length > 0)
      changes.push({ kind: 'restyled', text: selection.text, gained, lost, parents: [] });
  }
  for (const { doc, turn, slid, drawn } of page.visualEffects) {
    // The effects of an earlier press were reported before.
    if (before.visualEffects.some(known => known.doc === doc && known.turn === turn)) continue;
    if (slid !== undefined) changes.push({ kind: 'slid', ...slid, parents: [] });
    if (drawn !== undefined) changes.push({ kind: 'drawn', names: drawn, parents: [] });
  }
  const restyled = new Set<string>();
  for (const { doc, id, tag, how, turn, gained = [], lost = [] } of styleChanges) {
    // The latest action did not act on an element, so these are the changes of an earlier one, which were reported.
    if (before.styleChanges.some(known => known.doc === doc && known.turn === turn)) continue;
    const key = `${doc}:${id}`;
    // Several of its ancestors may have caused the same change.
    if (restyled.has(key)) continue;
    if (gained.length + lost.length > 0) {
      restyled.add(key);
      changes.push({ kind: 'restyled', text: '', key, tag, gained, lost, parents: [] });
    } else changes.push({ kind: 'attribute', key, tag, how, parents: [] });
  }
  return changes;
}

/** As a part of the viewport: a person does not notice smaller scrolls. */
const SMALLEST_SCROLL = 0.1;

function scrollChanges(before: PageSnapshot, { pressed, scroll, roots }: PageSnapshot): PageChange[] {
  const { top, length, viewport } = scroll;
  // The effects of an earlier press were reported before.
  if (pressed === undefined || before.pressed?.turn === pressed.turn) return [];
  if (Math.abs(top - pressed.top) < viewport * SMALLEST_SCROLL) return [];
  const heading = [...everyNode(roots)].find(({ role, distance }) => role === 'heading' && distance === 0)?.name;
  const percent = Math.round((100 * top) / Math.max(1, length - viewport));
  return [{ kind: 'scrolled', heading, percent, parents: [] }];
}

/** A capture, and how it differs from what the agent last read of the tab. */
export interface Compared {
  page: PageSnapshot;
  /** Undefined for a document that the agent has not read. */
  changes: readonly PageChange[] | undefined;
}

/** Lines of a page within a budget, and the total number of lines. */
export interface PageView {
  body: Budgeted;
  total: number;
}

/** What the agent is given of a page after an action. */
export interface PageReading {
  page: PageSnapshot;
  /** What the call changed. */
  changes: string;
  changed: boolean;
  /** What had changed before the call. */
  earlier?: string | undefined;
  counts?: ChangeCounts | undefined;
  /** `changes` is the page as a whole instead of the differences. */
  isWhole: boolean;
  /** Nodes whose lines are in `changes`. */
  shown: readonly SnapshotNode[];
  /** Whether `changes` contains every change. */
  complete: boolean;
}

interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
}

/** Captures the page of a tab and updates the title of the tab. */
export async function capture(tab: Tab, options: CaptureOptions, detail?: CaptureDetail): Promise<PageSnapshot> {
  const page = await tab.capture.take(options, detail);
  tab.noteAnswer(page.title);
  tab.capturedRoots = page.roots;
  return page;
}

/**
 * Captures a page and compares it with an earlier state, without changing what the agent knows.
 * @param known Default: what the agent last read.
 */
export async function compare(tab: Tab, options: CaptureOptions, known = tab.known): Promise<Compared> {
  return compareCapture(tab, await capture(tab, options), { options, known });
}

async function compareCapture(
  tab: Tab,
  captured: PageSnapshot,
  { options, known }: { options: CaptureOptions; known: KnownPage | undefined },
): Promise<Compared> {
  if (known === undefined || known.doc !== captured.doc) return { page: captured, changes: undefined };
  const page = { ...captured, whole: await wholePage(tab.engine, known, captured, options) };
  const all = appearanceChanges(known.page, page);
  const restyled = new Set(all.flatMap(change => (change.kind === 'restyled' && change.key ? [change.key] : [])));
  const found = compareViews(known.views, pruneToContent(page.whole ?? page.roots), known.memory);
  // What was acted on is reported as struck through, and not as a text with marks.
  const changes = found.filter(change => !(isOnlyMarked(change) && restyled.has(change.item.node.key)));
  const isNew = changes.some(({ kind }) => kind === 'added' || kind === 'again');
  const reported = new Set(changes.flatMap(change => (change.kind === 'changed' ? [change.item.node.key] : [])));
  const appearances = all.filter(change => {
    // Content that slid into view is reported as added where it is new, and a new state matters more than its styling.
    if (change.kind === 'slid') return !isNew;
    return change.kind !== 'restyled' || change.key === undefined || !reported.has(change.key);
  });
  return { page, changes: [...changes, ...appearances] };
}

function isOnlyMarked(change: PageChange): change is Extract<PageChange, { kind: 'changed' }> {
  if (change.kind !== 'changed') return false;
  const { item, was } = change;
  return item.name !== was.name && withoutMarks(item.name) === withoutMarks(was.name) && isAlike(item.node, was.node);
}

/** What had changed before a call began, since the agent last read the page. */
export interface EarlierChanges {
  /** The page when the call began. */
  page: KnownPage;
  changes: readonly PageChange[];
}

/** Begins the changes that an earlier result could not contain yet. */
const EARLIER = 'Since the last result:';
/** Begins the changes of the call itself, where there were earlier ones. */
const OWN = 'From this call:';

/** Controls that came may take so many times the usual budget where they are written whole, with all else. */
const OPENED_FACTOR = 2;

interface ReportOptions {
  /** Budget for the differences in estimated tokens. Default: the options of the toolset. */
  maxTokens?: number;
  /** Whether the agent already knows of a change, so that it is not reported again. */
  isKnown?: (change: PageChange) => boolean;
  /** The call has changed nothing itself. */
  isSinceLast?: boolean;
  /** The call acted on the page, so a new document is what came of it. */
  hasActed?: boolean;
  /** Reported first. The other changes are then those since the call began. */
  earlier?: EarlierChanges | undefined;
}

/** Writes the differences, or the beginning of a new document, and records that the agent has read them. */
export function report(
  session: Session,
  tab: Tab,
  { page, changes }: Compared,
  options: ReportOptions = {},
): PageReading {
  const { snapshot } = session.owner.config;
  const { isKnown = () => false } = options;
  const isFull = snapshot.afterAction === 'full' && options.maxTokens === undefined;
  const { refOf } = session.refs;
  const describe = (key: string): string | undefined => {
    const node = session.refs.live.get(key);
    const name = withoutMarks(node?.name ?? '');
    return node && elementText({ node, role: node.role, name, children: [] }, refOf, node);
  };
  const fresh = plainOf((changes ?? []).filter(change => !isKnown(change)));
  const before = tab.known?.page;
  // For its user, an application that shows another view has navigated, and a modal dialog that opened is the page.
  const isElsewhere = before !== undefined && (before.url !== page.url || (page.modal && !before.modal));
  const usual = isElsewhere ? Math.max(snapshot.afterNavigation, snapshot.changeTokens) : snapshot.changeTokens;
  const maxTokens = options.maxTokens ?? usual;
  // Observed refs keep what the agent last read of them: lines without refs do not show which ref they are about, so a
  // list that reuses its rows would otherwise silently give the ref of one row to another.
  if (changes === undefined) session.refs.give(page);
  else session.refs.observe(page);
  const wasShown = (node: SnapshotNode): boolean => tab.known?.wasShown(node) ?? true;
  // To read on costs a call and the page once more.
  const openedTokens = options.maxTokens === undefined ? OPENED_FACTOR * maxTokens : maxTokens;
  const writing = { refOf, maxTokens, openedTokens, describe, wasShown };
  const earlier = isFull ? undefined : writeEarlier(options.earlier, writing, { isGone: changes === undefined });
  const note = (shown: readonly SnapshotNode[]): void =>
    noteRead({ tab, refs: session.refs }, page, [...(earlier?.shown ?? []), ...shown], options.earlier?.page);
  if (changes === undefined || isFull) {
    const { known } = tab;
    const outcome =
      changes === undefined && options.hasActed && known ? actionOutcome(known.roots, page.roots, known.outcome) : [];
    const { text, shown } = overview(session, page, {
      maxTokens: isFull ? snapshot.maxTokens : (options.maxTokens ?? snapshot.afterNavigation),
      isBrief: isFull,
      familiar: isFull ? [] : known?.shownParts,
      outcome,
    });
    if (changes !== undefined) session.refs.recordShown(shown);
    note(shown);
    for (const { name } of outcome) tab.known?.outcome.add(name);
    const counts = changes && changeCountsOf(fresh);
    const changed = changes === undefined || changes.length > 0;
    return { page, changed, counts, changes: text, earlier: earlier?.text, isWhole: true, shown, complete: false };
  }
  const own =
    fresh.length === 0 && changes.length > 0
      ? { text: NO_OTHER_CHANGE, shown: [], complete: true }
      : writeChanges(fresh, writing);
  const shown = [...(earlier?.shown ?? []), ...own.shown];
  const known = changes.flatMap(change => (change.kind === 'changed' && isKnown(change) ? change.item.node : []));
  session.refs.recordShown([...shown, ...known]);
  note(own.shown);
  return {
    page,
    changed: changes.length > 0,
    counts: changeCountsOf([...plainOf(options.earlier?.changes ?? []), ...fresh]),
    changes: options.isSinceLast && fresh.length > 0 ? `${EARLIER}\n${own.text}` : own.text,
    earlier: earlier?.text,
    isWhole: false,
    shown,
    complete: own.complete && earlier?.complete !== false,
  };
}

/** The changes without those that are likely unrelated to any action, unless there are no others. */
function plainOf(changes: readonly PageChange[]): readonly PageChange[] {
  const plain = changes.filter(change => !isFaint(change));
  return plain.length > 0 ? plain : changes;
}

type Writing = Parameters<typeof writeChanges>[1];

/** @param isGone Whether the call has left the document of these changes. */
function writeEarlier(
  earlier: EarlierChanges | undefined,
  writing: Writing,
  { isGone }: { isGone: boolean },
): ReturnType<typeof writeChanges> | undefined {
  const changes = earlier?.changes.filter(change => !isFaint(change)) ?? [];
  if (changes.length === 0) return undefined;
  if (!isGone) return writeChanges(changes, writing);
  const written = writeChanges(changes, { ...writing, refOf: () => GONE_REF });
  return { ...written, text: withoutGoneRefs(written.text), shown: [] };
}

/** Tokens for the changes before a snapshot, which shows the page itself. */
const BEFORE_SNAPSHOT_TOKENS = 150;

/** What has come of an action after its result, for a snapshot of the page; undefined where nothing has. */
export async function lateEffects(
  session: Session,
  tab: Tab,
  captured: PageSnapshot,
  options: CaptureOptions,
): Promise<string | undefined> {
  const { known, hasActed } = tab;
  tab.hasActed = false;
  if (!hasActed || known?.page.roots === captured.roots) return undefined;
  const { changes = [] } = await compareCapture(tab, captured, { options, known });
  const plain = changes.filter(change => !isFaint(change));
  if (plain.length === 0) return undefined;
  const { text } = writeChanges(plain, { refOf: session.refs.refOf, maxTokens: BEFORE_SNAPSHOT_TOKENS });
  return `${EARLIER}\n${text}`;
}

/** The changes of a reading as one text. `isBeside`: the result itself reports an effect. */
export function changesText(
  reading: Pick<PageReading, 'changes' | 'changed' | 'isWhole' | 'earlier'>,
  { isBeside }: { isBeside: boolean },
): string {
  const { earlier } = reading;
  const own = isBeside && !hasChanged(reading) ? NO_OTHER_CHANGE : reading.changes;
  return earlier === undefined ? own : [EARLIER, earlier, OWN, own].join('\n');
}

/** Whether the call changed the page, or led to another. */
export function hasChanged({ changed, isWhole }: Pick<PageReading, 'changed' | 'isWhole'>): boolean {
  return changed || isWhole;
}

/** What a call did to a page that was not read after it, as it provably changed nothing. */
export const UNCHANGED = { changes: NO_CHANGE, changed: false, isWhole: false } as const;

function changeCountsOf(changes: readonly PageChange[]): ChangeCounts {
  const added = changes.filter(({ kind }) => kind === 'added' || kind === 'again').length;
  const removed = changes.filter(({ kind }) => kind === 'removed').length;
  return { added, changed: changes.length - added - removed, removed };
}

interface OverviewOptions {
  maxTokens: number;
  /** What the agent was given of the previous page. */
  familiar?: readonly ViewNode[] | undefined;
  /** Only interactive content unless the page is small, as in a snapshot. */
  isBrief: boolean;
  /** Texts that come first where the page is not shown with all its text. */
  outcome: readonly SnapshotNode[];
}

/** A page with no more is shown with all its text by default: to read it otherwise would take another call. */
const SMALL_PAGE_TOKENS = 600;
/** More than a token has in any script. */
const CHARACTERS_OF_TOKEN = 8;

/** The beginning of a page: its whole content if that fits, otherwise its interactive content. */
function overview(
  session: Session,
  page: PageSnapshot,
  { maxTokens, isBrief, familiar = [], outcome }: OverviewOptions,
): { text: string; shown: SnapshotNode[] } {
  const { refOf } = session.refs;
  const fold = (views: readonly ViewNode[]): readonly ViewNode[] =>
    familiar.length === 0 ? views : foldFamiliar(views, familiar, refOf);
  const room = { maxTokens, usualTokens: 0, refOf };
  const whole = fitToBudget(renderLines(fold(pruneToContent(page.roots)), { refOf }), {
    ...room,
    maxTokens: isBrief ? Math.min(maxTokens, SMALL_PAGE_TOKENS) : maxTokens,
  });
  const isWhole = whole.rest.length === 0;
  const first = isWhole ? [] : renderLines(pruneToContent(outcome), { refOf }).map(({ text }) => `+ ${text}`);
  const left = { ...room, maxTokens: maxTokens - estimateTokens(first.join('\n')), isFilled: !isBrief };
  const body = isWhole ? whole : fitToBudget(renderLines(fold(pruneToInteractive(page.roots)), { refOf }), left);
  const { unfolded } = body;
  const more =
    unfolded.length > 0
      ? `… ${counted(unfolded.length, 'more line')}: ${summarizeLines(unfolded, refOf)} (browser_snapshot)`
      : '';
  return { text: [renderHeader(page), ...first, body.text, more].filter(Boolean).join('\n'), shown: body.shown };
}

interface ViewOptions {
  maxTokens: number;
  maxDepth?: number;
  /** The views are what a snapshot without options contains of the page, or of a part of it. */
  isUsual: boolean;
}

/** All content of a page, or of a part of it, as lines; undefined where it is not small. */
export function smallPageText(
  session: Session,
  roots: readonly SnapshotNode[],
  maxTokens: number,
): PageView | undefined {
  let characters = 0;
  for (const { role, name } of everyNode(roots)) {
    characters += role.length + name.length;
    if (characters > SMALL_PAGE_TOKENS * CHARACTERS_OF_TOKEN) return undefined;
  }
  const room = { maxTokens: Math.min(maxTokens, SMALL_PAGE_TOKENS), isUsual: false };
  const whole = viewText(session, toBeRead(pruneToContent(roots)), room);
  return whole.body.rest.length === 0 ? whole : undefined;
}

/** Renders views as lines within a budget. */
export function viewText(session: Session, views: readonly ViewNode[], options: ViewOptions): PageView {
  const { refOf } = session.refs;
  const lines = renderLines(views, { refOf, maxDepth: options.maxDepth });
  const usualTokens = options.isUsual ? session.owner.config.snapshot.maxTokens : 0;
  const body = fitToBudget(lines, { maxTokens: options.maxTokens, usualTokens, refOf });
  return { body, total: lines.length };
}

/**
 * Records that the agent has read the page of a tab, and of it the lines of these nodes.
 * @param before What the agent knew until then.
 */
export function noteRead(
  { tab, refs }: { tab: Tab; refs: Session['refs'] },
  page: PageSnapshot,
  shown: readonly SnapshotNode[],
  before = tab.known,
): void {
  tab.known = new KnownPage(page, shown, before, key => refs.live.has(key));
}
