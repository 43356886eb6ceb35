import { inTime } from '@browser-toolset/core/waiting';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { Frame } from 'playwright-core';
import type { z } from 'zod/v4';
import type { Point } from '#page-engine/dom/geometry.js';
import type { Answer, Asked, Question } from '#page-engine/engine.js';
import {
  anyElement,
  type DefaultAction,
  type ElementFacts,
  type EngineRefusal,
  type EntryAnswer,
  type FocusAnswer,
  type GuardReport,
  type Missed,
  NO_FINGERPRINT,
  type Purpose,
  type SecretText,
  type Target,
  type WantedOptions,
} from '#page-engine/protocol.js';
import type { Session } from '../browser/session.js';
import type { Limits } from '../browser/tab/engine.js';
import type { Tab } from '../browser/tab/tab.js';
import { capture, type EarlierChanges, type PageReading } from '../diff/page-view.js';
import { describeEntry, describeRef, type RefDescription, type RefEntry, similar } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import type { CommonResult, elementField } from '../results/result.js';
import type { PageSnapshot, SnapshotNode } from '../snapshot/tree.js';
import type { Timings } from '../timings.js';
import { changed, focusLost, movedAway, onlyRead, unfit } from './refusals.js';
import { type PressedElement, type Risk, refEntryOf } from './risk.js';
/** The run of an agent or workflow that a call belongs to. */
export interface ToolRun {
  id?: string;
  threadId?: string;
  toolCallId?: string;
  /** Suspends the run, which later calls the tool again with its resume data. Undefined where no run can wait. */
  suspend?(payload: unknown, options?: { requireToolApproval?: boolean }): Promise<unknown>;
  /** Aborted when the run is given up, even while it is suspended. */
  signal?: AbortSignal;
  isWorkflow?: boolean;
  resumeData?: unknown;
  /** The model of the calling agent; undefined where it is unknown. */
  model?(): Promise<MastraModelConfig | undefined>;
}

/** Placeholder for the result of a call whose run is suspended. */
export const SUSPENDED: CommonResult = Object.freeze({ success: true });

/** Milliseconds after which an element that is still being re-rendered is not followed any further. */
const RECOVERY_MS = 150;
/** Milliseconds after which an unresponsive page keeps its guard, which ends by itself. */
const LET_GO_TIMEOUT_MS = 500;

/** What the presses of a call may do. */
export interface PressGrant {
  /** The default actions; undefined where all may be. */
  readonly mayDo: readonly DefaultAction[] | undefined;
  /** The grant for a press with this risk. Throws where somebody has to be asked first. */
  covering(risk: Risk, hasBegun: boolean): Promise<PressGrant>;
}

/** Where a press goes: to the element of a ref, or to what is at a point. */
export interface PressGoal {
  readonly action: Action;
  readonly frame: Frame;
  /** It is a frame: a press is for the document in it. */
  readonly isFrame: boolean;
  readonly description: string;
  /** The element pressed, where a ref named it. */
  readonly entry?: RefEntry;
  /** What is pressed; undefined where nothing is known of it. */
  readonly pressed: PressedElement | undefined;
  /** Where to press it now, in CSS pixels of the page's visual viewport. Guards the press. */
  point(): Promise<Point>;
  /** The press was kept from the page. Throws where it is not to be repeated. */
  noteMoved(missed: Missed): void;
  /** The error for a press of which the page got nothing, or only a part. */
  refusal(report: Pick<GuardReport, 'blocked' | 'missed'>): ToolError;
  /** The page moves on. Left out where it was not held. */
  end?(): void;
}

