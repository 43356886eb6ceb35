import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from './progress.mjs';

const REFRESH_MS = 5_000;
const ABANDONED_MS = 30_000;
// No event tells one process that another gave up a folder, on every file system: so it is looked at again.
const LOOK_AGAIN_MS = 200;

/**
 * Runs `work` while no other process does so with the same folder. The owner refreshes its mark; a lock whose process is
 * gone or whose mark is old is taken over.
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  await acquire(folder);
  const mark = ownerFile(folder);
  const refresh = setInterval(() => void utimes(mark, new Date(), new Date()).catch(reportLost), REFRESH_MS);
  try {
    return await work();
  } finally {
    clearInterval(refresh);
    await takeAway(folder, process.pid);
  }
}

/** @param {string} folder */
async function acquire(folder) {
  await mkdir(join(folder, '..'), { recursive: true });
  let announced = false;
  while (!(await tryAcquire(folder))) {
    const owner = await ownerOf(folder);
    if (owner?.abandoned) await takeAway(folder, owner.pid);
    else {
      if (owner && !announced) say(`Waiting for process ${owner.pid}, which is preparing the same folder …`);
      announced ||= owner !== undefined;
      await wait(LOOK_AGAIN_MS);
    }
  }
}

/** @param {string} folder */
async function tryAcquire(folder) {
  // Invariant: the lock appears with its mark inside, so that a lock without an owner is never seen.
  const prepared = `${folder}.${process.pid}`;
  await rm(prepared, { recursive: true, force: true });
  await mkdir(prepared);
  await writeFile(ownerFile(prepared), String(process.pid));
  try {
    await rename(prepared, folder);
    return true;
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    if (isOccupied(error)) return false;
    throw error;
  }
}

/** @param {string} folder */
async function ownerOf(folder) {
  try {
    const [pid, { mtimeMs }] = await Promise.all([readFile(ownerFile(folder), 'utf8'), stat(ownerFile(folder))]);
    return { pid: Number(pid), abandoned: !isAlive(Number(pid)) || Date.now() - mtimeMs > ABANDONED_MS };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Removes the lock of one owner. It is moved aside first: a folder that is being emptied could be taken as a free place.
 * @param {string} folder
 * @param {number} pid
 */
async function takeAway(folder, pid) {
  const aside = `${folder}.aside-${process.pid}`;
  try {
    await rename(folder, aside);
    const owner = Number(await readFile(ownerFile(aside), 'utf8'));
    // Another waiter was faster, and this is its lock already.
    if (owner !== pid) return await rename(aside, folder);
    await rm(aside, { recursive: true, force: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !isOccupied(error)) throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  // Our own pid in an existing lock is a leftover of an earlier process with the same number, as containers have.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** @param {unknown} error */
function reportLost(error) {
  say(`The lock of this bootstrap was taken away: ${error instanceof Error ? error.message : error}`);
}

/** @param {unknown} error what renaming onto a folder with content says, by platform */
function isOccupied(error) {
  return ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].some(code => hasCode(error, code));
}

/** @param {unknown} error @param {string} code */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** @param {string} folder */
function ownerFile(folder) {
  return join(folder, 'owner');
}
