import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Does work with a folder for temporary files of its own, and says which processes are left that were given it. The files go
 * with the folder: programs that tests kill cannot remove theirs, and tests that look at what is left have folders of their own.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<{ value: T, left: string[] }>}
 */
export async function withOwnTemporary(work) {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  process.env.TMPDIR = folder;
  try {
    const value = await work();
    return { value, left: processesWith(folder) };
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Processes that have a folder for their temporary files, where the kernel tells of them in files (proc(5)).
 * @param {string} folder
 */
function processesWith(folder) {
  const pids = list('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids
    .filter(pid => read(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${folder}`))
    .map(pid => `process ${pid}: ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200)}`);
}

/** @param {string} folder */
function list(folder) {
  return unlessGone(() => readdirSync(folder), []);
}

/** @param {string} file */
function read(file) {
  return unlessGone(() => readFileSync(file, 'utf8'), '');
}

/**
 * @template T
 * @param {() => T} look
 * @param {T} otherwise
 */
function unlessGone(look, otherwise) {
  try {
    return look();
  } catch (error) {
    // A process that has ended meanwhile, or another user's; elsewhere there is no such folder.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code)))
      return otherwise;
    throw error;
  }
}
