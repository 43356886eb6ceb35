import { seedNote } from '../../../../scripts/testing/trials.js';
import type { BrowserSession } from '../../src/index.js';
import type { CommonResult } from '../../src/results/result.js';
import { expectSuccess, type Snapshot } from '../fixtures.js';
import type { Churn, ChurnSite } from './churn-site.js';

/** What came of the actions on a page that churns. */
export interface Tally {
  actions: number;
  right: number;
  recovered: number;
  wrong: string[];
  /** Actions that were told as a success and reached no item. */
  lost: string[];
  refused: Record<string, number>;
  /** Milliseconds that each refusal took. */
  refusalTimes: number[];
  /** After a refusal: the same item, found again in what the refusal told, was hit. */
  followed: number;
  /** After a refusal the item was no longer on the page. */
  gone: number;
  notFollowed: string[];
  /** What happened to lists between the snapshot and the action, and how often. */
  changes: Record<string, number>;
  /** When pages changed, of those that were to change while an action was under way. */
  changedWhen: Set<string>;
}

export const emptyTally = (): Tally => ({
  actions: 0,
  right: 0,
  recovered: 0,
  wrong: [],
  lost: [],
  refused: {},
  refusalTimes: [],
  followed: 0,
  gone: 0,
  notFollowed: [],
  changes: {},
  changedWhen: new Set(),
});

/** Refusals that are an honest answer to a page that changes under the action. */
const HONEST = new Set([
  'stale_ref',
  'ref_changed',
  'element_blocked',
  'element_not_visible',
  'timeout',
  // A field that is moved within its document loses the focus.
  'not_focusable',
]);
const TRIES_AFTER_REFUSAL = 4;

/** Where the last click and the last press landed; '' when there was none. */
interface Hit {
  item: string;
  press: string;
}

/** Acts on a page that churns and counts where the actions land. */
export class ChurnRun {
  constructor(
    readonly session: BrowserSession,
    readonly site: ChurnSite,
    readonly tally: Tally,
  ) {}

  async actOn(churn: Churn, actions: number, path = '/'): Promise<void> {
    const ready = this.site.isReady();
    expectSuccess(await this.session.navigate({ url: this.site.url(churn, path) }));
    await ready;
    for (let i = 0; i < actions; i++) await this.#once(churn, i);
    if (churn.when !== 'push' && (await this.site.mutations()) > 0) this.tally.changedWhen.add(churn.when);
  }

  async #once(churn: Churn, index: number): Promise<void> {
    const { session, tally } = this;
    const seen = expectSuccess(await session.snapshot({ interactiveOnly: false }));
    const refs = Object.keys(seen.refs ?? {}).filter(ref => seen.refs?.[ref]?.name?.startsWith('Delete'));
    const ref = refs[(churn.seed * 7 + index * 5) % refs.length];
    if (ref === undefined) throw new Error(`nothing to click in\n${seen.tree}`);
    const item = itemOf(seen, ref);
    if (churn.when === 'push') {
      const change = await this.site.mutate();
      tally.changes[change] = (tally.changes[change] ?? 0) + 1;
    }
    const { result, hit, took } = await this.#act(churn, ref, seen);
    tally.actions++;
    const where: string = `${seedNote(churn.seed)}: ${JSON.stringify(churn)} ${ref} item ${item}: ${JSON.stringify(hit)}, ${result.code ?? 'success'} ${result.message ?? ''}`;
    if (isWrong(hit, item)) tally.wrong.push(where);
    if (result.success) {
      if (hit.item === item) tally.right++;
      else tally.lost.push(where);
      if (result.recovered !== undefined) tally.recovered++;
      return;
    }
    tally.refusalTimes.push(took);
    tally.refused[result.code ?? ''] = (tally.refused[result.code ?? ''] ?? 0) + 1;
    // A text that was begun is told so.
    const isBegun = /was only partly (?:performed|typed)/.test(result.message ?? '');
    if (!HONEST.has(result.code ?? '') || (hit.item !== '' && !isBegun)) tally.wrong.push(where);
    else await this.#follow(churn, item, `${where} ${result.changes}`);
  }

  /** Acts on a ref, and says which items it landed on. */
  async #act(churn: Churn, ref: string, before: Snapshot): Promise<{ result: CommonResult; hit: Hit; took: number }> {
    const began = performance.now();
    const result = await this.#perform(churn, ref);
    const took = performance.now() - began;
    const after = countedIn(result.title ?? titleOf(expectSuccess(await this.session.snapshot())));
    const was = countedIn(titleOf(before));
    const item = after.clicks === was.clicks ? '' : after.item;
    const press = after.presses === was.presses ? '' : after.press;
    return { result, hit: { item, press }, took };
  }

  async #perform({ control = 'button', names }: Churn, ref: string): Promise<CommonResult> {
    if (control === 'list') return this.session.select({ ref, labels: ['two'] });
    if (control === 'button') return this.session.click({ ref });
    return this.session.type({ ref, text: `typed ${this.tally.actions}`, slowly: names !== 'same' });
  }

  /** What an agent does after a refusal: it looks for its item in what the result says, else in a new snapshot. */
  async #follow(churn: Churn, item: string, where: string): Promise<void> {
    const { session, tally } = this;
    for (let i = 0; i < TRIES_AFTER_REFUSAL; i++) {
      const seen = expectSuccess(await session.snapshot({ interactiveOnly: false }));
      const ref = Object.keys(seen.refs ?? {}).find(
        candidate => seen.refs?.[candidate]?.name?.startsWith('Delete') && itemOf(seen, candidate) === item,
      );
      if (ref === undefined) {
        tally.gone++;
        return;
      }
      const { result, hit } = await this.#act(churn, ref, seen);
      if (isWrong(hit, item)) tally.wrong.push(`following: ${where}`);
      if (result.success) {
        tally.followed++;
        return;
      }
    }
    tally.notFollowed.push(where);
  }
}

/** The item whose label stands on the line of a ref or nearest before it. */
function itemOf({ tree }: Snapshot, ref: string): string {
  const lines = (tree ?? '').split('\n');
  const at = lines.findIndex(line => new RegExp(`[^-(]${ref}( |$)`).test(line));
  for (let i = at; i >= 0; i--) {
    const found = /#(\d+)/.exec(lines[i] ?? '');
    if (found !== null) return found[1] as string;
  }
  throw new Error(`no item for ${ref} in\n${tree}`);
}

/** A click on another item than the one meant. `none` is the page beside the items, where a click does nothing. */
function isWrong(hit: Hit, item: string): boolean {
  return [hit.item, hit.press].some(landed => landed !== '' && landed !== 'none' && landed !== item);
}

function titleOf({ tree }: Snapshot): string {
  return /^page "([^"]*)"/.exec(tree ?? '')?.[1] ?? '';
}

/** What the page counted, from its title. */
function countedIn(title: string): Hit & { clicks: string; presses: string } {
  const [clicks, item, presses, press] = title.split(' ');
  if (clicks === undefined || item === undefined || presses === undefined || press === undefined)
    throw new Error(`no count in ${JSON.stringify(title)}`);
  return { clicks, item, presses, press };
}