/** One call of a tool: its tab, its timeout, and its access to elements by ref. */
export class Action {
  /** Result fields so far; kept when a dialog holds up the rest. */
  readonly facts: Record<string, unknown> = {};
  /** The nodes that the agent last read. */
  readonly before: ReadonlyMap<string, SnapshotNode>;
  /** The tool did something beside the page that is read afterwards, such as closing another tab. */
  hasEffectBeside = false;
  /** Expected value of the field that was typed into. */
  expected: string | undefined;
  recovered: { was: string; now: string } | undefined;
  /** The element last acted on, and the description of it that the agent had. */
  acted: { entry: RefEntry; was: RefDescription } | undefined;
  /** The point last pressed, where that was no ref. */
  pointGoal: PressGoal | undefined;
  /** The frame whose document guards the input of the action. */
  guardedFrame: Frame | undefined;
  readonly reached = new Set<SnapshotNode['key']>();
  /** The page has answered a question of this call, so the call must not run again. */
  wasAnswered = false;
  /** Called with each element that the action is about to act on. */
  onReach: ((entry: RefEntry) => Promise<void>) | undefined;
  run: ToolRun | undefined;
  /** What the call was judged by; undefined where nobody judges calls. */
  grant: PressGrant | undefined;
  /** What the agent is given of the page after the action, once it was read: also where the action turns out to have failed. */
  reading: PageReading | undefined;
  /**
   * What is awaited: an effect on the page; only what is evidently coming, such as a response or what this control has
   * shown late before; only requests; or nothing.
   */
  waitsFor: 'effect' | 'evidence' | 'requests' | 'nothing' = 'effect';
  /** What had changed before the call acted. */
  earlier: EarlierChanges | undefined;
  /** The call provably had no side effects. */
  hadNoEffects = false;
  /** The page has received a part of the action: its effects are reported, however the action ends. */
  hasBegun = false;
  /** The action may have submitted a form. */
  mayHaveSent = false;
  /** Resolves when the page has run what it had deferred; `over`: the action has waited for that itself. */
  rest: Promise<void> | 'over' | undefined;
  /** Pages that had opened in front of the session's own when the call began. */
  readonly #intrusions: number;
  /** When the element was first found rendered anew (`performance.now()`). */
  #replacedAt: number | undefined;
  /** Elements that were as the agent had read them since the call began: their names change by what it does. */
  readonly #confirmed = new Set<RefEntry>();
  /** Elements that were replaced during the action, with their replacements. */
  readonly #replaced = new Map<RefEntry, RefEntry>();

  constructor(
    readonly session: Session,
    readonly tab: Tab,
    readonly signal: AbortSignal,
    readonly timeout: number,
  ) {
    this.before = session.refs.live;
    this.#intrusions = session.intrusions;
  }

  /** Whether a page has opened in front since the call began: Chromium then sends this one no mouse events. */
  get wasIntrudedOn(): boolean {
    return this.session.intrusions !== this.#intrusions;
  }

  /** Whether the page is what the agent knows of it, without another reading. */
  get isKnownUnchanged(): boolean {
    const isCompared = this.session.owner.config.snapshot.afterAction === 'diff';
    return this.hadNoEffects && isCompared && this.tab.known !== undefined && this.earlier === undefined;
  }

  get timings(): Timings {
    return this.session.owner.timings;
  }

  /** The default actions that a press may have, where that is judged. */
  get mayDo(): { mayDo?: readonly DefaultAction[] } {
    const mayDo = this.grant?.mayDo;
    return mayDo === undefined ? {} : { mayDo };
  }

  get limits(): Limits {
    return { timeout: this.timeout, signal: this.signal };
  }

  entry(ref: string): RefEntry {
    const lookup = this.session.refs.find(ref);
    if ('found' in lookup) return this.#replaced.get(lookup.found) ?? lookup.found;
    throw new ToolError(lookup.code, lookup.message);
  }

  /** Asks the page, and records that it has answered. */
  async ask<Name extends Question>(frame: Frame, name: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    const answer = await this.tab.engine.call(frame, name, asked, this.limits);
    this.wasAnswered = true;
    return answer;
  }

  async factsOf(ref: string): Promise<{ entry: RefEntry; facts: ElementFacts }> {
    const { entry, answer } = await this.askAbout(ref, 'facts', target => ({ target }));
    return { entry, facts: answer };
  }

