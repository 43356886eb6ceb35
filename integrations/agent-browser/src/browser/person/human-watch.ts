import { within } from '@browser-toolset/core/waiting';
import type { CDPSession, Page } from 'playwright-core';
import { z } from 'zod/v4';
import type { WitnessReport } from '#page-engine/effects/witness.js';
import { WITNESS_SOURCE } from '#page-engine/generated/page-witness.js';
import { shortText } from '#page-engine/text/cut-text.js';
import { type HumanActions, humanLines } from '../../results/effects.js';
import { logged } from '../../results/errors.js';
import { estimateTokens } from '../../tokens.js';
import type { SessionBase } from '../session-owner.js';
import { PageSessions } from '../tab/page-sessions.js';
import type { Tab } from '../tab/tab.js';
import type { Control } from './control.js';

/** The name of the witness's isolated world, which neither the page nor Playwright's engine shares. */
const WITNESS_WORLD = 'browser-toolset-witness';
const BINDING = 'browserToolsetReport';
const SOURCE = `(${WITNESS_SOURCE})(${JSON.stringify(BINDING)})`;
/** The wait in milliseconds for a page's pending reports. */
const LAST_WORDS_MS = 500;

const change = z.object({
  did: z.literal('change'),
  field: z.string().max(100),
  role: z.string().max(100),
  name: z.string().max(1000),
  isAsBefore: z.boolean(),
  isEcho: z.boolean(),
});
/** Validates a report: a compromised renderer can send anything. */
const witnessReportSchema: z.ZodType<WitnessReport> = z.union([
  z.object({ did: z.literal('click'), role: z.string().max(100), name: z.string().max(1000) }),
  change.extend({ secret: z.literal(true) }),
  change.extend({ value: z.string().max(1000) }),
]);

/** Receives the reports of the witness scripts in all documents of a page. */
class PageWitness {
  readonly #onReport: (report: WitnessReport) => void;
  readonly #sessions: PageSessions;
  readonly #worlds = new Map<CDPSession, Set<number>>();
  #isStopped = false;

  constructor(page: Page, onReport: (report: WitnessReport) => void) {
    this.#sessions = new PageSessions(page, session => this.#begin(session));
    this.#onReport = onReport;
  }

  /** Resolves when every present document has its witness. Rejects when the page is gone. */
  async start(): Promise<void> {
    await this.#sessions.start();
  }

  /** Resolves when the page's earlier events have been reported. */
  async heard(): Promise<void> {
    const questions = this.#sessions.all.map(session => session.send('Runtime.evaluate', { expression: '0' }));
    await within(LAST_WORDS_MS, Promise.allSettled(questions));
  }

  stop(): void {
    this.#isStopped = true;
    this.#sessions.stop(session => this.#dismiss(session));
  }

