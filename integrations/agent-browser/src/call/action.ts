import { inTime } from '@browser-toolset/core/waiting';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { Frame } from 'playwright-core';
import type { z } from 'zod/v4';
import type { Session } from '../browser/session.js';
import type { Limits } from '../browser/tab/engine.js';
import type { AskOptions } from '../browser/tab/engine-line.js';
import type { Tab } from '../browser/tab/tab.js';
import type { Answer, Asked, Question } from '../page/engine.js';
import {
  anyElement,
  type ElementFacts,
  type EngineRefusal,
  type EntryAnswer,
  type FocusAnswer,
  type GuardReport,
  type Purpose,
  type SecretText,
  type Target,
  type WantedOptions,
} from '../page/protocol.js';
import { describeRef, type RefDescription, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import type { CommonResult, elementField } from '../results/result.js';
import type { SnapshotNode } from '../snapshot/tree.js';
import type { Timings } from '../timings.js';
import { changed, focusLost, movedAway } from './changed.js';
import { onlyRead, unfit } from './unfit.js';
/** The run that a call belongs to, where it is part of one. */
export interface ToolRun {
  id?: string;
  threadId?: string;
  toolCallId?: string;
  /** Suspends the run; it calls the tool again, with what it was resumed with. Undefined where nothing can wait. */
  suspend?(payload: unknown, options?: { requireToolApproval?: boolean }): Promise<unknown>;
  /** Aborted when the run is given up, while it waits too. */
  signal?: AbortSignal;
  /** It is the run of a workflow. */
  isWorkflow?: boolean;
  /** The answer that it was resumed with. */
  resumeData?: unknown;
  /** The model of the agent that calls; undefined where nobody knows it. */
  model?(): Promise<MastraModelConfig | undefined>;
}

/** Stands for the result of a call whose run waits: there is none yet. */
export const SUSPENDED: CommonResult = Object.freeze({ success: true });

/** A page that goes on rendering the element anew for so many milliseconds does not stand still for an action. */
const RECOVERY_TIME = 150;
/** A page that does not answer for so many milliseconds keeps its guard, which ends by itself. */
const LET_GO_TIMEOUT = 500;

/** One call of a tool: the tab it acts on, how long it may take, and how it reaches elements by ref. */
export class Action {
  /** What the call brought to light so far; kept when a dialog holds the rest up. */
  readonly facts: Record<string, unknown> = {};
  /** What was on the page when the agent last read it. */
  readonly before: ReadonlyMap<string, SnapshotNode>;
  /** What a field that was typed into is expected to hold. */
  expected: string | undefined;
  recovered: { was: string; now: string } | undefined;
  /** The element that was last acted on, and what the agent had been told of it. */
  acted: { entry: RefEntry; was: RefDescription } | undefined;
  readonly reached = new Set<SnapshotNode['key']>();
  /** The page has answered a question of this call, which must not come to it again. */
  wasAnswered = false;
  /** Is told of each element that the action is about to act on. */
  onReach: ((entry: RefEntry) => Promise<void>) | undefined;
  /** The run of an agent or a workflow that the call belongs to. */
  run: ToolRun | undefined;
  /** How much of what it set in motion is waited for: a change of the page and requests, requests alone, or nothing. */
  waitsFor: 'changes' | 'requests' | 'nothing' = 'changes';
  /** The page has taken something of it: what came of that is told, however the action ends. */
  hasBegun = false;
  /** What was done may send a form. */
  mayHaveSent = false;
  /** Where it took less time than a page may put things off for: resolves when that is over. */
  rest: Promise<void> | undefined;
  /** How many pages had opened in front of the session's own when the call began. */
  readonly #intrusions: number;
  /** When the element was first found rendered anew (`performance.now()`). */
  #replacedAt: number | undefined;
  /** Elements that took the place of others while the action was under way. */
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

  /** Whether a page has opened in front of the session's own since the call began: Chromium gives that one no mouse events until it is in front again. */
  get wasIntrudedOn(): boolean {
    return this.session.intrusions !== this.#intrusions;
  }

  get timings(): Timings {
    return this.session.owner.timings;
  }

  get limits(): Limits {
    return { timeout: this.timeout, signal: this.signal };
  }

  /** The entry of a ref that the latest snapshot has. */
  entry(ref: string): RefEntry {
    const lookup = this.session.refs.find(ref);
    if ('found' in lookup) return this.#replaced.get(lookup.found) ?? lookup.found;
    throw new ToolError(lookup.code, lookup.message);
  }

  /** Asks the page; a refusal becomes the error that the agent reads. */
  async ask<Name extends Question>(frame: Frame, name: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    const answer = await this.tab.engine.call(frame, name, asked, this.limits);
    this.wasAnswered = true;
    return answer;
  }

  /** What the element of a ref is, can do and holds. */
  async factsOf(ref: string): Promise<{ entry: RefEntry; facts: ElementFacts }> {
    const { entry, answer } = await this.askAbout(ref, 'facts', target => ({ target }));
    return { entry, facts: answer };
  }

  /** Asks the page about the element of a ref, or about what has provably taken its place. */
  async askAbout<Name extends Question>(
    ref: string,
    name: Name,
    asked: (target: Target) => Asked<Name>,
  ): Promise<{ entry: RefEntry; answer: Answer<Name> }> {
    let entry = this.entry(ref);
    for (;;) {
      try {
        const target = this.session.refs.target(entry);
        return { entry, answer: await this.ask(entry.node.document.frame, name, asked(target)) };
      } catch (error) {
        entry = this.#refused(entry, error);
      }
    }
  }

  /** Facts of an element, else of the one last acted on, whatever it says now; undefined when it is gone. */
  async readBack(entry = this.acted?.entry): Promise<ElementFacts | undefined> {
    if (entry === undefined) return undefined;
    const { document, id } = entry.node;
    return this.ask(document.frame, 'facts', { target: anyElement(document.doc, id) }).catch(error => {
      const refusal = this.tab.engine.refusalOf(error);
      if (refusal?.code === 'changed' || refusal?.code === 'missed') throw this.#kept(entry, refusal);
      if (refusal === undefined && !document.frame.isDetached()) throw error;
      return undefined;
    });
  }

  /** Makes a field of text ready for text that takes the place of what it holds. */
  async enter(ref: string, purpose: Extract<Purpose, { to: 'type' }>): Promise<{ entry: RefEntry; is: EntryAnswer }> {
    return this.reach(ref, async entry => {
      const target = this.session.refs.target(entry);
      return { entry, is: await this.ask(entry.node.document.frame, 'enter', { target, purpose }) };
    });
  }

  /** Where the keyboard focus is, seen from a field that may say anything; undefined when the field is gone. */
  async focusFrom({ node: { document, id } }: RefEntry): Promise<FocusAnswer | undefined> {
    return this.ask(document.frame, 'focus', { target: anyElement(document.doc, id) }).catch(error => {
      if (this.tab.engine.refusalOf(error) === undefined && !document.frame.isDetached()) throw error;
      return undefined;
    });
  }

  /**
   * Puts a text with secrets into the field of a ref.
   * @param fill Makes the text for the origin of the document that holds the field, or throws.
   */
  async insert(
    ref: string,
    fill: (origin: string) => { text: string; secrets: SecretText[]; purpose: Extract<Purpose, { to: 'type' }> },
    slowly: boolean,
  ): Promise<{ entry: RefEntry; isIn: boolean }> {
    return this.reach(ref, async entry => {
      const { frame } = entry.node.document;
      const target = this.session.refs.target(entry);
      // The target names the document: what has another origin is another document, and refuses.
      const filled = fill(await this.ask(frame, 'origin', { target }));
      return { entry, isIn: await this.ask(frame, 'insert', { target, slowly, ...filled }) };
    });
  }

  /** Whether files can be dropped on the element of a ref. */
  async takesDrops(ref: string): Promise<boolean> {
    return this.reach(ref, async entry => {
      const target = this.session.refs.target(entry);
      return this.ask(entry.node.document.frame, 'takesDrops', { target });
    });
  }

  /** Selects options of a select element, in the moment in which the page says that it is what the agent was told. */
  async choose(ref: string, wanted: WantedOptions): Promise<RefEntry> {
    return this.reach(ref, async entry => {
      const target = this.session.refs.target(entry);
      await this.ask(entry.node.document.frame, 'choose', { target, wanted });
      this.hasBegun = true;
      return entry;
    });
  }

  /** Lets events reach the page again after an action that has failed: those to come are none of its own. */
  async releaseInput(): Promise<void> {
    if (this.acted === undefined) return;
    const { frame } = this.acted.entry.node.document;
    await Promise.allSettled(
      [frame, ...framesAround(frame)].map(each => this.tab.engine.call(each, 'guard', {}, { timeout: LET_GO_TIMEOUT })),
    );
  }

  /** Does something with the element of a ref, again with the one that has provably taken its place meanwhile. */
  async reach<T>(ref: string, attempted: (entry: RefEntry) => Promise<T>): Promise<T> {
    let entry = this.entry(ref);
    // Only what can be acted on is told apart by what it says.
    if (entry.told.fingerprint === 0) throw onlyRead(entry);
    for (;;) {
      this.acted = { entry, was: entry.told };
      this.reached.add(entry.node.key);
      try {
        await this.onReach?.(entry);
        return await attempted(entry);
      } catch (error) {
        entry = this.#refused(entry, error);
      }
    }
  }

  /** Turns the page's refusal into an error, or into the element that took the old one's place. */
  #refused(entry: RefEntry, error: unknown): RefEntry {
    const refusal = this.tab.engine.refusalOf(error) ?? whenDetached(entry);
    if (refusal === undefined) throw error;
    if (refusal.code === 'disabled')
      throw new ToolError('element_disabled', `${entry.ref} (${describeRef(entry.told)}) is disabled.`);
    if (refusal.code === 'unfit') throw unfit(entry, refusal);
    if (refusal.code === 'hidden')
      throw new ToolError('element_not_visible', `${entry.ref} (${describeRef(entry.told)}) is not visible.`);
    if (refusal.code === 'unfocused') throw focusLost(entry, refusal.holder);
    if (refusal.code === 'changed' || refusal.code === 'missed') throw this.#kept(entry, refusal);
    this.#replacedAt ??= performance.now();
    if (refusal.replacement === undefined || performance.now() - this.#replacedAt > RECOVERY_TIME)
      throw this.#stale(entry, refusal);
    const { id, now } = refusal.replacement;
    const next = this.session.refs.adopt(entry, id, now);
    for (const [gone, by] of this.#replaced) if (by === entry) this.#replaced.set(gone, next);
    this.#replaced.set(entry, next);
    this.recovered = {
      was: this.recovered?.was ?? `${entry.ref} ${describeRef(entry.told)}`,
      now: `${next.ref}, rendered again in the same place`,
    };
    return next;
  }

  /** The error for what was kept from the page, or not begun. */
  #kept(entry: RefEntry, refusal: Extract<EngineRefusal, { code: 'changed' | 'missed' }>): ToolError {
    return refusal.code === 'missed'
      ? movedAway(this.session, entry, refusal.missed)
      : changed(this.session, entry, refusal);
  }

  #stale(entry: RefEntry, refusal: Extract<EngineRefusal, { code: 'stale' }>): ToolError {
    const candidates = refusal.candidates.map(({ id, now }) => this.session.refs.adopt(entry, id, now).ref);
    const like = candidates.length === 0 ? '' : ` Similar elements: ${candidates.join(', ')}.`;
    return new ToolError('stale_ref', `${entry.ref} (${describeRef(entry.told)}) is no longer on the page.${like}`);
  }
}

