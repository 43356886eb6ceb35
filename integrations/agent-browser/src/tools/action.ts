import type { Frame, Locator } from 'playwright-core';
import { type Limits, refusalOf } from '../browser/engine.js';
import type { Session } from '../browser/session.js';
import type { Tab } from '../browser/tab.js';
import { ToolError } from '../outcome/errors.js';
import type { ElementFacts, Probe, Purpose, Refusal, Request } from '../page/protocol.js';
import { describeTold, type RefEntry } from '../refs/registry.js';
import { unfit } from './unfit.js';

export interface ActOptions {
  /** Keeps the event from the page when the element changes between the check and the event. */
  guard?: boolean;
  /** What the element must be fit for. */
  purpose?: Purpose;
}

/** After so many milliseconds without success the page is asked what is in the way. */
const FIRST_TRY = 1_500;

/** One call of a tool: the tab it acts on, how long it may take, and how it reaches elements by ref. */
export class Action {
  /** What the call brought to light so far; kept when a dialog holds the rest up. */
  readonly facts: Record<string, unknown> = {};
  /** Element ids of the main document above this one came after the action began. */
  readonly newestBefore: number;
  recovered: { was: string; now: string } | undefined;

  constructor(
    readonly session: Session,
    readonly tab: Tab,
    readonly signal: AbortSignal,
    readonly timeout: number,
  ) {
    this.newestBefore = tab.newestId;
  }

  get limits(): Limits {
    return { timeout: this.timeout, signal: this.signal };
  }

  /** The entry of a ref that the latest snapshot has. */
  entry(ref: string): RefEntry {
    const lookup = this.session.refs.find(ref);
    if ('found' in lookup) return lookup.found;
    throw new ToolError(lookup.code, lookup.message);
  }

  /** Asks the page; a refusal becomes the error that the agent reads. */
  async ask<Answer>(frame: Frame, request: Exclude<Request, { do: 'element' }>): Promise<Answer> {
    return this.tab.engine.ask<Answer>(frame, request, this.limits);
  }

  /** What the element of a ref is, can do and holds. */
  async factsOf(ref: string): Promise<{ entry: RefEntry; facts: ElementFacts }> {
    let entry = this.entry(ref);
    for (;;) {
      try {
        const target = this.session.refs.target(entry);
        const facts = await this.ask<ElementFacts>(entry.node.document.frame, { do: 'facts', target });
        return { entry, facts };
      } catch (error) {
        entry = this.#refused(entry, error);
      }
    }
  }

  /**
   * Lets Playwright act on the element of a ref. The element is checked again at each of Playwright's tries; when it
   * is gone and one element has provably taken its place, the action goes on there and the result says so.
   */
  async act<T>(
    ref: string,
    perform: (locator: Locator, limits: Limits) => Promise<T>,
    options: ActOptions,
  ): Promise<{ entry: RefEntry; value: T }> {
    let entry = this.entry(ref);
    let timeout = Math.min(FIRST_TRY, this.timeout);
    for (;;) {
      const target = this.session.refs.target(entry);
      const locator = this.tab.engine.locator(entry.node.document.frame, { do: 'element', target, ...options });
      this.facts.element = elementOf(entry);
      try {
        return { entry, value: await perform(locator, { timeout, signal: this.signal }) };
      } catch (error) {
        if (!isTimeout(error)) entry = this.#refused(entry, error);
        else {
          await this.#explain(entry, error);
          if (timeout >= this.timeout) throw notInTime(entry, this.timeout, error);
          timeout = this.timeout;
        }
      }
    }
  }

  /** Turns the page's refusal into an error, or into the element that took the old one's place. */
  #refused(entry: RefEntry, error: unknown): RefEntry {
    const refusal = refusalOf(error) ?? whenDetached(entry);
    if (refusal === undefined) throw error;
    if (refusal.code === 'disabled')
      throw new ToolError('element_disabled', `${entry.ref} (${describeTold(entry.told)}) is disabled.`);
    if (refusal.code === 'unfit') throw unfit(entry, refusal.facts);
    if (refusal.code === 'changed') throw changed(this.session, entry, refusal.now);
    if (refusal.replacement === undefined || this.recovered !== undefined) throw this.#stale(entry, refusal);
    const { id, now } = refusal.replacement;
    const next = this.session.refs.adoptReplacement(entry, id, now);
    this.recovered = {
      was: `${entry.ref} ${describeTold(entry.told)}`,
      now: `${next.ref}, rendered again at the same place`,
    };
    return next;
  }

  #stale(entry: RefEntry, refusal: Extract<Refusal, { code: 'stale' }>): ToolError {
    const { doc } = entry.node.document;
    const candidates = refusal.candidates.flatMap(id => this.session.refs.entryOf(doc, id)?.ref ?? []);
    const like = candidates.length === 0 ? '' : ` Elements like it: ${candidates.slice(0, 10).join(', ')}.`;
    return new ToolError('stale_ref', `${entry.ref} (${describeTold(entry.told)}) is not on the page any more.${like}`);
  }

  /** Throws what keeps an action from its element, if the page can tell. */
  async #explain(entry: RefEntry, cause: unknown): Promise<void> {
    const { frame } = entry.node.document;
    const probe = await this.tab.engine
      .ask<Probe>(frame, { do: 'probe', id: entry.node.id }, { timeout: 1_000, signal: this.signal })
      .catch(() => undefined);
    if (probe === undefined) return;
    const what = `${entry.ref} (${describeTold(entry.told)})`;
    if (!probe.connected) throw this.#stale(entry, { code: 'stale', candidates: [] });
    if (probe.disabled) throw new ToolError('element_disabled', `${what} is disabled.`, { cause });
    if (!probe.visible) throw new ToolError('element_not_visible', `${what} is not visible.`, { cause });
    if (probe.coveredBy !== undefined) {
      const wayOut =
        probe.coveredById === undefined
          ? undefined
          : this.session.refs.entryOf(entry.node.document.doc, probe.coveredById);
      const hint = wayOut && `To get past it, try ${wayOut.ref} (${describeTold(wayOut.told)}).`;
      throw new ToolError('element_blocked', `${what} is covered by ${probe.coveredBy}.`, { hint, cause });
    }
  }
}

/** A frame that is gone takes its elements with it. */
function whenDetached(entry: RefEntry): Refusal | undefined {
  return entry.node.document.frame.isDetached() ? { code: 'stale', candidates: [] } : undefined;
}

/** The error for an element that says something else than the agent was told; tells the agent what it says now. */
export function changed(
  session: Session,
  entry: RefEntry,
  now: { role: string; name: string; row: string; fingerprint: number },
): ToolError {
  const was = describeTold(entry.told);
  session.refs.update(entry, now);
  return new ToolError('ref_changed', `${entry.ref} was ${was} and is now ${describeTold(now)}. Nothing was done.`);
}

export function elementOf(entry: RefEntry): { ref: string; role: string; name: string; tag: string; id?: string } {
  const { node, told } = entry;
  return {
    ref: entry.ref,
    role: told.role,
    name: told.name,
    tag: node.tag ?? '',
    ...(node.domId !== undefined && { id: node.domId }),
  };
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function notInTime(entry: RefEntry, timeout: number, cause: unknown): ToolError {
  return new ToolError(
    'timeout',
    `${entry.ref} (${describeTold(entry.told)}) did not take the action within ${timeout} ms.`,
    { cause },
  );
}
