import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Random } from '../../pages/random.ts';
import { kill, ownBrowsers, renderers } from '../processes.ts';
import type { BrowserPool } from './pool.ts';
import type { SoakSite } from './site.ts';

/** What a fault may hit. */
export interface Victims {
  site: SoakSite;
  pool: BrowserPool;
  /** Where the toolsets put downloads. */
  downloads: DownloadsFolder;
}

export const faultNames = [
  'kill browser',
  'kill remote browser',
  'kill renderers',
  'crash a page',
  'freeze renderers',
  'cut the network',
  'cut the DevTools connection',
  'fill the disk',
  'hang a page',
  'abort a call',
] as const;

export type FaultName = (typeof faultNames)[number];

/** Faults that a session brings about by what it does itself. */
export const ownFaults: ReadonlySet<FaultName> = new Set(['hang a page', 'abort a call']);

const FREEZE_TIME = 1_500;
const OUTAGE_TIME = 400;
const FULL_TIME = 500;

/** When which fault was inflicted. */
export class FaultLog {
  readonly counts = new Map<FaultName, number>();
  #last = -1;
  #under = 0;

  /** Whether any fault was in effect since a moment (`performance.now()`). */
  since(moment: number): boolean {
    return this.#under > 0 || this.#last >= moment;
  }

  async inflict(name: FaultName, strike: () => Promise<void>): Promise<void> {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.#under++;
    try {
      await strike();
    } finally {
      this.#under--;
      this.#last = performance.now();
    }
  }
}

/** Draws faults: each once, in random order, before any comes again. */
export class FaultDeck {
  #left: FaultName[] = [];

  readonly faults: readonly FaultName[];
  readonly random: Random;

  constructor(faults: readonly FaultName[], random: Random) {
    this.faults = faults;
    this.random = random;
  }

  draw(): FaultName {
    if (this.#left.length === 0) this.#left = this.random.shuffled(this.faults);
    const [fault] = this.#left.splice(0, 1);
    if (fault === undefined) throw new Error('There are no faults to draw.');
    return fault;
  }
}

/** Brings a fault about, and takes it back where it does not end by itself. */
export async function strike(name: FaultName, { site, pool, downloads }: Victims, random: Random): Promise<void> {
  const remote = await pool.pids();
  const launched = ownBrowsers().filter(pid => !remote.includes(pid));
  const shown = [...launched, ...remote].flatMap(renderers);
  if (name === 'kill browser') killAll(launched);
  else if (name === 'kill remote browser' && remote.length > 0) kill(random.pick(remote));
  else if (name === 'kill renderers') killAll(shown);
  else if (name === 'crash a page' && shown.length > 0) kill(random.pick(shown), 'SIGSEGV');
  else if (name === 'cut the DevTools connection') await pool.drop(random.int(0, 99));
  else if (name === 'cut the network') {
    site.outage(OUTAGE_TIME);
    await pause(OUTAGE_TIME);
  } else if (name === 'fill the disk') {
    downloads.refuse();
    await pause(FULL_TIME);
    downloads.accept();
  } else if (name === 'freeze renderers') {
    killAll(shown, 'SIGSTOP');
    await pause(FREEZE_TIME);
    killAll(shown, 'SIGCONT');
  }
}

function killAll(pids: readonly number[], signal?: NodeJS.Signals): void {
  for (const pid of pids) kill(pid, signal);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}

/** A folder that can refuse to be written to, also by a privileged user: a file stands in its place then. */
export class DownloadsFolder {
  #refusals = 0;

  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path);
  }

  get isRefusing(): boolean {
    return this.#refusals > 0;
  }

  refuse(): void {
    if (this.#refusals++ > 0) return;
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10 });
    writeFileSync(this.path, '');
  }

  accept(): void {
    if (--this.#refusals > 0) return;
    rmSync(this.path, { force: true });
    mkdirSync(this.path);
  }
}