/** The frames that a frame is in, innermost first. */
export function framesAround(frame: Frame): Frame[] {
  const parent = frame.parentFrame();
  return parent === null ? [] : [parent, ...framesAround(parent)];
}

/** A frame that is gone takes its elements with it. */
function whenDetached(entry: RefEntry): EngineRefusal | undefined {
  return entry.node.document.frame.isDetached() ? { code: 'stale', candidates: [] } : undefined;
}

/** The element acted on, as the agent knew it when it was. */
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
 * Ends the wait for what Playwright waits for without end, such as that the page takes an event of mouse or keyboard,
 * when the time of the action is over. `extra` milliseconds are added where there is much to do; `late` says what did
 * not happen then.
 */
export function taken<T>(
  action: Action,
  work: Promise<T>,
  { extra = 0, late = 'The page did not process the input' }: { extra?: number; late?: string } = {},
): Promise<T> {
  const milliseconds = action.timeout + extra;
  return inTime(milliseconds, work, () => new ToolError('timeout', `${late} within ${milliseconds} ms.`));
}

/** Longest wait for the page to draw itself, in milliseconds. */
const DRAWN = 200;

/**
 * Resolves when the page has drawn itself anew: only then has it sent a form, or asked for what a scroll brought into
 * view. A page that is leaving, or does not draw, is not waited for.
 */
