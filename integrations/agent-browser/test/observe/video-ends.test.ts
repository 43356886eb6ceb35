import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { servePages } from '../fixtures.js';
import { hostPrograms } from '../lifecycle/host-program.js';
import { isRunning } from '../lifecycle/machine.js';
import { BLUE, filled, NOISE } from './filming.js';
import { openVideo, type PlayedVideo } from './player.js';

/** The program runs wherever the tests do, from where the package is not found by its name. */
const MASTRA_LOGGER = pathToFileURL(createRequire(import.meta.url).resolve('@mastra/core/logger')).href;

const site = await servePages({ '/red': filled('red'), '/blue': filled('blue'), '/noise': NOISE });
const host = hostPrograms();

async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'video-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function onlyVideo(folder: string): Promise<PlayedVideo> {
  const [name = '', ...more] = await readdir(folder);
  expect(more).toEqual([]);
  return openVideo(join(folder, name));
}

/** The share of blue in the last picture that is on the disk. */
async function blueAtTheEnd(folder: string): Promise<number> {
  const video = await onlyVideo(folder);
  // Whoever plays it fast on a busy machine may not see the last picture: a seek does. It has no length to seek to.
  const [share = 0] = await video.sharesSoFar([BLUE]);
  return share;
}

/** Code of a program that shows a page. */
const showing = (path: string): string => `
  if (!(await session.navigate({ url: ${JSON.stringify(site.url(path))} })).success) throw new Error('no page');`;

test('the video of a program that is killed plays, without a length, to the last picture that stood', async () => {
  const folder = await ownFolder();
  const then = `${showing('/red')} await session.wait({ for: { seconds: 2 } });
    ${showing('/blue')}`;
  const program = await host(then, JSON.stringify({ video: { folder } }));
  await expect.poll(() => blueAtTheEnd(folder), { timeout: 60_000 }).toBeGreaterThan(0.9);
  program.process.kill('SIGKILL');
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
  await expect.poll(() => program.helpers.filter(isRunning)).toEqual([]);
  const video = await onlyVideo(folder);
  expect(video.facts.duration).toBe(Number.POSITIVE_INFINITY);
  expect(await video.playThrough()).toBeGreaterThan(2);
  expect(await blueAtTheEnd(folder)).toBeGreaterThan(0.9);
});

test('a disk that is full ends a video with one warning and nothing else; what was written plays', async () => {
  const folder = await ownFolder();
  const program = await host(
    `
    const warnings = [];
    const { MastraLogger } = await import(${JSON.stringify(MASTRA_LOGGER)});
    let warned;
    const isWarned = new Promise(resolve => { warned = resolve; });
    class Kept extends MastraLogger {
      debug() {}
      info() {}
      error() {}
      warn(message) {
        warnings.push(message);
        warned();
      }
    }
    toolset.__setLogger(new Kept());
    process.once('SIGUSR2', async () => {
      ${showing('/noise')}
      await isWarned;
      ${showing('/blue')}
      await session.close();
      console.log(JSON.stringify(warnings));
      await toolset.close();
    });`,
    JSON.stringify({ video: { folder } }),
  );
  // The program's own files can grow no further, once they hold a few pictures: a write fails as it does on a full disk.
  await promisify(execFile)('prlimit', [`--pid=${program.pid}`, '--fsize=2000000:']);
  program.process.kill('SIGUSR2');
  expect(JSON.parse(await program.line())).toEqual([expect.stringContaining('video ends early: it failed')]);
  const video = await onlyVideo(folder);
  expect(await video.playThrough()).toBeGreaterThan(0);
});