  /** Asks the page about the element of a ref, or about the one that has provably replaced it. */
  async askAbout<Name extends Question>(
    ref: string,
    name: Name,
    asked: (target: Target) => Asked<Name>,
  ): Promise<{ entry: RefEntry; answer: Answer<Name> }> {
    let entry = this.entry(ref);
    this.#replacedAt = undefined;
    for (;;) {
      try {
        const target = this.session.refs.target(entry);
        return { entry, answer: await this.ask(entry.node.document.frame, name, asked(target)) };
      } catch (error) {
        entry = this.#refused(entry, error);
      }
    }
  }

  /** Facts of an element, else of the one last acted on, whatever its description; undefined when it is gone. */
  async readBack(entry = this.acted?.entry): Promise<ElementFacts | undefined> {
    if (entry === undefined) return undefined;
    const { document, id } = entry.node;
    await this.tab.capture.refresh(document.frame, this.limits);
    return this.ask(document.frame, 'facts', { target: anyElement(document.doc, id) }).catch(error => {
      const refusal = this.tab.engine.refusalOf(error);
      if (refusal?.code === 'changed' || refusal?.code === 'missed') throw this.#kept(entry, refusal);
      if (refusal === undefined && !document.frame.isDetached()) throw error;
      return undefined;
    });
  }

  /** Makes a text field ready for text that replaces its content. */
  async enter(ref: string, purpose: Extract<Purpose, { to: 'type' }>): Promise<{ entry: RefEntry; is: EntryAnswer }> {
    return this.reach(ref, async entry => {
      const target = this.session.refs.target(entry);
      return { entry, is: await this.ask(entry.node.document.frame, 'enter', { target, purpose }) };
    });
  }

  /** Where the keyboard focus is, relative to a field of any description; undefined when the field is gone. */
  async focusFrom({ node: { document, id } }: RefEntry): Promise<FocusAnswer | undefined> {
    return this.ask(document.frame, 'focus', { target: anyElement(document.doc, id) }).catch(error => {
      if (this.tab.engine.refusalOf(error) === undefined && !document.frame.isDetached()) throw error;
      return undefined;
    });
  }

  /** Puts text with secrets into a field. `fill` gets the origin of the field's document, and may throw. */
  async insert(
    ref: string,
    fill: (origin: string) => { text: string; secrets: SecretText[]; purpose: Extract<Purpose, { to: 'type' }> },
    slowly: boolean,
  ): Promise<{ entry: RefEntry; isIn: boolean }> {
    return this.reach(ref, async entry => {
      const { frame } = entry.node.document;
      const target = this.session.refs.target(entry);
      // The target names the document: one with another origin is another document, and refuses.
      const filled = fill(await this.ask(frame, 'origin', { target }));
      return { entry, isIn: await this.ask(frame, 'insert', { target, slowly, ...filled }) };
    });
  }

  async takesDrops(ref: string): Promise<boolean> {
    return this.reach(ref, async entry => {
      const target = this.session.refs.target(entry);
      return this.ask(entry.node.document.frame, 'takesDrops', { target });
    });
  }

  /** Selects options of a `select` in the same task in which the page checks its description. */
  async choose(ref: string, wanted: WantedOptions): Promise<string[]> {
    return this.reach(ref, async entry => {
      const target = this.session.refs.target(entry);
      const labels = await this.ask(entry.node.document.frame, 'choose', { target, wanted });
      this.hasBegun = true;
      return labels;
    });
  }

  /** Lets events reach the page again after a failed action: later events are not part of it. */
  async releaseInput(): Promise<void> {
    const { guardedFrame: frame } = this;
    if (frame === undefined) return;
    await Promise.allSettled(
      [frame, ...framesAround(frame)].map(each =>
        this.tab.engine.call(each, 'guard', {}, { timeout: LET_GO_TIMEOUT_MS }),
      ),
    );
  }

  /** Goes on with what an earlier call began: the page's reaction to that is the reaction to this one. */
  resume({ acted, guardedFrame, reached, mayHaveSent, waitsFor }: Action): void {
    this.acted ??= acted;
    this.guardedFrame ??= guardedFrame;
    for (const key of reached) this.reached.add(key);
    this.mayHaveSent ||= mayHaveSent;
    this.waitsFor = waitsFor;
  }

