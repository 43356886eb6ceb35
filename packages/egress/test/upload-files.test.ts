import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isInside, MOST_BYTES, readUploads } from '../src/upload-files.js';

const base = await realpath(await mkdtemp(join(tmpdir(), 'uploads-')));
const root = join(base, 'root');
await mkdir(join(root, 'inner'), { recursive: true });
await mkdir(join(base, 'root-beside'));
await Promise.all([
  writeFile(join(root, 'a.txt'), 'aaa'),
  writeFile(join(root, 'inner', 'b.txt'), 'b'),
  writeFile(join(root, 'empty'), ''),
  writeFile(join(root, 'ünï ✓ %41.txt'), 'odd but fine'),
  writeFile(join(root, 'back\\slash.txt'), ''),
  writeFile(join(base, 'secret.txt'), 'secret'),
  writeFile(join(base, 'root-beside', 'c.txt'), 'c'),
  writeFile(join(root, 'large'), ''),
  symlink(join(base, 'secret.txt'), join(root, 'link-out.txt')),
  symlink(join(root, 'a.txt'), join(root, 'link-in.txt')),
  symlink(base, join(root, 'folder-out')),
  symlink(join(root, 'nothing'), join(root, 'dangling')),
  symlink(root, join(base, 'linked-root')),
]);
await truncate(join(root, 'large'), MOST_BYTES + 1);
execFileSync('mkfifo', [join(root, 'pipe')]);
afterAll(() => rm(base, { recursive: true, force: true }));

/** Puts a link that leads outside in the place of a folder, and the folder back, as fast as it can. */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { parentPort, workerData: { swapped, outside } } = require('node:worker_threads');
  parentPort.postMessage('begins');
  for (;;) {
    renameSync(swapped, swapped + '-away');
    symlinkSync(outside, swapped);
    unlinkSync(swapped);
    renameSync(swapped + '-away', swapped);
  }`;

describe('files to upload', () => {
  it.each([
    ['a full path', [join(root, 'a.txt')], ['a.txt']],
    ['a path in the folder', ['a.txt', 'inner/b.txt'], ['a.txt', 'b.txt']],
    ['a link to a file inside', ['link-in.txt'], ['link-in.txt']],
    ['an empty file', ['empty'], ['empty']],
    ['a name with spaces and signs', ['ünï ✓ %41.txt'], ['ünï ✓ %41.txt']],
  ])('are read: %s', async (_, paths, names) => {
    const checked = await readUploads(paths, [root]);
    expect(checked).toMatchObject({ allowed: true, files: names.map(name => ({ name })) });
  });

  it('hold what the file holds', async () => {
    const checked = await readUploads(['a.txt'], [root]);
    expect(checked.allowed && checked.files[0]?.buffer.toString()).toBe('aaa');
  });

  it('may come from a folder that is a link itself, by either name', async () => {
    const linked = join(base, 'linked-root');
    for (const path of [join(linked, 'a.txt'), join(root, 'a.txt'), 'a.txt'])
      expect(await readUploads([path], [linked])).toMatchObject({ allowed: true });
  });

  it('are looked up in every folder', async () => {
    expect(await readUploads(['c.txt'], [root, join(base, 'root-beside')])).toMatchObject({ allowed: true });
  });

  it.each([
    ['a file outside', join(base, 'secret.txt'), 'is outside the folders that files may come from'],
    ['a folder with a name that begins alike', join(base, 'root-beside', 'c.txt'), 'is outside'],
    ['a way up', '../secret.txt', 'contains ".."'],
    ['a way up and down again', `${root}/inner/../a.txt`, 'contains ".."'],
    ['a way up of another system', 'inner\\..\\..\\secret.txt', 'is not a file name'],
    ['a link that leads outside', 'link-out.txt', 'is outside'],
    ['a folder that leads outside', 'folder-out/secret.txt', 'is outside'],
    ['a link to nothing', 'dangling', 'There is no file'],
    ['nothing', 'missing.txt', 'There is no file "missing.txt" in the folders'],
    ['a file as a folder', 'a.txt/b', 'There is no file'],
    ['the folder itself', root, 'is outside'],
    ['a folder', 'inner', 'is a folder or a device'],
    ['a pipe that nobody writes to', 'pipe', 'is a folder or a device'],
    ['a device', '/dev/zero', 'is outside'],
    ['a name with a zero byte', 'a.txt\0.png', 'is not a file name'],
    ['a name with a line break', 'a\n.txt', 'is not a file name'],
    ['a name that turns its end around', 'a\u202etxt.exe', 'is not a file name'],
    ['a name with a backslash', 'back\\slash.txt', 'is not a file name'],
    ['an empty name', ' ', 'is not a file name'],
    ['a url', `file://${root}/a.txt`, 'is a URL'],
    ['more than a page can be given', 'large', `has ${MOST_BYTES + 1} bytes`],
  ])('are refused: %s', async (_, path, reason) => {
    const checked = await readUploads([path], [root]);
    expect(checked).toMatchObject({ allowed: false, reason: expect.stringContaining(reason) });
  });

  it('are refused where no folder is allowed, or the one that is does not exist', async () => {
    expect(await readUploads(['a.txt'], [])).toMatchObject({ reason: expect.stringContaining('uploadRoots') });
    expect(await readUploads(['a.txt'], [join(base, 'none')])).toMatchObject({ allowed: false });
  });

  it.runIf(process.platform === 'linux')(
    'are never those outside, however often links and folders are exchanged meanwhile',
    async () => {
      const swapped = join(root, 'swapped');
      await mkdir(swapped);
      await writeFile(join(swapped, 'secret.txt'), 'harmless');
      const swapping = new Worker(SWAPPER, { eval: true, workerData: { swapped, outside: base } });
      const read = { harmless: 0, secret: 0 };
      await once(swapping, 'message');
      try {
        // How many find the folder there is up to the machine's scheduler.
        const isEnough = (tries: number) => read.harmless > 0 && (tries >= 20_000 || read.harmless >= 500);
        for (let tries = 0; !isEnough(tries); tries++) {
          const checked = await readUploads(['swapped/secret.txt'], [root]);
          if (checked.allowed) read[checked.files[0]?.buffer.toString() as 'harmless' | 'secret']++;
        }
      } finally {
        await swapping.terminate();
      }
      expect(read.secret).toBe(0);
      expect(read.harmless).toBeGreaterThan(0);
    },
  );
});

it('a path is inside a folder when the folder is what it begins with, part by part', () => {
  const part = fc.stringMatching(/^[a-z.]{1,6}$/).filter(text => text !== '.' && text !== '..');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), fc.array(part), (folder, rest) => {
      const path = `/${[...folder, ...rest].join('/')}`;
      expect(isInside(`/${folder.join('/')}`, path)).toBe(rest.length > 0);
      expect(isInside(`/${folder.join('/')}x`, path)).toBe(false);
    }),
  );
});
