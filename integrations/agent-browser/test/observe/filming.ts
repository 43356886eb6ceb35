import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MastraLogger } from '@mastra/core/logger';
import type { Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished } from 'vitest';
import type { BrowserToolset, BrowserToolsetConfig } from '../../src/index.js';
import { expectSuccess, launchingToolset, pageOf, type Site, testToolset } from '../fixtures.js';
import { type Colour, openVideo, type PlayedVideo } from './player.js';

export const RED: Colour = [255, 0, 0];
export const BLUE: Colour = [0, 0, 255];
export const BLACK: Colour = [0, 0, 0];

export const HEAD = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';

/** A page of one colour. */
export const filled = (colour: string, more = ''): string =>
  `${HEAD}<title>${colour}</title><body style="margin: 0; background: ${colour}">${more}`;

/** Pictures of which no two are alike: nothing of them can be encoded in few bytes. */
export const NOISE = `${filled('white')}<canvas id="area" width="1280" height="700"></canvas><script>
  const context = area.getContext('2d');
  setInterval(() => {
    const image = context.createImageData(1280, 700);
    new Uint32Array(image.data.buffer).forEach((_, at, pixels) => { pixels[at] = Math.random() * 2 ** 32 | 0xff000000; });
    context.putImageData(image, 0, 0);
  }, 50);
</script>`;

/** Makes videos of a site's pages in a folder of each test's own, and plays them. */
export function filming(site: Site) {
  let folder = '';
  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'video-test-'));
    folder = join(root, 'videos');
    onTestFinished(() => rm(root, { recursive: true, force: true }));
  });

  const files = async (): Promise<string[]> => (await readdir(folder)).sort();
  /** All videos, the first that was begun first. */
  const videos = async (): Promise<PlayedVideo[]> =>
    Promise.all((await files()).map(name => openVideo(join(folder, name))));

  const onlyVideo = async (): Promise<PlayedVideo> => {
    const [video, ...more] = await videos();
    expect(more).toEqual([]);
    return video ?? expect.fail('there is no video');
  };

  return {
    folder: () => folder,
    files,
    videos,
    recording: (config: BrowserToolsetConfig = {}): BrowserToolset => testToolset({ video: { folder }, ...config }),
    /** With a Chromium of its own. */
    launching: (): BrowserToolset => launchingToolset({ video: { folder } }),
    onlyVideo,
    /** Waits until the only video, which goes on, has a picture of one colour at its end. */
    written: (colour: Colour): Promise<void> =>
      expect.poll(async () => (await (await onlyVideo()).sharesSoFar([colour]))[0]).toBeGreaterThan(0.9),
    /** Shows a page until it has been drawn, and gives its frames time to come. */
    async show(browser: BrowserToolset, path: string, thread = 'ann'): Promise<void> {
      const session = browser.session(thread);
      expectSuccess(await session.navigate({ url: site.url(path) }));
      await (await pageOf(browser, thread)).screenshot();
      expectSuccess(await session.wait({ for: { seconds: 1 } }));
    },
  };
}

/** The warnings of a toolset. */
export function warningsOf(browser: BrowserToolset): string[] {
  const warnings: string[] = [];
  class Kept extends MastraLogger {
    override debug(): void {}
    override info(): void {}
    override error(): void {}
    override warn(message: string): void {
      warnings.push(message);
    }
  }
  browser.__setLogger(new Kept());
  return warnings;
}

/** The page that encodes what the thread "ann" shows. */
export async function encoderOf(browser: BrowserToolset): Promise<Page> {
  const contexts = (await pageOf(browser, 'ann')).context().browser()?.contexts() ?? [];
  const encoder = contexts.flatMap(context => context.pages()).find(page => page.url().includes('encoder'));
  return encoder ?? expect.fail('nothing encodes');
}

/** Which of the colours fill a picture of a video. */
export async function seenIn(video: PlayedVideo, colours: readonly Colour[]): Promise<boolean[]> {
  const seen = colours.map(() => false);
  for (let at = 0; at < video.facts.duration && seen.includes(false); at += 0.1)
    for (const [index, share] of (await video.shares(at, colours)).entries()) seen[index] ||= share > 0.9;
  return seen;
}
