import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimFolder, removeAbandonedFolders } from '../../src/browser/files/temporary-folders.js';
import { hostPrograms } from './host-program.js';
import { isRunning, ownTemporaryFolder } from './machine.js';

const host = hostPrograms();
const temporary = ownTemporaryFolder();
const SERVER = `setInterval(() => {}, 1_000);`;

/** What is in the temporary folder beside what was there before. */
async function startedBeside(before: readonly string[]) {
  const program = await host(SERVER);
  return { program, own: temporary.entries().filter(name => !before.includes(name)) };
}

test('what a killed program has left is removed at the next start of another', async () => {
  const first = await startedBeside([]);
  expect(first.own.map(name => name.replace(/[-.][^-.]*$/, '')).sort()).toEqual(
    expect.arrayContaining(['browser-toolset', 'playwright-artifacts', 'playwright_chromiumdev_profile']),
  );
  first.program.process.kill('SIGKILL');
  await first.program.ended;
  await expect.poll(() => first.program.helpers.filter(isRunning), { timeout: 60_000 }).toEqual([]);
  const { program } = await startedBeside(first.own);
  expect(temporary.entries().filter(name => first.own.includes(name))).toEqual([]);
  program.process.kill('SIGTERM');
  await program.ended;
  expect(temporary.entries()).toEqual([]);
});

test('so is what is left when the program and its browser are killed at once', async () => {
  const first = await startedBeside([]);
  for (const pid of [first.program.pid, ...first.program.helpers]) process.kill(pid, 'SIGKILL');
  await first.program.ended;
  await expect.poll(() => first.program.helpers.filter(isRunning), { timeout: 60_000 }).toEqual([]);
  expect(temporary.entries().sort()).toEqual(first.own.sort());
  const { program } = await startedBeside(first.own);
  expect(temporary.entries().filter(name => first.own.includes(name))).toEqual([]);
  program.process.kill('SIGTERM');
  await program.ended;
});

test('nothing is removed of a program that runs, also while it is stopped', async () => {
  const first = await startedBeside([]);
  const { program: second, own } = await startedBeside(first.own);
  first.program.process.kill('SIGSTOP');
  const { program: third } = await startedBeside([...first.own, ...own]);
  expect(temporary.entries()).toEqual(expect.arrayContaining([...first.own, ...own]));
  first.program.process.kill('SIGCONT');
  for (const program of [first.program, second, third]) {
    program.process.kill('SIGTERM');
    await program.ended;
  }
  expect(temporary.entries()).toEqual([]);
});

test('a folder of another program, and one that is just being made, stay', async () => {
  const root = process.env.TMPDIR ?? '';
  const others = ['playwright_chromiumdev_profile-', 'playwright-artifacts-', 'browser-toolset-'].map(name =>
    mkdtempSync(join(root, name)),
  );
  const named = join(root, 'browser-toolset-of-somebody');
  mkdirSync(named);
  const claimed = mkdtempSync(join(root, 'browser-toolset-'));
  const end = await claimFolder(claimed);
  await removeAbandonedFolders();
  expect(temporary.entries().sort()).toEqual(
    [...others, named, claimed].map(path => path.slice(root.length + 1)).sort(),
  );
  end();
  await removeAbandonedFolders();
  expect(temporary.entries()).not.toContain(claimed.slice(root.length + 1));
});
