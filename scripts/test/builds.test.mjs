import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Builds } from '../dev/builds.mjs';

test('a build is of the server, of the page alone, or changes nothing', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'builds-'));
  await mkdir(join(dist, 'web'));
  const main = join(dist, 'main.js');
  const style = join(dist, 'web/style.css');
  await writeFile(main, 'start()');
  await writeFile(style, 'a {}');
  const builds = new Builds({ server: [dist], page: join(dist, 'web') });
  await builds.look();

  await writeFile(main, 'start()');
  expect(await builds.look()).toBeUndefined();
  await writeFile(style, 'b {}');
  expect(await builds.look()).toBe('page');
  await writeFile(main, 'begin()');
  await writeFile(style, 'c {}');
  expect(await builds.look()).toBe('server');
  expect(await builds.look()).toBeUndefined();
  await rm(dist, { recursive: true });
});
