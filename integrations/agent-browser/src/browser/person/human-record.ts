import { type HumanActions, humanLines } from '../../outcome/human-actions.js';
import { estimateTokens } from '../../snapshot/tokens.js';

/** The most that a report may take of a model's context, in estimated tokens. */
const BUDGET = 200;
const URL_LIMIT = 120;
const TEXT_LIMIT = 80;
const MOST_TABS = 5;
/** More of each than any report has room for. */
const MOST_KEPT = 50;

type Field = NonNullable<HumanActions['fields']>[number];
type Click = NonNullable<HumanActions['clicks']>[number];

/** Where the tabs of a session stand. */
export interface TabsNow {
  active: string | undefined;
  url: string | undefined;
  /** Url by tab. */
  tabs: ReadonlyMap<string, string>;
}

/** Collects what a person does until the agent is told. */
export class HumanRecord {
  readonly #fields = new Map<string, Field>();
  #clicks: Click[] = [];
  #before: TabsNow | undefined;
  #after: TabsNow | undefined;
  #dropped = 0;

  /** The person changed which tabs there are, which is active, or its url. */
  noteTabs(before: TabsNow, after: TabsNow): void {
    this.#before ??= before;
    this.#after = after;
  }

  /** A field holds something else than before the person came; `undefined` when it holds that again. */
  noteField(key: string, field: Field | undefined): void {
    if (field === undefined) this.#fields.delete(key);
    else if (this.#fields.has(key) || this.#fields.size < MOST_KEPT) this.#fields.set(key, cutField(field));
    else this.#dropped++;
  }

  hasField(key: string): boolean {
    return this.#fields.has(key);
  }

  noteClick({ role, name }: Click): void {
    const last = this.#clicks.at(-1);
    const click = { role, name: cut(name, TEXT_LIMIT) };
    if (last?.role === role && last.name === click.name) return;
    this.#clicks.push(click);
    if (this.#clicks.length <= MOST_KEPT) return;
    this.#clicks.shift();
    this.#dropped++;
  }

  /** The report; undefined when the person did nothing. */
  report(): HumanActions | undefined {
    const fields = [...this.#fields.values()];
    // That a field was clicked before it was filled in goes without saying.
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
    const [opened, closed] = [allOpened.slice(0, MOST_TABS), allClosed.slice(0, MOST_TABS)];
    const moves = {
      ...(before.url !== after.url &&
        before.active === after.active &&
        before.url !== undefined &&
        after.url !== undefined && { url: { before: cut(before.url, URL_LIMIT), after: cut(after.url, URL_LIMIT) } }),
      ...(opened.length > 0 && { tabsOpened: opened.map(([tab, url]) => ({ tab, url: cut(url, URL_LIMIT) })) }),
      ...(closed.length > 0 && { tabsClosed: closed }),
      ...(before.active !== after.active && after.active !== undefined && { activeTab: after.active }),
    };
    return { moves, dropped: allOpened.length + allClosed.length - opened.length - closed.length };
  }
}

interface Details {
  fields: Field[];
  clicks: Click[];
  dropped: number;
}

/** Leaves out the oldest clicks first, then the last fields, until the report fits. */
function fitted(moves: HumanActions, details: Details): HumanActions {
  const fields = [...details.fields];
  const clicks = [...details.clicks];
  let more = details.dropped;
  for (;;) {
    const actions = {
      ...moves,
      ...(fields.length > 0 && { fields }),
      ...(clicks.length > 0 && { clicks }),
      ...(more > 0 && { more }),
    };
    const isSmall = estimateTokens(humanLines(actions).join('\n')) <= BUDGET;
    if (isSmall || (clicks.length === 0 && fields.length === 0)) return actions;
    if (clicks.length > 1 || fields.length === 0) clicks.shift();
    else fields.pop();
    more++;
  }
}

function cutField({ role, name, value, secret }: Field): Field {
  return {
    role,
    name: cut(name, TEXT_LIMIT),
    ...(secret ? { secret } : value !== undefined && { value: cut(value, TEXT_LIMIT) }),
  };
}

/** Never between the two halves of a character. */
function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
