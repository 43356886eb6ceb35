import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint, readIfThere, writeStamp } from '../bootstrap/stamp.mjs';

/** @type {string} */
let folder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stamp-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the fingerprint changes with a file, with a fact and when a file disappears', async () => {
  const file = join(folder, 'package.json');
  const prints = new Set([await fingerprint([file], ['linux'])]);
  await writeFile(file, '');
  prints.add(await fingerprint([file], ['linux']));
  await writeFile(file, '{}');
  prints.add(await fingerprint([file], ['linux']));
  prints.add(await fingerprint([file], ['darwin']));
  expect(prints.size).toBe(4);
  expect(prints).toContain(await fingerprint([file], ['linux']));
});

test('a stamp is read back, and one that was never written is absent', async () => {
  const stamp = join(folder, 'deep/down/stamp');
  expect(await readIfThere(stamp)).toBeUndefined();
  await writeStamp(stamp, 'abc');
  expect(await readIfThere(stamp)).toBe('abc');
});
