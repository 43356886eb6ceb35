import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
export async function removeAbandonedMemory(since: number): Promise<void> {
  const wait = untilCertain(since);
  if (wait === undefined) return;
  if (wait > 0) await delay(wait);
  remove(since);
}

/** As `removeAbandonedMemory`, for a process that is about to be gone: blocks. */
export function removeAbandonedMemoryNow(since: number): void {
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
  return namesIn(folder).flatMap(name => {
    const path = join(folder, name);
    const file = TEMPORARY_FILE.test(name) ? statsOf(path) : undefined;
    const isOurs = file?.isFile() === true && file.uid === process.getuid?.() && file.mtimeMs >= since;
    return isOurs ? [{ path, age: now - file.mtimeMs }] : [];
  });
}

/** A folder that cannot be listed keeps what is in it. */
function namesIn(folder: string): string[] {
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
