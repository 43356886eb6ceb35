import type { PageServer } from '../../pages/server.ts';
import { interleave, type Rounds, type Timed } from '../interleave.ts';
import type { Actions, StackBrowser, StackThread } from '../stacks/stack.ts';
import { median, round, type Spread, spread } from '../statistics.ts';

type ActionName = keyof Actions;

export interface ActionsRun {
  /** Its name in the catalog. */
  page: string;
  server: PageServer;
  browsers: ReadonlyMap<string, StackBrowser>;
  rounds: Rounds;
}

/** Milliseconds of one call. */
interface ActionTimes extends Spread {
  /** Median of the floor's calls, taken in turn with these. */
  floor: number;
}

/** By action and stack, on a page with one control of each kind. */
export type ActionResults = Record<ActionName, Record<string, ActionTimes>>;

const FLOOR = 'playwright';

const names = ['Ada Lovelace', 'Grace Hopper', 'Mary Jackson'];
const colourNames = ['Green', 'Blue', 'Red'];

export async function measureActions({ page, server, browsers, rounds }: ActionsRun): Promise<ActionResults> {
  const threads: StackThread[] = [];
  const results: ActionResults = { click: {}, type: {}, select: {} };
  const subjects: Record<ActionName, Timed[]> = { click: [], type: [], select: [] };
  for (const [name, browser] of browsers) {
    const thread = await browser.thread('actions');
    threads.push(thread);
    await thread.navigate(server.url(page));
    const actions = await thread.prepareActions?.();
    if (!actions) continue;
    subjects.click.push({ name, run: actions.click });
    subjects.type.push({ name, run: cycling(names, actions.type) });
    subjects.select.push({ name, run: cycling(colourNames, actions.select) });
  }
  for (const action of ['click', 'type', 'select'] as const) {
    const floor = subjects[action].find(({ name }) => name === FLOOR);
    for (const subject of subjects[action]) results[action][subject.name] = await againstFloor(subject, floor, rounds);
  }
  for (const thread of threads) await thread.close();
  return results;
}

/** In turn with the floor and with nothing else: what one stack goes on doing in the background must not slow another. */
async function againstFloor(subject: Timed, floor: Timed | undefined, rounds: Rounds): Promise<ActionTimes> {
  const pair = floor === undefined || floor === subject ? [subject] : [subject, floor];
  const samples = await interleave(pair, rounds);
  const times = samples.get(subject.name) ?? [];
  return { ...spread(times), floor: round(median(samples.get(FLOOR) ?? times)) };
}

/** Another value at each call: one that is there already would let a stack do nothing. */
function cycling(values: readonly string[], call: (value: string) => Promise<unknown>): () => Promise<unknown> {
  let round = 0;
  return () => call(values[round++ % values.length] ?? '');
}