  /** Acts on the element of a ref, and again on one that has provably replaced it meanwhile. */
  async reach<T>(ref: string, attempted: (entry: RefEntry) => Promise<T>): Promise<T> {
    let entry = this.entry(ref);
    // Only interactive elements are identified by a fingerprint.
    if (entry.shown.fingerprint === NO_FINGERPRINT) throw onlyRead(entry);
    this.#replacedAt = undefined;
    for (;;) {
      this.acted = { entry, was: entry.shown };
      this.pointGoal = undefined;
      this.guardedFrame = entry.node.document.frame;
      this.reached.add(entry.node.key);
      try {
        await this.onReach?.(entry);
        const reached = await attempted(entry);
        this.#confirmed.add(entry);
        return reached;
      } catch (error) {
        entry = this.#refused(entry, error);
      }
    }
  }

  /**
   * Checks elements that a call with several steps acts on later, before its first step: what happens to their names
   * from then on is its own effect. An element that cannot be checked is left to its own step.
   */
  async confirm(refs: readonly string[]): Promise<void> {
    const entries = refs.flatMap(ref => refEntryOf(this.session, ref) ?? []);
    for (const [frame, inFrame] of Map.groupBy(entries, ({ node }) => node.document.frame)) {
      const targets = inFrame.map(entry => this.session.refs.target(entry));
      const areSame = await this.ask(frame, 'areSame', { targets }).catch(error => {
        if (this.signal.aborted || this.tab.page.isClosed()) throw error;
        return [];
      });
      for (const [index, entry] of inFrame.entries()) if (areSame[index]) this.#confirmed.add(entry);
    }
  }

  #refused(entry: RefEntry, error: unknown): RefEntry {
    const refusal = this.tab.engine.refusalOf(error) ?? whenDetached(entry);
    if (refusal === undefined) throw error;
    if (refusal.code === 'changed' && this.#isOwnEffect(entry, refusal)) {
      this.session.refs.update(entry, refusal.now);
      return entry;
    }
    if (refusal.code === 'disabled') throw new ToolError('element_disabled', `${describeEntry(entry)} is disabled.`);
    if (refusal.code === 'unfit') throw unfit(entry, refusal);
    if (refusal.code === 'hidden')
      throw new ToolError('element_not_visible', `${describeEntry(entry)} is not visible.`);
    if (refusal.code === 'unfocused') throw focusLost(entry, refusal.holder);
    if (refusal.code === 'changed' || refusal.code === 'missed') throw this.#kept(entry, refusal);
    this.#replacedAt ??= performance.now();
    if (refusal.replacement === undefined || performance.now() - this.#replacedAt > RECOVERY_MS)
      throw this.#stale(entry, refusal);
    const { id, now } = refusal.replacement;
    const next = this.session.refs.adopt(entry, id, now);
    for (const [gone, by] of this.#replaced) if (by === entry) this.#replaced.set(gone, next);
    this.#replaced.set(entry, next);
    this.recovered = {
      was: this.recovered?.was ?? `${entry.ref} ${describeRef(entry.shown)}`,
      now: `${next.ref}, rendered again in the same place`,
    };
    return next;
  }

  /** Whether only the name has changed of an element that was as the agent had read it in this call. */
  #isOwnEffect(entry: RefEntry, { now, went }: Extract<EngineRefusal, { code: 'changed' }>): boolean {
    const { role, row } = entry.shown;
    this.#replacedAt ??= performance.now();
    const isSame = now.role === role && now.row === row && went === undefined && now.begun === undefined;
    return isSame && this.#confirmed.has(entry) && performance.now() - this.#replacedAt <= RECOVERY_MS;
  }

