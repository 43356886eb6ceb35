import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MODULE = JSON.stringify(new URL('../bootstrap/lock.mjs', import.meta.url).href);

/** @type {string} */
let folder;
/** @type {string} */
let lock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  lock = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

/** A process that takes the lock, says so, holds it for a moment and says when it is about to give it up. */
function holder() {
  const script = `
    import { setTimeout } from 'node:timers/promises';
    import { withLock } from ${MODULE};
    await withLock(${JSON.stringify(lock)}, async () => {
      process.stdout.write('in ');
      await setTimeout(100);
      process.stdout.write('out ');
    });`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** @param {ReturnType<typeof holder>[]} processes @returns {Promise<string>} what all of them said, in order */
async function runAll(processes) {
  let said = '';
  for (const { stdout } of processes) stdout.on('data', chunk => (said += chunk));
  await Promise.all(processes.map(process => once(process, 'close')));
  return said;
}

/** @param {number} pid @param {Date} [refreshed] */
async function leaveLockOf(pid, refreshed = new Date()) {
  await mkdir(lock);
  await writeFile(join(lock, 'owner'), String(pid));
  await utimes(join(lock, 'owner'), refreshed, refreshed);
}

test('processes that start together do their work one after another and leave nothing behind', async () => {
  const said = await runAll([holder(), holder(), holder(), holder()]);
  expect(said).toBe('in out in out in out in out ');
  expect(await readdir(folder)).toEqual([]);
});

test('a lock whose process is gone is taken over', async () => {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'close');
  await leaveLockOf(Number(gone.pid));
  expect(await runAll([holder(), holder()])).toBe('in out in out ');
});

test('a lock that nobody refreshed for a minute is taken over, although its process number is in use', async () => {
  await leaveLockOf(process.pid, new Date(Date.now() - 60_000));
  expect(await runAll([holder()])).toBe('in out ');
});

test('whoever waits says for whom', async () => {
  await leaveLockOf(process.pid);
  const waiting = holder();
  const [line] = await once(waiting.stderr, 'data');
  expect(String(line)).toContain(`Waiting for process ${process.pid}`);
  await rm(lock, { recursive: true });
  expect(await runAll([waiting])).toBe('in out ');
});
