import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../pages/random.ts';
import { allProcesses, descendants } from '../processes.ts';
import { actionsOf } from './actions.ts';
import { Actor } from './actor.ts';
import {
  DownloadsFolder,
  FaultDeck,
  FaultLog,
  type FaultName,
  ownFaults,
  pause,
  strike,
  type Victims,
} from './faults.ts';
import { Herds } from './herds.ts';
import { Ledger } from './ledger.ts';
import { BrowserPool } from './pool.ts';
import { type Sample, takeSample } from './sample.ts';
import { serveSite } from './site.ts';
import type { SoakSession } from './toolset.ts';

export interface SoakOptions {
  sessions: number;
  /** After so many no session begins any more. */
  minutes: number;
  seed: string;
  concurrency: number;
  /** Actions of a session. */
  steps: number;
  /** Browsers of the pool that a part of the sessions attaches to. */
  pool: number;
  faults: readonly FaultName[];
  /** How many of all steps bring a fault about. */
  faultShare: number;
  /** Maximum time for an action, in milliseconds. */
  timeout: number;
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

/** One step in so many is done by another process, where several share the thread. */
const TURN_SHARE = 0.5;
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
  readonly #uploads: string;
  readonly #deck: FaultDeck;

  readonly options: SoakOptions;

  constructor(options: SoakOptions, root: string) {
    this.options = options;
    this.#pool = new BrowserPool(options.pool, join(root, 'pool'));
    this.#downloads = new DownloadsFolder(join(root, 'downloads'));
    this.#uploads = join(root, 'uploads');
    mkdirSync(this.#uploads);
    this.#deck = new FaultDeck(options.faults, new Random(`${options.seed}/faults`));
  }

  async run(temporary: string): Promise<SoakRun> {
    const { sessions, minutes, seed, concurrency, timeout } = this.options;
    const others = new Set(descendants().map(({ pid }) => pid));
    const site = await serveSite();
    const place = { pool: this.#pool, downloads: this.#downloads.path, uploads: this.#uploads };
    const herds = new Herds({ ...place, concurrency, timeout });
    const victims = { site, pool: this.#pool, downloads: this.#downloads };
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < sessions && this.#seconds < minutes * 60) {
        const number = next++;
        const random = new Random(`${seed}/${number}`);
        const name = `s${number}`;
        await this.#live(name, { sessions: herds.sessions(name, random), victims, random });
        await this.#pool.takeBack(name);
        await this.#done();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    await herds.close();
    await this.#pool.close();
    await site.close();
    const left = await leftovers(temporary, others);
    this.#samples.push(await takeSample(this.#ledger.sessions, this.#began));
    return { ledger: this.#ledger, faults: this.#faults, samples: this.#samples, seconds: this.#seconds, ...left };
  }

  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** A session from its first action to its end. */
  async #live(
    name: string,
    { sessions, victims, random }: { sessions: SoakSession[]; victims: Victims; random: Random },
  ): Promise<void> {
    const { options } = this;
    const stage = { site: victims.site, faults: this.#faults, ledger: this.#ledger, uploads: this.#uploads };
    const actor = new Actor(name, { sessions, stage, random });
    const actions = actionsOf(actor);
    const names = Object.keys(actions);
    await this.#usable(actor, 'at the start');
    for (let step = 0; step < options.steps; step++) {
      const act = actions[random.pick(names)];
      if (act === undefined) continue;
      if (random.chance(TURN_SHARE)) actor.handOver();
      if (options.faults.length > 0 && random.chance(options.faultShare)) {
        const fault = this.#deck.draw();
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
async function leftovers(
  temporary: string,
  others: ReadonlySet<number>,
): Promise<{ leakedProcesses: string[]; leakedFiles: string[] }> {
  const end = performance.now() + END_TIME;
  for (;;) {
    const all = allProcesses();
    // What has lost its parent is known by the profile in this run's own folder.
    const orphans = all.filter(({ command, pid }) => pid !== process.pid && command.includes(temporary));
    const found = new Set([...descendants(process.pid, all), ...orphans]);
    const processes = [...found].filter(({ pid }) => !others.has(pid));
    const leakedProcesses = processes.map(({ command }) => command.replaceAll('\0', ' ').slice(0, 200));
    const leakedFiles = readdirSync(temporary);
    if ((leakedProcesses.length === 0 && leakedFiles.length === 0) || performance.now() > end)
      return { leakedProcesses, leakedFiles };
    await pause(100);
  }
}
