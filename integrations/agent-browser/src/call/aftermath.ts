import { within } from '@browser-toolset/core/waiting';
import type { Frame } from 'playwright-core';
import type { Stirring } from '#page-engine/capture/changes.js';
import { Flag, type GuardReport } from '#page-engine/protocol.js';
import { savePdf } from '../browser/files/pdf-files.js';
import type { Session } from '../browser/session.js';
import { isRestless, noteOutputs, settle, until } from '../browser/tab/settle.js';
import type { Tab } from '../browser/tab/tab.js';
import { isAlike, type PageChange, spokenFlags } from '../diff/compare.js';
import type { KnownPage } from '../diff/known-page.js';
import { type Compared, compare, type EarlierChanges, isFaint, type PageReading, report } from '../diff/page-view.js';
import type { Stopwatch } from '../observe/observation.js';
import { isTimeout, logged, plainMessage, ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import type { CaptureOptions } from '../snapshot/capture.js';
import { everyNode, type ViewNode } from '../snapshot/tree.js';
import { type Action, readGuardReport, untilPainted } from './action.js';
import { judgePress } from './approvals.js';
import type { Aftermath, ToolDefinition, ToolInput } from './define.js';
import { ageOfChanges, framesWatched } from './earlier.js';
import { endedBy } from './failure.js';
import { changed, movedAway } from './refusals.js';
import { elementOf } from './risk.js';

/** Time for a hanging page to answer, beyond the time that it is asked to wait. */
const LATE_ANSWER_MS = 500;

interface Polling {
  action: Action;
  tool: ToolDefinition;
  /** Reads the page once more; undefined when it cannot be read. */
  poll(): Promise<Compared | undefined>;
}

/**
 * Reads the page again while there is evidence that an effect may still come: handlers debounce input, animate or await
 * a response. Reporting an action wrongly as without effect costs the agent a call, or makes it undo its work. What
 * comes later is reported first by the next call.
 */
async function untilFirstChange(first: Compared, hadRequests: boolean, polling: Polling): Promise<Compared> {
  const { action, tool, poll } = polling;
  const { lateness } = action.tab;
  const keys = controlKeys(tool, action, first);
  const known = lateness.of(keys);
  const began = performance.now();
  const evidence = evidenceOf(first, polling);
  const isExpected =
    evidence === 'missing' || evidence === 'announced' || (evidence === 'heard' && known === undefined);
  const { firstChange, response } = action.timings;
  const time = Math.max(known ?? 0, isExpected ? firstChange : 0, hadRequests ? response : 0);
  let latest = first;
  for (;;) {
    const left = began + time - performance.now();
    if (left <= 0 || isOver(latest, action) || !isWaitable(action)) break;
    const how = await stirred(action, left);
    if (how === 'inert' || !isWaitable(action)) break;
    const next = await poll();
    if (next === undefined) break;
    latest = withKept(next, first);
    if (how === 'quiet') break;
  }
  if (isOver(latest, action)) return latest;
  if (evidence === 'heard' || known) lateness.wasInVain(keys);
  lateness.ended(keys, began);
  return latest;
}

/** Names an action for {@link Tab.lateness}: on this control, and on any control of its kind in the document. */
function controlKeys({ id }: ToolDefinition, { acted }: Action, { page }: Compared): string[] {
  if (acted === undefined) return [`${id} ${page.doc}`];
  const { key, document } = acted.entry.node;
  return [`${id} ${key}`, `${id} ${document.doc} ${acted.was.role}`];
}

/**
 * Why an effect may still come: a person would expect one and there is nothing at all (`missing`), the control announces
 * one, or it has a listener of its own that heard the action. Text in a field or a ticked box is an effect by itself.
 */
function evidenceOf(
  { page, changes = [] }: Compared,
  { action, tool }: Polling,
): 'missing' | 'announced' | 'heard' | 'none' {
  const { acted, mayHaveSent, waitsFor } = action;
  if (waitsFor !== 'effect') return 'none';
  const facts = acted && page.acted.get(acted.entry.node.document.frame);
  if (facts?.announces || facts?.closes) return 'announced';
  const isInField = tool.policy.fills === true || acted?.was.role === 'textbox';
  const hasOwn = isInField || changes.some(change => isOwnValue(action, change));
  if (mayHaveSent || !hasOwn) return 'missing';
  return facts?.heedsInput === 'itself' ? 'heard' : 'none';
}

/** Reads the page again until what the action has begun to load is there, for a limited time. */
async function untilLoaded(first: Compared, marks: number, { action, poll }: Omit<Polling, 'tool'>): Promise<Compared> {
  const { lateness } = action.tab;
  const { doc } = first.page;
  const deadline = performance.now() + action.timings.content;
  let latest = first;
  while (latest.page.loading > marks && isWaitable(action) && lateness.trustsMarks(doc)) {
    const left = deadline - performance.now();
    if (left <= 0) lateness.distrustMarks(doc);
    const how = left <= 0 ? 'quiet' : await stirred(action, left);
    const next = how === 'stirred' ? await poll() : undefined;
    if (next !== undefined) latest = withKept(next, first);
    else if (how !== 'quiet') break;
  }
  return latest;
}

/**
 * Reads the page again after fades: a dialog fading in cannot be used yet, one fading out is still there. An animation
 * ends with a frame, which a busy page draws later than its time is over.
 */
async function captureOnceFaded(first: Compared, { action, poll }: Omit<Polling, 'tool'>): Promise<Compared> {
  const { tab, signal } = action;
  const deadline = performance.now() + action.timings.fading;
  let latest = first;
  for (;;) {
    const { fading = 0 } = latest.page;
    const left = fading > 0 ? Math.min(fading + LATE_ANSWER_MS, deadline - performance.now()) : 0;
    if (left <= 0 || signal.aborted || action.session.activeTab !== tab || !tab.isReachable) return latest;
    try {
      const limits = { timeout: left + LATE_ANSWER_MS, signal };
      await tab.engine.wait(tab.page.mainFrame(), { for: 'fades', milliseconds: left }, limits);
    } catch (error) {
      if (signal.aborted) throw error;
      // The page hangs or is gone: the last reading is reported.
      return latest;
    }
    const next = await poll();
    if (next === undefined) return latest;
    latest = withKept(next, first);
  }
}

/** A kept event is reported once, to the first reading. */
function withKept(next: Compared, { page: { blocked, missed } }: Compared): Compared {
  return { ...next, page: { ...next.page, blocked, missed } };
}

/** Whether nothing more is expected: a dialog whose way out was pressed goes, whatever changes first. */
function isOver(compared: Compared, action: Action): boolean {
  const { acted } = action;
  const isStillOpen = acted && compared.page.acted.get(acted.entry.node.document.frame)?.closes === true;
  return !isStillOpen && isSettled(compared, action);
}

/** Whether the action had an effect worth reporting, on the page or beside it. */
function isSettled({ changes, page }: Compared, action: Action): boolean {
  if (changes === undefined || page.blocked !== undefined || page.missed !== undefined) return true;
  const { newTab, dialog, download, fileChooser, pdf, closedTabs } = action.session.effects.current;
  if ([newTab, dialog, download, fileChooser, pdf, closedTabs].some(effect => effect !== undefined)) return true;
  return changes.some(change => !isFaint(change) && !isOwnValue(action, change) && !isUnderWay(action, change));
}

function isWaitable({ session, tab, waitsFor, signal }: Action): boolean {
  const isAwaited = waitsFor === 'effect' || waitsFor === 'evidence';
  return isAwaited && !signal.aborted && session.activeTab === tab && tab.isReachable;
}

/** Flags by which a field holds a value. */
const HOLDING = Flag.Checked | Flag.Mixed | Flag.Selected;

/** Whether a change only shows that a field holds what the action put into it. */
function isOwnValue({ reached }: Action, change: PageChange): boolean {
  if (isTextChange(change) && change.parents.some(({ node }) => node.editable && reached.has(node.key))) return true;
  if (change.kind !== 'changed') return false;
  if (!reached.has(change.item.node.key)) return isCalledByValue(change, reached);
  const { item, was } = change;
  const { value, flags } = item.node;
  const isHeld = ((spokenFlags(item.node) ^ spokenFlags(was.node)) & ~HOLDING) === 0;
  return isHeld && item.name === was.name && isAlike({ ...was.node, value, flags }, item.node);
}

/** Whether a change is only the name of what holds a field, such as a column header, which its new value has made. */
function isCalledByValue(
  { item, was }: Extract<PageChange, { kind: 'changed' }>,
  reached: ReadonlySet<string>,
): boolean {
  if (item.role !== was.role || !isAlike(was.node, item.node)) return false;
  const valueIn = ({ node }: ViewNode): string =>
    [...everyNode(node.children)].find(({ key }) => reached.has(key))?.value ?? '';
  const without = (text: string, value: string): string => (value === '' ? text : text.replace(value, '')).trim();
  return valueIn(item) !== '' && without(item.name, valueIn(item)) === without(was.name, valueIn(was));
}

/** Whether a change is that the pressed element is disabled until the page has a response. */
function isUnderWay({ acted }: Action, change: PageChange): boolean {
  if (change.kind !== 'changed' || change.item.node.key !== acted?.entry.node.key) return false;
  return (change.item.node.flags & ~change.was.node.flags & Flag.Disabled) !== 0;
}

function isTextChange(change: PageChange): boolean {
  if (change.kind === 'removed') return change.was.role === 'text';
  return (change.kind === 'added' || change.kind === 'changed') && change.item.role === 'text';
}

async function stirred(action: Action, milliseconds: number): Promise<Stirring> {
  const { tab, signal } = action;
  const over = new AbortController();
  const { fading } = action.timings;
  const timeout = milliseconds + fading + LATE_ANSWER_MS;
  const what = { for: 'activity', milliseconds, fading } as const;
  const ask = (frame: Frame): Promise<Stirring> =>
    tab.engine.wait(frame, what, { timeout, signal }).catch((): Stirring => 'quiet');
  const own = action.acted === undefined ? [] : [action.acted.entry.node.document.frame];
  const waits = framesWatched(tab, ...own).map(ask);
  const { promise: first, resolve } = Promise.withResolvers<Stirring>();
  for (const wait of waits) void wait.then(how => how === 'stirred' && resolve(how));
  const isLeaving = until(tab, () => tab.navigation !== undefined || !tab.isReachable, {
    timeout,
    signal: AbortSignal.any([signal, over.signal]),
  });
  void isLeaving.then(() => resolve('stirred'));
  void Promise.all(waits).then(hows => resolve(hows.every(how => how === 'inert') ? 'inert' : 'quiet'));
  const how = await first;
  over.abort();
  return how;
}

/** Milliseconds that a page may take to be read after an action. */
const READ_TIMEOUT_MS = 8_000;

/** Milliseconds that unread documents may take to report their output. */
const UNREAD_MS = 500;

interface After extends Pick<Aftermath, 'acted' | 'validation'> {
  reading?: PageReading;
}

export interface Following {
  input: ToolInput;
  /** When the action began (`performance.now()`). */
  since: number;
  watch: Stopwatch;
}

/** Waits for the effects of an action, then reads what changed. */
export async function follow(tool: ToolDefinition, action: Action, { input, since, watch }: Following): Promise<After> {
  const { session, signal } = action;
  const { navigationTimeout, snapshot } = session.owner.config;
  const { changesPage = false } = tool.policy;
  if (!(typeof changesPage === 'function' ? changesPage(input) : changesPage)) return {};
  if (action.isKnownUnchanged) return {};
  let tab = session.activeTab;
  if (tab === undefined || !tab.isReachable) return {};
  if (tool.policy.sendsInput) await session.popups?.arrived(action.limits);
  let settledAt = since;
  let hadRequests = false;
  const settled = async (): Promise<boolean> => {
    if (session.activeTab !== action.tab || action.waitsFor === 'nothing' || !isRestless(action.tab, settledAt))
      return false;
    const limits = { timeout: action.timeout, signal, navigationTimeout, contentTime: action.timings.content };
    session.effects.note(await watch.time('settling', () => settle(action.tab, settledAt, limits)));
    settledAt = performance.now();
    hadRequests = true;
    return true;
  };
  await settled();
  tab = session.activeTab;
  if (tab === undefined || !tab.isReachable) return {};
  const { earlier } = action;
  const how = { signal, settled, ...(action.mayHaveSent && { refusedSince: since }) };
  let at = tab;
  const poll = (): Promise<Compared | undefined> =>
    captureAfterAction(session, at, { ...how, before: at === action.tab ? earlier?.page : undefined });
  const loadingBefore = (earlier?.page ?? tab.known)?.page.loading ?? 0;
  const rest = framesAfter(action, at);
  const { watches = false } = tool.policy;
  const asked = performance.now();
  const age = watches ? await ageOfChanges(action) : undefined;
  let seen = snapshot.afterAction === 'none' ? undefined : await poll();
  // What came while the page was only watched is the late effect of an action before.
  if (age !== undefined && seen?.changes?.some(change => !isFaint(change))) tab.lateness.came(asked - age);
  if (seen !== undefined && at === action.tab) {
    if (rest !== undefined && !isSettled(seen, action) && (await isStillThere(rest, action)))
      seen = (await poll()) ?? seen;
    const first = seen;
    seen = await watch.time('settling', async () => {
      const changed = await untilFirstChange(first, hadRequests, { action, tool, poll });
      return captureOnceFaded(await untilLoaded(changed, loadingBefore, { action, poll }), { action, poll });
    });
  }
  const { activeTab } = session;
  if (seen !== undefined && activeTab !== undefined && activeTab !== at && activeTab.isReachable) {
    at = activeTab;
    seen = (await poll()) ?? seen;
  }
  if (seen === undefined || at !== action.tab) {
    const { page, engine } = action.tab;
    // A new engine would know nothing of earlier events.
    const frames = page.frames().filter(frame => engine.lines.has(frame));
    await noteOutputs(action.tab, { frames, wait: UNREAD_MS, signal });
  }
  const filesArrived = () => action.tab.files.arrived({ ...action.limits, since });
  const hadFiles = action.waitsFor !== 'nothing' && (await watch.time('settling', filesArrived));
  if (hadFiles && seen !== undefined && (await isElsewhere(action, seen)) && (await settled()))
    seen = (await poll()) ?? seen;
  action.tab.hasActed ||= tool.policy.sendsInput === true;
  const isKnown = (change: PageChange): boolean => tool.policy.fills === true && isOwnValue(action, change);
  const reading =
    seen &&
    report(session, at, seen, {
      isKnown,
      isSinceLast: watches,
      hasActed: tool.policy.sendsInput === true && at === action.tab,
      earlier: at === action.tab ? earlier : undefined,
    });
  action.reading = reading;
  const { blocked, missed, acted } = reading === undefined ? await readGuardReport(action) : actedIn(reading, action);
  if (missed?.does !== undefined) {
    const pressed = action.pointGoal?.pressed ?? (action.acted && elementOf(action.acted.entry));
    await judgePress({ action, pressed }, missed);
  }
  if (missed !== undefined && action.pointGoal !== undefined) throw action.pointGoal.refusal({ missed });
  if (blocked !== undefined && action.acted !== undefined)
    throw changed(session, action.acted.entry, { now: blocked, was: action.acted.was });
  if (missed && action.acted !== undefined) throw movedAway(session, action.acted.entry, missed);
  if (reading !== undefined && action.acted !== undefined)
    session.refs.acknowledgeActionResult(action.acted.entry, action.before, reading.complete);
  return { reading, acted, validation: reading && refusedIn(reading, action) };
}

/** Whether another document replaced the one that was read, as a document for download may. */
async function isElsewhere({ tab, limits }: Action, { page }: Compared): Promise<boolean> {
  if (!tab.isReachable) return false;
  const asked = tab.engine.call(tab.page.mainFrame(), 'ping', {}, limits);
  return asked.then(
    ({ doc }) => doc !== page.doc,
    // It is navigating.
    () => true,
  );
}

/** The two frames after an action, in which the page shows most effects; undefined where they are over, or not awaited. */
function framesAfter(action: Action, at: Tab): Promise<void> | undefined {
  const { rest = isWaitable(action) && at === action.tab ? untilPainted(action) : undefined } = action;
  if (rest === undefined || rest === 'over') return undefined;
  // The error goes to the caller that awaits it.
  rest.catch(() => undefined);
  return rest;
}

/** Waits for the page's next frames, and resolves to whether it can still be read then. */
async function isStillThere(rest: Promise<void>, { session, tab, waitsFor, signal }: Action): Promise<boolean> {
  if (waitsFor === 'nothing' || session.activeTab !== tab) return false;
  await rest.catch(error => {
    if (signal.aborted) throw error;
  });
  return session.activeTab === tab && tab.isReachable;
}

function actedIn({ page }: PageReading, { acted }: Action): GuardReport {
  return {
    blocked: page.blocked,
    missed: page.missed,
    acted: acted && page.acted.get(acted.entry.node.document.frame),
  };
}

interface AfterActionOptions extends Omit<CaptureOptions, 'timeout'> {
  signal: AbortSignal;
  /** Waits for what began while the page was read. Resolves to whether anything did: the page is then read again. */
  settled?: () => Promise<boolean>;
  /** The state to compare with; default: what the agent last read. */
  before?: KnownPage | undefined;
}

/** Reads the effects of an action. A page that cannot be read now does not make the action fail. */
async function captureAfterAction(
  session: Session,
  tab: Tab,
  { settled, before, ...options }: AfterActionOptions,
): Promise<Compared | undefined> {
  const { signal } = options;
  const timeout = Math.min(READ_TIMEOUT_MS, session.owner.config.timeout);
  try {
    const first = await compare(tab, { ...options, timeout }, before);
    const isKept = first.page.blocked !== undefined || first.page.missed !== undefined;
    return !isKept && (await settled?.()) ? await compare(tab, { ...options, timeout }, before) : first;
  } catch (error) {
    if (signal.aborted) throw endedBy(signal);
    if (error instanceof ToolError) throw error;
    if (isTimeout(error)) tab.noteAnswer(undefined);
    return logged(session, 'page could not be read after an action')(error);
  }
}

/** Reads and reports what changed in a tab since the agent last read it. */
export async function readAfter(
  session: Session,
  tab: Tab,
  { signal, earlier }: { signal: AbortSignal; earlier?: EarlierChanges | undefined },
): Promise<PageReading | undefined> {
  const seen = await captureAfterAction(session, tab, { signal, before: earlier?.page });
  return seen && report(session, tab, seen, { earlier });
}

/** Milliseconds that printing a page to PDF may take. */
const PRINTING_MS = 10_000;

/** Saves what pages printed to a file: there is no printer, and no person who could choose one. */
export async function keepPrinted(session: Session): Promise<void> {
  const { newTab, newTabs = newTab === undefined ? [] : [newTab] } = session.effects.current;
  const opened = newTabs.flatMap(({ tab }) => session.tab(tab) ?? []);
  // These tabs have not been read, so their output has not been reported yet.
  await Promise.all(opened.map(tab => noteOutputs(tab)));
  for (const tab of [session.activeTab, ...opened]) if (tab?.hasPrinted) await print(session, tab);
}

async function print(session: Session, tab: Tab): Promise<void> {
  const { effects } = session;
  tab.hasPrinted = false;
  try {
    const saved = await within(PRINTING_MS, savePdf(session, tab, { printBackground: true }));
    effects.note({ pdf: saved === undefined ? { error: 'it took too long' } : { path: saved.path } });
  } catch (error) {
    effects.note({ pdf: { error: plainMessage(error) } });
    logged(session, 'page could not be printed')(error);
  }
}

/** Fields that the page or browser refused because of an action, with the messages; undefined without any. */
function refusedIn({ page }: PageReading, action: Action): CommonResult['validation'] {
  if (page.refused.length === 0) return undefined;
  const nodes = new Map([...everyNode(page.roots)].map(node => [node.key, node]));
  const fields = page.refused.flatMap(({ doc, id, name, message, isOwn }) => {
    const key = `${doc}:${id}`;
    const was = action.before.get(key)?.flags ?? 0;
    // A field that was refused before the action has nothing to do with it.
    if (!isOwn && (was & Flag.Invalid) !== 0) return [];
    const node = nodes.get(key);
    return [{ ...(node !== undefined && { ref: action.session.refs.refOf(node) }), name, message }];
  });
  return fields.length === 0 ? undefined : fields;
}
