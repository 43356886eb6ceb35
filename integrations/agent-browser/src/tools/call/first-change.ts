import type { Frame } from 'playwright-core';
import { until } from '../../browser/tab/until.js';
import type { Stirring } from '../../page/act/stirring.js';
import { Flag } from '../../page/protocol.js';
import type { Change } from '../../snapshot/diff.js';
import { isFaint } from '../../snapshot/faint-changes.js';
import type { Compared } from '../../snapshot/reading.js';
import { isAlike, spokenFlags } from '../../snapshot/signature.js';
import type { ToolDefinition } from '../define.js';
import type { Action } from './action.js';

/** Beyond the time that it is to wait for, a page that hangs is given so many milliseconds to answer. */
const ANSWER = 500;
/** Frames beside the one that was acted on that are waited for. */
const MOST_FRAMES = 8;

interface Looking {
  action: Action;
  tool: ToolDefinition;
  /** Looks once more; undefined when the page cannot be read. */
  look(): Promise<Compared | undefined>;
}

/**
 * Looks at the page again until it shows a first change, for a while: handlers wait for a pause in the typing, for
 * an animation or an answer. An action that does nothing is rare, and saying so falsely costs the agent a call, or has it
 * undo what it did. Ends sooner where the page can do nothing more.
 */
export async function untilFirstChange(first: Compared, { action, tool, look }: Looking): Promise<Compared> {
  const deadline = performance.now() + action.timings.firstChange;
  let latest = first;
  if (isSettled(latest, action) || !mayReact(first, tool, action)) return latest;
  for (;;) {
    const left = deadline - performance.now();
    if (left <= 0 || !isWaitable(action)) return latest;
    const how = await stirred(action, left);
    if (how === 'inert' || !isWaitable(action)) return latest;
    const next = await look();
    if (next === undefined) return latest;
    latest = withKept(next, first);
    if (how === 'quiet' || isSettled(latest, action)) return latest;
  }
}

/**
 * Looks at the page again when what comes or goes by animations has done so: a dialog that is fading in cannot be read or
 * used yet, and one that is fading out is still there.
 */
export async function untilFaded(first: Compared, { action, look }: Omit<Looking, 'tool'>): Promise<Compared> {
  const { tab, signal } = action;
  const deadline = performance.now() + action.timings.fading;
  let latest = first;
  for (;;) {
    const left = Math.min(latest.page.fading ?? 0, deadline - performance.now());
    if (left <= 0 || signal.aborted || action.session.activeTab !== tab || tab.isMute) return latest;
    try {
      await tab.engine.faded(tab.page.mainFrame(), left, { timeout: left + ANSWER, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      // The page hangs or is gone: what was seen of it is told.
      return latest;
    }
    const next = await look();
    if (next === undefined) return latest;
    latest = withKept(next, first);
  }
}

/** A kept event is told once: to the first look. */
function withKept(next: Compared, { page: { blocked, missed } }: Compared): Compared {
  return { ...next, page: { ...next.page, blocked, missed } };
}

/** Something came of the action that is worth telling, on the page or beside it. */
function isSettled({ changes, page }: Compared, action: Action): boolean {
  if (changes === undefined || page.blocked !== undefined || page.missed !== undefined) return true;
  const { newTab, dialog, download, fileChooser, pdf, closedTabs } = action.session.effects.current;
  if ([newTab, dialog, download, fileChooser, pdf, closedTabs].some(effect => effect !== undefined)) return true;
  return changes.some(change => !isFaint(change) && !isOwnValue(action, change) && !isUnderWay(action, change));
}

function isWaitable({ session, tab, waitsFor, signal }: Action): boolean {
  return waitsFor === 'changes' && !signal.aborted && session.activeTab === tab && !tab.isMute;
}

const OFFERING_ROLES = new Set(['combobox', 'searchbox']);

/** Whether the page may react to a value: the value itself is in the field already. */
function mayReact({ page }: Compared, { policy }: ToolDefinition, { mayHaveSent, acted }: Action): boolean {
  if (!policy.fills || mayHaveSent) return true;
  if (acted === undefined) return false;
  const { node, told } = acted.entry;
  if (OFFERING_ROLES.has(told.role) && node.kind !== 'select') return true;
  const facts = page.acted.get(node.document.frame);
  return facts === undefined || facts.heedsInput === true;
}

/** States by which a field holds a value. */
const HOLDING = Flag.Checked | Flag.Mixed | Flag.Selected;

/** Whether a change is that a field holds what the action put into it. */
export function isOwnValue({ reached }: Action, change: Change): boolean {
  if (isText(change) && change.parents.some(({ node }) => node.editable && reached.has(node.key))) return true;
  if (change.kind !== 'changed' || !reached.has(change.item.node.key)) return false;
  const { item, was } = change;
  const { value, flags } = item.node;
  const isHeld = ((spokenFlags(item.node) ^ spokenFlags(was.node)) & ~HOLDING) === 0;
  return isHeld && item.name === was.name && isAlike({ ...was.node, value, flags }, item.node);
}

/** Whether a change is that what was pressed is disabled until the page has an answer to it. */
function isUnderWay({ acted }: Action, change: Change): boolean {
  if (change.kind !== 'changed' || change.item.node.key !== acted?.entry.node.key) return false;
  return (change.item.node.flags & ~change.was.node.flags & Flag.Disabled) !== 0;
}

/** Whether a change is one of plain text, such as stands in a rich-text field. */
function isText(change: Change): boolean {
  if (change.kind === 'removed') return change.was.role === 'text';
  return (change.kind === 'added' || change.kind === 'changed') && change.item.role === 'text';
}

async function stirred(action: Action, milliseconds: number): Promise<Stirring> {
  const { tab, signal } = action;
  const over = new AbortController();
  const limits = { timeout: milliseconds + ANSWER, signal };
  const ask = (frame: Frame): Promise<Stirring> =>
    tab.engine.stirred(frame, milliseconds, limits).catch((): Stirring => 'quiet');
  const waits = framesOf(action).map(ask);
  const { promise: first, resolve } = Promise.withResolvers<Stirring>();
  for (const wait of waits) void wait.then(how => how === 'stirred' && resolve(how));
  const isLeaving = until(tab, () => tab.navigation !== undefined || tab.isMute, {
    timeout: milliseconds + ANSWER,
    signal: AbortSignal.any([signal, over.signal]),
  });
  void isLeaving.then(() => resolve('stirred'));
  void Promise.all(waits).then(hows => resolve(hows.every(how => how === 'inert') ? 'inert' : 'quiet'));
  const how = await first;
  over.abort();
  return how;
}

/** The main frame, that of the element acted on, and others that are known. */
function framesOf({ acted, tab }: Action): Frame[] {
  const { page, engine } = tab;
  const own = acted === undefined ? [] : [acted.entry.node.document.frame];
  const known = page.frames().filter(frame => engine.lines.has(frame));
  return [...new Set([page.mainFrame(), ...own, ...known])].slice(0, MOST_FRAMES);
}
