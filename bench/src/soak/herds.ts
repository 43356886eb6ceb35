import { InMemoryStore } from '@mastra/core/storage';
import type { Random } from '../../pages/random.ts';
import { chromiumPath } from '../chromium.ts';
import type { BrowserPool } from './pool.ts';
import { makeToolset, type SoakSession, type SoakToolset, type ToolsetOptions } from './toolset.ts';

export interface HerdOptions {
  pool: BrowserPool;
  /** Where downloads go. */
  downloads: string;
  /** Where files to upload are. */
  uploads: string;
  concurrency: number;
  /** Milliseconds. */
  timeout: number;
}

interface Thread {
  threadId: string;
}

/** One session in so many attaches to a browser of the pool. */
const REMOTE_SHARE = 0.4;
/** One session in so many is worked on by two processes in turns: two toolsets that share records stand for them. */
const SHARED_SHARE = 0.3;

/** The toolsets of a run: with a Chromium of their own or a pool's, alone or taking turns by records. */
export class Herds {
  readonly #launched: SoakToolset[];
  readonly #remote: SoakToolset[];
  readonly #launchedInTurns: SoakToolset[];
  readonly #remoteInTurns: SoakToolset[];

  readonly options: HerdOptions;

  constructor(options: HerdOptions) {
    this.options = options;
    const { pool, downloads, uploads, concurrency, timeout } = options;
    const shared = {
      downloadsPath: downloads,
      uploadRoots: [uploads],
      timeout,
      navigationTimeout: 3 * timeout,
      // Those that were not closed hibernate for the ones that run.
      sessions: { max: concurrency, idleMs: 3_000 },
    };
    const launched = { ...shared, executablePath: chromiumPath() };
    const remote = { ...shared, cdpUrl: ({ threadId }: Thread) => pool.endpoint(threadId) };
    // Toolsets know nothing of each other: two of them cannot share a browser between their threads.
    const own = { ...shared, cdpUrl: ({ threadId }: Thread) => pool.ownEndpoint(threadId) };
    this.#launched = [makeToolset(launched)];
    this.#remote = [makeToolset(remote)];
    this.#launchedInTurns = sharingRecords(launched);
    this.#remoteInTurns = sharingRecords(own);
  }

  /** A thread's sessions: several where several processes share it. */
  sessions(threadId: string, random: Random): SoakSession[] {
    const isRemote = this.options.pool.size > 0 && random.chance(REMOTE_SHARE);
    const isShared = random.chance(SHARED_SHARE);
    const alone = isRemote ? this.#remote : this.#launched;
    const together = isRemote ? this.#remoteInTurns : this.#launchedInTurns;
    return (isShared ? together : alone).map(toolset => toolset.session(threadId));
  }

  async close(): Promise<void> {
    const all = [this.#launched, this.#remote, this.#launchedInTurns, this.#remoteInTurns].flat();
    await Promise.all(all.map(toolset => toolset.close()));
  }
}

function sharingRecords(options: ToolsetOptions): SoakToolset[] {
  const records = new InMemoryStore();
  return [makeToolset({ ...options, records }), makeToolset({ ...options, records })];
}
