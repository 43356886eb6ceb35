import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../pages/random.ts';
import { chromiumPath } from '../chromium.ts';
import { Actor } from './actor.ts';
import {
  DownloadsFolder,
  FaultLog,
  type FaultName,
  faultNames,
  ownFaults,
  pause,
  strike,
  type Victims,
} from './faults.ts';
import { Ledger } from './ledger.ts';
import { BrowserPool } from './pool.ts';
import { allProcesses, descendants } from './processes.ts';
import { type Sample, takeSample } from './sample.ts';
import { serveSite } from './site.ts';
import { makeToolset, type Toolset } from './toolset.ts';

export interface SoakOptions {
  sessions: number;
  seed: string;
  concurrency: number;
  /** Actions of a session. */
  steps: number;
  /** Browsers of the pool that a part of the sessions attaches to. */
  pool: number;
  faults: readonly FaultName[];
  /** Told after each session. */
  progress(line: Progress): void;
}

export interface Progress {
  ledger: Ledger;
  faults: FaultLog;
  seconds: number;
}

export interface SoakRun {
  ledger: Ledger;
  faults: FaultLog;
  samples: Sample[];
  seconds: number;
  /** Processes that were left over, by command. */
  leakedProcesses: string[];
  leakedFiles: string[];
}

/** One step in so many brings a fault about. */
const FAULT_SHARE = 0.25;
/** One session in so many attaches to a browser of the pool. */
const REMOTE_SHARE = 0.3;
/** After so many tries without a fault in between a session counts as lost. */
const MOST_TRIES = 4;
const SAMPLE_EVERY = 10;
/** How long processes and files may take to be gone once everything is closed, in milliseconds. */
const END_TIME = 10_000;

export async function runSoak(options: SoakOptions): Promise<SoakRun> {
  const before = process.env.TMPDIR;
  const root = mkdtempSync(join(tmpdir(), 'soak-'));
  const temporary = join(root, 'temporary');
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
  try {
    return await new Soak(options, root).run(temporary);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

class Soak {
  readonly #ledger = new Ledger();
  readonly #faults = new FaultLog();
  readonly #samples: Sample[] = [];
  readonly #began = performance.now();
  readonly #pool: BrowserPool;
  readonly #downloads: DownloadsFolder;

  readonly options: SoakOptions;

  constructor(options: SoakOptions, root: string) {
    this.options = options;
    this.#pool = new BrowserPool(options.pool, join(root, 'pool'));
    this.#downloads = new DownloadsFolder(join(root, 'downloads'));
  }

  async run(temporary: string): Promise<SoakRun> {
    const { sessions, seed, concurrency, pool } = this.options;
    const site = await serveSite();
    const shared = {
      executablePath: chromiumPath(),
      downloadsPath: this.#downloads.path,
      timeout: 5_000,
      navigationTimeout: 15_000,
      // Those that were not closed hibernate for the ones that run.
      sessions: { max: concurrency, idleMs: 3_000 },
    };
    const { executablePath: _, ...attached } = shared;
    const launched = makeToolset(shared);
    const remote = makeToolset({
      ...attached,
      cdpUrl: ({ threadId }: { threadId: string }) => this.#pool.endpoint(threadId),
    });
    const victims = { site, pool: this.#pool, downloads: this.#downloads };
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < sessions) {
        const number = next++;
        const random = new Random(`${seed}/${number}`);
        const toolset = pool > 0 && random.chance(REMOTE_SHARE) ? remote : launched;
        await this.#live(`s${number}`, { toolset, victims, random });
        await this.#done();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    await Promise.all([launched.close(), remote.close()]);
    await this.#pool.close();
    await site.close();
    const left = await leftovers(temporary);
    this.#samples.push(await takeSample(this.#ledger.sessions, this.#began));
    return { ledger: this.#ledger, faults: this.#faults, samples: this.#samples, seconds: this.#seconds, ...left };
  }

  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** A session from its first action to its end. */
  async #live(
    name: string,
    { toolset, victims, random }: { toolset: Toolset; victims: Victims; random: Random },
  ): Promise<void> {
    const stage = { site: victims.site, faults: this.#faults, ledger: this.#ledger };
    const actor = new Actor(name, { session: toolset.session(name), stage, random });
    const names = Object.keys(actor.actions);
    await this.#usable(actor, 'at the start');
    for (let step = 0; step < this.options.steps; step++) {
      const act = actor.actions[random.pick(names)];
      if (act === undefined) continue;
      if (this.options.faults.length > 0 && random.chance(FAULT_SHARE)) {
        const fault = random.pick(this.options.faults);
        await this.#under(fault, { actor, victims, random, act });
        const began = performance.now();
        await this.#usable(actor, fault);
        this.#ledger.recovered(fault, performance.now() - began);
      } else await act();
    }
    await this.#usable(actor, 'at the end');
    if (random.chance(0.8)) await actor.session.close();
  }

  /** An action during which something breaks. */
  async #under(
    fault: FaultName,
    scene: { actor: Actor; victims: Victims; random: Random; act: (signal?: AbortSignal) => Promise<boolean> },
  ): Promise<void> {
    const { actor, victims, random, act } = scene;
    const delay = random.int(0, 250);
    await this.#faults.inflict(fault, async () => {
      if (fault === 'hang a page') await actor.hang();
      else if (fault === 'abort a call') await act(AbortSignal.timeout(delay));
      else await Promise.all([act(), pause(delay).then(() => strike(fault, victims, random))]);
    });
    if (ownFaults.has(fault)) await act();
  }

  /** Holds that a session can be worked with: its page opens and a press of a button arrives. */
  async #usable(actor: Actor, after: string): Promise<void> {
    let last = '';
    for (let tries = 0; tries < MOST_TRIES; ) {
      const began = performance.now();
      const opened = await actor.open();
      if (opened.success && (await actor.add())) return;
      last = opened.message ?? actor.lastFailure;
      // What breaks for others meanwhile counts as no try.
      if (!this.#faults.since(began - 1_000)) tries++;
      else await pause(100);
    }
    this.#ledger.loseSession({
      session: actor.name,
      action: after,
      what: `was not usable in ${MOST_TRIES} tries: ${last}`,
    });
  }

  async #done(): Promise<void> {
    this.#ledger.sessions++;
    if (this.#ledger.sessions % SAMPLE_EVERY === 0)
      this.#samples.push(await takeSample(this.#ledger.sessions, this.#began));
    this.options.progress({ ledger: this.#ledger, faults: this.#faults, seconds: this.#seconds });
  }
}

/** Processes and files that are left once everything is closed. */
async function leftovers(temporary: string): Promise<{ leakedProcesses: string[]; leakedFiles: string[] }> {
  const end = performance.now() + END_TIME;
  for (;;) {
    const all = allProcesses();
    // What has lost its parent is known by the profile in this run's own folder.
    const orphans = all.filter(({ command, pid }) => pid !== process.pid && command.includes(temporary));
    const processes = [...new Set([...descendants(process.pid, all), ...orphans])];
    const leakedProcesses = processes.map(({ command }) => command.replaceAll('\0', ' ').slice(0, 200));
    const leakedFiles = readdirSync(temporary);
    if ((leakedProcesses.length === 0 && leakedFiles.length === 0) || performance.now() > end)
      return { leakedProcesses, leakedFiles };
    await pause(100);
  }
}

/** Every fault there is. */
export const allFaults: readonly FaultName[] = faultNames;