  async #begin(session: CDPSession): Promise<void> {
    this.#listen(session);
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: BINDING, executionContextName: WITNESS_WORLD });
    await session.send('Page.enable');
    const script = { source: SOURCE, worldName: WITNESS_WORLD, runImmediately: true };
    await session.send('Page.addScriptToEvaluateOnNewDocument', script);
  }

  #listen(session: CDPSession): void {
    const worlds = new Set<number>();
    this.#worlds.set(session, worlds);
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === WITNESS_WORLD) worlds.add(context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => worlds.delete(executionContextId));
    session.on('Runtime.executionContextsCleared', () => worlds.clear());
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === BINDING && !this.#isStopped) this.#hear(payload);
    });
  }

  #hear(payload: string): void {
    const { data } = witnessReportSchema.safeParse(parsed(payload));
    if (data !== undefined) this.#onReport(data);
  }

  /** Stops the witness scripts: documents outlive the CDP session. */
  async #dismiss(session: CDPSession): Promise<void> {
    const worlds = [...(this.#worlds.get(session) ?? [])];
    this.#worlds.delete(session);
    const expression = 'globalThis.browserToolsetWitness?.stop()';
    const reports = worlds.map(contextId => session.send('Runtime.evaluate', { expression, contextId }));
    await within(LAST_WORDS_MS, Promise.allSettled(reports));
    await session.detach();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The limit for one report, in estimated tokens of a model's context. */
const HUMAN_ACTIONS_BUDGET = 200;
const URL_LIMIT = 120;
const HUMAN_TEXT_LIMIT = 80;
const MOST_TABS_REPORTED = 5;
const MOST_HUMAN_ACTIONS = 50;

type ReportedField = NonNullable<HumanActions['fields']>[number];
type Click = NonNullable<HumanActions['clicks']>[number];

interface TabsNow {
  active: string | undefined;
  url: string | undefined;
  tabs: ReadonlyMap<string, string>;
}

/** Collects a person's actions until they are reported to the agent. */
export class HumanRecord {
  readonly #fields = new Map<string, ReportedField>();
  #clicks: Click[] = [];
  #before: TabsNow | undefined;
  #after: TabsNow | undefined;
  #dropped = 0;

  noteTabs(before: TabsNow, after: TabsNow): void {
    this.#before ??= before;
    this.#after = after;
  }

  /** Records a changed field; `undefined` when it has its original value again. */
  noteField(key: string, field: ReportedField | undefined): void {
    if (field === undefined) this.#fields.delete(key);
    else if (this.#fields.has(key) || this.#fields.size < MOST_HUMAN_ACTIONS) this.#fields.set(key, cutField(field));
    else this.#dropped++;
  }

  hasField(key: string): boolean {
    return this.#fields.has(key);
  }

  noteClick({ role, name }: Click): void {
    const last = this.#clicks.at(-1);
    const click = { role, name: shortText(name, HUMAN_TEXT_LIMIT) };
    if (last?.role === role && last.name === click.name) return;
    this.#clicks.push(click);
    if (this.#clicks.length <= MOST_HUMAN_ACTIONS) return;
    this.#clicks.shift();
    this.#dropped++;
  }

  /** The report; undefined when the person did nothing. */
  report(): HumanActions | undefined {
    const fields = [...this.#fields.values()];
    // A click on a field that was then filled in is redundant.
    const clicks = this.#clicks.filter(
      click => !fields.some(({ role, name }) => role === click.role && name === click.name),
    );
    const { moves, dropped } = this.#moves();
    const actions = fitted(moves, { fields, clicks, dropped: this.#dropped + dropped });
    return Object.keys(actions).length === 0 ? undefined : actions;
  }

  #moves(): { moves: HumanActions; dropped: number } {
    const [before, after] = [this.#before, this.#after];
    if (before === undefined || after === undefined) return { moves: {}, dropped: 0 };
    const allOpened = [...after.tabs].filter(([tab]) => !before.tabs.has(tab));
    const allClosed = [...before.tabs.keys()].filter(tab => !after.tabs.has(tab));
    const [opened, closed] = [allOpened.slice(0, MOST_TABS_REPORTED), allClosed.slice(0, MOST_TABS_REPORTED)];
    const moves = {
      ...(before.url !== after.url &&
        before.active === after.active &&
        before.url !== undefined &&
        after.url !== undefined && {
          url: { before: shortText(before.url, URL_LIMIT), after: shortText(after.url, URL_LIMIT) },
        }),
      ...(opened.length > 0 && { tabsOpened: opened.map(([tab, url]) => ({ tab, url: shortText(url, URL_LIMIT) })) }),
      ...(closed.length > 0 && { tabsClosed: closed }),
      ...(before.active !== after.active && after.active !== undefined && { activeTab: after.active }),
    };
    return { moves, dropped: allOpened.length + allClosed.length - opened.length - closed.length };
  }
}

/** Drops the oldest clicks first, then the last fields, until the report fits the budget. */
function fitted(
  moves: HumanActions,
  { fields, clicks, dropped }: { fields: ReportedField[]; clicks: Click[]; dropped: number },
): HumanActions {
  let more = dropped;
  for (;;) {
    const actions = {
      ...moves,
      ...(fields.length > 0 && { fields }),
      ...(clicks.length > 0 && { clicks }),
      ...(more > 0 && { more }),
    };
    const isSmall = estimateTokens(humanLines(actions).join('\n')) <= HUMAN_ACTIONS_BUDGET;
    if (isSmall || (clicks.length === 0 && fields.length === 0)) return actions;
    if (clicks.length > 1 || fields.length === 0) clicks.shift();
    else fields.pop();
    more++;
  }
}

function cutField({ role, name, value, secret }: ReportedField): ReportedField {
  return {
    role,
    name: shortText(name, HUMAN_TEXT_LIMIT),
    ...(secret ? { secret } : value !== undefined && { value: shortText(value, HUMAN_TEXT_LIMIT) }),
  };
}

/**
 * Watches a person's actions while there is a reason to: the person has control, or a question is pending.
 * Invariant: events during an action of the agent are not attributed to the person.
 */
export class HumanWatch {
  #record = new HumanRecord();
  readonly #reasons = new Set<string>();
  readonly #witnesses = new Map<Tab, PageWitness>();
  #now: TabsNow = { active: undefined, url: undefined, tabs: new Map() };
  #stops: (() => void)[] = [];
  #attending: Promise<void> = Promise.resolve();

  constructor(
    readonly session: SessionBase,
    readonly control: Control,
  ) {}

  get isWatching(): boolean {
    return this.#reasons.size > 0;
  }

  /** Resolves when the person's further actions are recorded. */
  async begin(reason: string): Promise<void> {
    const isFirst = !this.isWatching;
    this.#reasons.add(reason);
    if (!isFirst) return this.#attending;
    this.#now = tabsOf(this.session);
    const { events } = this.session;
    const compare = (): void => this.#compareTabs();
    this.#stops = [events.on('tabs', compare), events.on('url', compare), events.on('activePage', compare)];
    this.#attending = this.#attend();
    return this.#attending;
  }

  end(reason: string): void {
    if (!this.#reasons.delete(reason) || this.isWatching) return;
    for (const stop of this.#stops.splice(0)) stop();
    for (const witness of this.#witnesses.values()) witness.stop();
    this.#witnesses.clear();
  }

  /** Takes the report of the actions so far; later ones go into the next. */
  take(): HumanActions | undefined {
    const record = this.#record;
    this.#record = new HumanRecord();
    return record.report();
  }

  async heard(): Promise<void> {
    await Promise.all([...this.#witnesses.values()].map(witness => witness.heard()));
  }

  async #attend(): Promise<void> {
    await Promise.all(this.session.tabs.map(tab => this.#attendTo(tab)));
  }

  async #attendTo(tab: Tab): Promise<void> {
    if (this.#witnesses.has(tab) || tab.crashed) return;
    const witness = new PageWitness(tab.page, report => this.#hear(report));
    this.#witnesses.set(tab, witness);
    await witness.start().catch(logged(this.session, 'page cannot be watched'));
  }

  #compareTabs(): void {
    const before = this.#now;
    const now = tabsOf(this.session);
    this.#now = now;
    for (const [tab, witness] of this.#witnesses) {
      if (this.session.tabs.includes(tab)) continue;
      witness.stop();
      this.#witnesses.delete(tab);
    }
    void this.#attend();
    // Hibernation, crashes and restored tabs are not a person's actions.
    if (!this.#isPersons || now.active === undefined || before.active === undefined) return;
    this.#record.noteTabs(before, now);
  }

  #hear(unmasked: WitnessReport): void {
    const report = this.session.owner.secrets.hideIn(unmasked);
    const { role, name } = report;
    if (report.did === 'click') {
      if (this.#isPersons) this.#record.noteClick({ role, name });
      return;
    }
    const { field, isEcho, isAsBefore, ...rest } = report;
    if (isEcho && !this.#record.hasField(field)) return;
    const value = 'secret' in rest ? { secret: true } : { value: rest.value };
    // Later input of the agent replaces the person's; an echo, when the agent only leaves the person's field, does not.
    const isNew = (this.#isPersons || isEcho) && !isAsBefore;
    this.#record.noteField(field, isNew ? { role, name, ...value } : undefined);
  }

  get #isPersons(): boolean {
    return !this.control.isAgentActing;
  }
}

function tabsOf({ tabs, activeTab, owner: { secrets } }: SessionBase): TabsNow {
  const urls = tabs.map(tab => [tab.id, secrets.hide(tab.url)] as const);
  return { active: activeTab?.id, url: activeTab && secrets.hide(activeTab.url), tabs: new Map(urls) };
}
