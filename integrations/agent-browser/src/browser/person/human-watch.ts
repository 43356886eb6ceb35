import { plainMessage } from '../../outcome/errors.js';
import type { HumanActions } from '../../outcome/human-actions.js';
import type { Testimony } from '../../page/witness-protocol.js';
import type { SessionEvents } from '../session-events.js';
import type { SessionOwner } from '../session-owner.js';
import { PageWitness } from '../tab/page-witness.js';
import type { Tab } from '../tab/tab.js';
import type { Control } from './control.js';
import { HumanRecord, type TabsNow } from './human-record.js';

/** The session whose pages a person uses. */
export interface WatchedSession {
  readonly threadId: string;
  readonly owner: SessionOwner;
  readonly events: SessionEvents;
  readonly tabs: readonly Tab[];
  readonly activeTab: Tab | undefined;
}

/**
 * Watches what a person does, for as long as there is a reason to: they have control, or a question waits for them.
 * Invariant: what happens while an action of the agent runs is not the person's.
 */
export class HumanWatch {
  #record = new HumanRecord();
  readonly #reasons = new Set<string>();
  readonly #witnesses = new Map<Tab, PageWitness>();
  #now: TabsNow = { active: undefined, url: undefined, tabs: new Map() };
  #stops: (() => void)[] = [];
  #attending: Promise<void> = Promise.resolve();

  constructor(
    readonly session: WatchedSession,
    readonly control: Control,
  ) {}

  get isWatching(): boolean {
    return this.#reasons.size > 0;
  }

  /** Resolves when what the person does from now on is seen. */
  async begin(reason: string): Promise<void> {
    const isFirst = !this.isWatching;
    this.#reasons.add(reason);
    if (!isFirst) return this.#attending;
    this.#now = tabsOf(this.session);
    const { events } = this.session;
    const look = (): void => this.#look();
    this.#stops = [events.on('tabs', look), events.on('url', look), events.on('activePage', look)];
    this.#attending = this.#attend();
    return this.#attending;
  }

  end(reason: string): void {
    if (!this.#reasons.delete(reason) || this.isWatching) return;
    for (const stop of this.#stops.splice(0)) stop();
    for (const witness of this.#witnesses.values()) witness.stop();
    this.#witnesses.clear();
  }

  /** Takes what the person did so far; later actions go into the next report. */
  take(): HumanActions | undefined {
    const record = this.#record;
    this.#record = new HumanRecord();
    return record.report();
  }

  /** Resolves when what the person did so far is in the record. */
  async heard(): Promise<void> {
    await Promise.all([...this.#witnesses.values()].map(witness => witness.heard()));
  }

  async #attend(): Promise<void> {
    await Promise.all(this.session.tabs.map(tab => this.#attendTo(tab)));
  }

  async #attendTo(tab: Tab): Promise<void> {
    if (this.#witnesses.has(tab) || tab.crashed) return;
    const witness = new PageWitness(tab.page, testimony => this.#hear(testimony));
    this.#witnesses.set(tab, witness);
    await witness.start().catch(error => {
      const { owner, threadId } = this.session;
      owner.log.debug('page cannot be watched', { threadId, error: plainMessage(error) });
    });
  }

  #look(): void {
    const before = this.#now;
    const now = tabsOf(this.session);
    this.#now = now;
    for (const [tab, witness] of this.#witnesses) {
      if (this.session.tabs.includes(tab)) continue;
      witness.stop();
      this.#witnesses.delete(tab);
    }
    void this.#attend();
    // Tabs that hibernate, crash or come back are nobody's doing.
    if (!this.#isPersons || now.active === undefined || before.active === undefined) return;
    this.#record.noteTabs(before, now);
  }

  #hear(told: Testimony): void {
    const testimony = this.session.owner.secrets.hideIn(told);
    const { role, name } = testimony;
    if (testimony.did === 'click') {
      if (this.#isPersons) this.#record.noteClick({ role, name });
      return;
    }
    const { field, isEcho, isAsBefore, ...rest } = testimony;
    if (isEcho && !this.#record.hasField(field)) return;
    const value = 'secret' in rest ? { secret: true } : { value: rest.value };
    // Input of the agent after the person is the agent's; its leaving the person's field changes nothing.
    const isNews = (this.#isPersons || isEcho) && !isAsBefore;
    this.#record.noteField(field, isNews ? { role, name, ...value } : undefined);
  }

  get #isPersons(): boolean {
    return !this.control.isAgentActing;
  }
}

function tabsOf({ tabs, activeTab, owner: { secrets } }: WatchedSession): TabsNow {
  const urls = tabs.map(tab => [tab.id, secrets.hide(tab.url)] as const);
  return { active: activeTab?.id, url: activeTab && secrets.hide(activeTab.url), tabs: new Map(urls) };
}
