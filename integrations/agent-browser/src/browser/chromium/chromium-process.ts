import type { ChildProcess } from 'node:child_process';
import { lstatSync, readdirSync, readlinkSync, rmSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How Chromium and its vendors name temporary files (base/files/file_util_posix.cc). */
const TEMPORARY_FILE = /^\.(org|com)\.[\w.-]+\.\w{6}$/;
/**
 * Where `/dev/shm` may be small, Chromium keeps its shared memory in such files, and takes their names away as soon as it has
 * them open (base/memory/platform_shared_memory_region_posix.cc). What has its name for longer than so many milliseconds is
 * of a process that was ended in between; nothing tells when that is.
 */
const ABANDONED = 1_000;

/** Removes the shared memory that processes of Chromium have abandoned since then (`Date.now()`). */
async function removeAbandonedMemory(since: number): Promise<void> {
  const wait = untilCertain(since);
  if (wait === undefined) return;
  if (wait > 0) await delay(wait);
  remove(since);
}

/** As `removeAbandonedMemory`, for a process that is about to be gone: blocks. */
function removeAbandonedMemoryNow(since: number): void {
  const wait = untilCertain(since);
  if (wait === undefined) return;
  if (wait > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
  remove(since);
}

/** Milliseconds until all that there is now is abandoned, or gone; undefined when there is nothing. */
function untilCertain(since: number): number | undefined {
  const ages = filesSince(since).map(({ age }) => age);
  // Timers take whole milliseconds, ages are none.
  return ages.length === 0 ? undefined : Math.ceil(ABANDONED - Math.min(...ages)) + 1;
}

function remove(since: number): void {
  for (const { path, age } of filesSince(since)) if (age >= ABANDONED) rmSync(path, { force: true });
}

function filesSince(since: number): { path: string; age: number }[] {
  const now = Date.now();
  const folder = tmpdir();
  return fileNamesIn(folder).flatMap(name => {
    const path = join(folder, name);
    const file = TEMPORARY_FILE.test(name) ? statsOf(path) : undefined;
    const isOurs = file?.isFile() === true && file.uid === process.getuid?.() && file.mtimeMs >= since;
    return isOurs ? [{ path, age: now - file.mtimeMs }] : [];
  });
}

/** A folder that cannot be listed keeps what is in it. */
function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for what is gone meanwhile, as it should be. */
function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

const USER_DATA_DIR = '--user-data-dir=';
/** How Playwright names profiles that go with the browser. */
const PLAYWRIGHT_PROFILE = 'playwright_';
/** How Chromium and its vendors name the folder of the singleton socket (chrome/browser/process_singleton_posix.cc). */
const SINGLETON_FOLDER = /^\.?(org|com)\.[\w.-]+$/;
/** Processes that are ending may still write. */
const REMOVE = { recursive: true, force: true, maxRetries: 5 } as const;

/** How often, and with pauses of how many milliseconds, a folder is tried to be removed. */
const MOST_TRIES = 100;
const RETRY_PAUSE = 20;

/** The process of a Chromium that was launched here, for when asking it to end is not enough. */
export class ChromiumProcess {
  readonly #child: ChildProcess;
  readonly #leftovers = new Set<string>();
  readonly #began = Date.now();
  #hasEnded: boolean;
  /** Resolves when the process and its helpers, which hold its output, have ended. */
  readonly ended: Promise<void>;

  /** @param child A Chromium that starts or runs. */
  constructor(child: ChildProcess) {
    this.#child = child;
    // Before whoever launched it removes the profile, which says what else there is.
    child.once('exit', code => {
      this.#noteLeftovers();
      // Helpers may outlive one that died, and as long as they hold its pipes, nobody is told of its end. Those of one that
      // ended in peace may still write its profile.
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

  /** Ends the process and its helpers at once. */
  kill(): void {
    const { pid } = this.#child;
    // The id of a group that is gone may be another's by now.
    if (pid === undefined || this.#hasEnded) return;
    try {
      // Playwright makes it the leader of a process group; Windows has none.
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Removes what a Chromium that ended, or processes of it that were ended, left in the folder for temporary files. */
  async removeLeftovers(): Promise<void> {
    this.#noteLeftovers();
    await Promise.all([...[...this.#leftovers].map(path => rm(path, REMOVE)), removeAbandonedMemory(this.#began)]);
  }

  /** As `removeLeftovers`, for a process that is about to be gone. */
  removeLeftoversNow(): void {
    this.#noteLeftovers();
    for (const path of this.#leftovers) removeNow(path);
    removeAbandonedMemoryNow(this.#began);
  }

  /** Notes where it writes, once it is up: what ends it may remove the links to that first. */
  noteFolders(): void {
    this.#noteLeftovers();
  }

  #noteLeftovers(): void {
    // A process that could not be spawned has no arguments.
    for (const path of leftoversOf(this.#child.spawnargs ?? [])) this.#leftovers.add(path);
  }
}

/** Removes a folder that processes which are ending may still write to. Blocks; gives up after a while. */
function removeNow(path: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch {
      Atomics.wait(pause, 0, 0, RETRY_PAUSE);
    }
  }
}

/** The profile, unless it is to be kept, and the folder of the singleton socket that a link in the profile points to. */
function leftoversOf(args: readonly string[]): string[] {
  const profile = args.find(arg => arg.startsWith(USER_DATA_DIR))?.slice(USER_DATA_DIR.length);
  if (profile === undefined) return [];
  const own = basename(profile).startsWith(PLAYWRIGHT_PROFILE) ? [profile] : [];
  try {
    const folder = dirname(readlinkSync(join(profile, 'SingletonSocket')));
    return SINGLETON_FOLDER.test(basename(folder)) ? [...own, folder] : own;
  } catch {
    // Old headless modes and Windows have no such socket.
    return own;
  }
}
