import type { ChildProcess } from 'node:child_process';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimFolder, isTemporaryFolder, REMOVE, singletonFolderOf } from '../files/temporary-folders.js';

/** Chromium's names for temporary files (base/files/file_util_posix.cc). */
const TEMPORARY_FILE = /^\.(org|com)\.[\w.-]+\.\w{6}$/;
/**
 * In milliseconds: from this age a file counts as abandoned. Where `/dev/shm` may be small, Chromium keeps shared
 * memory in temporary files and unlinks them once open (base/memory/platform_shared_memory_region_posix.cc). A file
 * that stays belongs to a process that was killed in between; no event reports that.
 */
const ABANDONED_MS = 1_000;

/** Removes shared memory files that Chromium processes abandoned since `since` (`Date.now()`). */
async function removeAbandonedMemory(since: number): Promise<void> {
  await delay(untilCertain(since));
  remove(since);
}

/** The blocking form of `removeAbandonedMemory`, for a host process that is exiting. */
function removeAbandonedMemoryNow(since: number): void {
  block(untilCertain(since));
  remove(since);
}

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Milliseconds until every present file counts as abandoned. */
function untilCertain(since: number): number {
  // Timers take whole milliseconds; file ages are fractions.
  return Math.max(0, ...filesSince(since).map(({ age }) => Math.ceil(ABANDONED_MS - age) + 1));
}

function remove(since: number): void {
  for (const { path, age } of filesSince(since)) if (age >= ABANDONED_MS) rmSync(path, { force: true });
}

function filesSince(since: number): { path: string; age: number }[] {
  const now = Date.now();
  const folder = tmpdir();
  return fileNamesIn(folder).flatMap(name => {
    const path = join(folder, name);
    const file = TEMPORARY_FILE.test(name) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    const isOurs = file?.isFile() === true && file.uid === process.getuid?.() && file.mtimeMs >= since;
    return isOurs ? [{ path, age: now - file.mtimeMs }] : [];
  });
}

/** A folder that cannot be listed keeps its files. */
function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const USER_DATA_DIR = '--user-data-dir=';

/** Retries of a blocking removal, and the pause between them in milliseconds. */
const MOST_TRIES = 100;
const RETRY_PAUSE_MS = 20;

/** The process of a Chromium launched here: kills it and removes its files when it does not end by request. */
export class ChromiumProcess {
  readonly #leftovers = new Set<string>();
  /** End the claims to folders that stay after a kill of this process. */
  readonly #claims: (() => void)[] = [];
  readonly #began = Date.now();
  #hasEnded: boolean;
  /** Resolves when the process and its helpers, which share its output pipes, have ended. */
  readonly ended: Promise<void>;

  constructor(readonly child: ChildProcess) {
    // This must precede the launcher's removal of the profile, which links to the singleton socket.
    child.once('exit', code => {
      this.#noteLeftovers();
      // Helpers can outlive a browser that crashed, and its `close` event waits for their pipes. After a clean exit
      // they may still write the profile, so they are left running.
      if (code !== 0) this.kill();
    });
    this.#hasEnded = child.exitCode !== null || child.signalCode !== null;
    this.ended = new Promise(resolve => {
      if (this.#hasEnded) resolve();
      child.once('close', () => {
        this.#hasEnded = true;
        resolve();
      });
    });
  }

  /** Kills the process and its helpers: at once, or as soon as it runs. */
  kill(): void {
    const { pid } = this.child;
    // The id of an ended process group may have been reused.
    if (this.#hasEnded) return;
    if (pid === undefined) {
      // Node publishes a process before it has an id.
      this.child.once('spawn', () => this.kill());
      return;
    }
    try {
      // Playwright makes the browser the leader of a process group; Windows has none.
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /**
   * Notes the browser's folders once it runs: a tool that ends it may first remove the links to them. Should this process
   * be killed, the next launch of any process removes them.
   * @param artifacts The folder in which Playwright keeps downloads and traces.
   */
  async claimFolders(artifacts: string): Promise<void> {
    this.#noteLeftovers();
    const folders = [artifacts, ...this.#leftovers].filter(isTemporaryFolder);
    for (const folder of folders) this.#leftovers.add(folder);
    this.#claims.push(...(await Promise.all(folders.map(claimFolder))));
  }

  /** Removes the temporary files of this Chromium after its processes have ended. */
  async removeLeftovers(): Promise<void> {
    this.#noteLeftovers();
    for (const end of this.#claims.splice(0)) end();
    await Promise.all([...[...this.#leftovers].map(path => rm(path, REMOVE)), removeAbandonedMemory(this.#began)]);
  }

  /** The blocking form of `removeLeftovers`, for a host process that is exiting. */
  removeLeftoversNow(): void {
    this.#noteLeftovers();
    for (const path of this.#leftovers) removeNow(path);
    removeAbandonedMemoryNow(this.#began);
  }

  #noteLeftovers(): void {
    // A process that failed to spawn has no arguments.
    for (const path of leftoversOf(this.child.spawnargs ?? [])) this.#leftovers.add(path);
  }
}

/** Removes a folder that ending processes may still write to. Blocks; gives up after `MOST_TRIES`. */
function removeNow(path: string): void {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch {
      block(RETRY_PAUSE_MS);
    }
  }
}

/** The profile, if it is temporary, and the singleton socket folder that a link in the profile points to. */
function leftoversOf(args: readonly string[]): string[] {
  const profile = args.find(arg => arg.startsWith(USER_DATA_DIR))?.slice(USER_DATA_DIR.length);
  if (profile === undefined) return [];
  const own = isTemporaryFolder(profile) ? [profile] : [];
  return [...own, ...singletonFolderOf(profile)];
}