  /** The error for input that was kept from the page, or not begun. */
  #kept(entry: RefEntry, refusal: Extract<EngineRefusal, { code: 'changed' | 'missed' }>): ToolError {
    return refusal.code === 'missed'
      ? movedAway(this.session, entry, refusal.missed)
      : changed(this.session, entry, refusal);
  }

  #stale(entry: RefEntry, refusal: Extract<EngineRefusal, { code: 'stale' }>): ToolError {
    const candidates = refusal.candidates.map(({ id, now }) => this.session.refs.adopt(entry, id, now).ref);
    return new ToolError('stale_ref', `${describeEntry(entry)} is no longer on the page.${similar(candidates)}`);
  }
}

/** The ancestors of a frame, innermost first. */
export function framesAround(frame: Frame): Frame[] {
  const parent = frame.parentFrame();
  return parent === null ? [] : [parent, ...framesAround(parent)];
}

/** A detached frame takes its elements with it. */
function whenDetached(entry: RefEntry): EngineRefusal | undefined {
  return entry.node.document.frame.isDetached() ? { code: 'stale', candidates: [] } : undefined;
}

/** The element acted on, as the agent knew it at the time. */
export function actedElement({ acted, before }: Action): { element?: z.output<typeof elementField> } {
  if (acted === undefined) return {};
  const { entry, was } = acted;
  const { node, ref } = entry;
  const hint = before.get(node.key)?.hint;
  const element = {
    ref,
    role: was.role,
    name: was.name,
    tag: node.tag ?? '',
    ...(node.domId !== undefined && { id: node.domId }),
    ...(hint !== undefined && { hint }),
  };
  return { element };
}

/**
 * Applies the action's timeout to work that Playwright awaits without one, such as the dispatch of an input event.
 * `extra` milliseconds are added for long work; `late` describes what did not happen in time.
 */
export function withTimeout<T>(
  action: Action,
  work: Promise<T>,
  { extra = 0, late = 'The page did not process the input' }: { extra?: number; late?: string } = {},
): Promise<T> {
  const milliseconds = action.timeout + extra;
  return inTime(milliseconds, work, () => new ToolError('timeout', `${late} within ${milliseconds} ms.`));
}

/** Captures the page for the action itself: the agent does not read it, so its refs stand for what it read before. */
export async function readPage({ session, tab, limits }: Action): Promise<PageSnapshot> {
  const page = await capture(tab, limits);
  session.refs.observe(page);
  return page;
}

/** Milliseconds to wait until the page has rendered. */
const PAINT_MS = 200;

/**
 * Resolves when the page has rendered again: only then has it submitted a form, or requested what a scroll brought into
 * view. A page that is unloading, or does not render, is not awaited.
 */
export async function untilPainted(action: Action, timeout = PAINT_MS): Promise<void> {
  const { engine, page } = action.tab;
  await unlessGone(action, engine.wait(page.mainFrame(), { for: 'frames' }, { timeout, signal: action.signal }));
}

/** Resolves when the page has run what it had deferred for a moment. One that is unloading or busy is not awaited. */
export async function untilQuiet(action: Action, frame = action.tab.page.mainFrame()): Promise<void> {
  const limits = { timeout: PAINT_MS, signal: action.signal };
  await unlessGone(action, action.tab.engine.wait(frame, { for: 'rest' }, limits));
}

async function unlessGone({ tab, signal }: Action, wait: Promise<unknown>): Promise<void> {
  try {
    await wait;
  } catch (error) {
    // The document may be gone by now, or too busy: the action itself is done.
    if (signal.aborted || tab.page.isClosed()) throw error;
  }
}

/** Milliseconds that the document acted on may take to report. */
const GUARD_REPORT_MS = 1_000;

/**
 * Asks the document acted on for its report; empty when the action has left the document or keeps it busy. `guarded` goes
 * on guarding it.
 */
export async function readGuardReport(
  { guardedFrame: frame, tab, signal }: Action,
  how: 'guard' | 'guarded' = 'guard',
): Promise<GuardReport> {
  if (frame === undefined || tab.crashed || tab.page.isClosed()) return {};
  return tab.engine.call(frame, how, {}, { timeout: GUARD_REPORT_MS, signal }).catch((): GuardReport => ({}));
}