export async function drawn(action: Action): Promise<void> {
  const { engine, page } = action.tab;
  await unlessGone(action, limits => engine.drawn(page.mainFrame(), limits));
}

/** Resolves when the page has done what it had put off for a moment. A page that is leaving, or busy, is not waited for. */
export async function rested(action: Action): Promise<void> {
  const { engine, page } = action.tab;
  await unlessGone(action, limits => engine.rested(page.mainFrame(), limits));
}

async function unlessGone({ tab, signal }: Action, wait: (limits: AskOptions) => Promise<void>): Promise<void> {
  try {
    await wait({ timeout: DRAWN, signal });
  } catch (error) {
    // The document that was there may be gone by now, or too busy: what was done is done.
    if (signal.aborted || tab.page.isClosed()) throw error;
  }
}

/** How long the document of the element acted on may take to say what came of it, in milliseconds. */
const LOOK_BACK_TIMEOUT = 1_000;

/** Asks the document of the element acted on what came of it. One that the action left, or keeps busy, says nothing. */
export async function readGuardReport({ acted, tab, signal }: Action): Promise<GuardReport> {
  if (acted === undefined || tab.crashed || tab.page.isClosed()) return {};
  const { frame } = acted.entry.node.document;
  return tab.engine.call(frame, 'guard', {}, { timeout: LOOK_BACK_TIMEOUT, signal }).catch((): GuardReport => ({}));
}
