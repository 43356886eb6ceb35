import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MastraLogger } from '@mastra/core/logger';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { BrowserToolset, BrowserToolsetConfig } from '../../src/index.js';
import { expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';
import { browsersOf } from '../lifecycle/machine.js';
import { elsewhere, startRemoteBrowser } from '../lifecycle/remote-browser.js';
import { countColour, pageOf } from '../policy/pictures.js';
import { type Colour, type PlayedVideo, Player } from './player.js';

const RED: Colour = [255, 0, 0];
const BLUE: Colour = [0, 0, 255];
const BLACK: Colour = [0, 0, 0];
const MARK: Colour = [0, 120, 255];

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
const filled = (colour: string, more = '') =>
  `${head}<title>${colour}</title><body style="margin: 0; background: ${colour}">${more}`;
const site = await servePages({
  '/red': filled('red', '<button onclick="location = \'/blue\'">Next</button>'),
  '/blue': filled('blue'),
  '/white': filled('white', '<button style="margin: 200px">Here</button>'),
  '/secret': `${head}<title>Secret</title><style>b, input { color: red; font: bold 30px monospace; caret-color: black }</style>
    <input aria-label="Password" id="field"><b id="echo" style="position: absolute; left: 0; top: 200px"></b><script>
      let at = 0;
      setInterval(() => { echo.textContent = field.value; echo.style.left = (at = (at + 3) % 600) + 'px'; }, 16);
    </script>`,
  '/noise': `${head}<title>Noise</title><canvas id="area" width="1280" height="700"></canvas><script>
      const context = area.getContext('2d');
      setInterval(() => {
        const image = context.createImageData(1280, 700);
        new Uint32Array(image.data.buffer).forEach((_, at, pixels) => { pixels[at] = Math.random() * 2 ** 32 | 0xff000000; });
        context.putImageData(image, 0, 0);
      }, 50);
    </script>`,
});
const player = new Player();

let folder: string;
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'video-test-'));
  folder = join(root, 'videos');
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

function recording(config: BrowserToolsetConfig = {}): BrowserToolset {
  return testToolset({ video: { folder }, ...config });
}

async function files(): Promise<string[]> {
  return (await readdir(folder)).sort();
}

/** All videos, the first that was begun first. */
async function videos(): Promise<PlayedVideo[]> {
  return Promise.all((await files()).map(name => player.open(join(folder, name))));
}

async function onlyVideo(): Promise<PlayedVideo> {
  const [video, ...more] = await videos();
  expect(more).toEqual([]);
  return video ?? expect.fail('there is no video');
}

/** Shows a page and gives the frames time to come. */
async function show(browser: BrowserToolset, path: string, thread = 'ann'): Promise<void> {
  const session = browser.session(thread);
  expectSuccess(await session.navigate({ url: site.url(path) }));
  expectSuccess(await session.wait({ for: { seconds: 1 } }));
}

/** The warnings of a toolset. */
function warningsOf(browser: BrowserToolset): string[] {
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
async function encoderOf(browser: BrowserToolset): Promise<Page> {
  const contexts = (await pageOf(browser, 'ann')).context().browser()?.contexts() ?? [];
  const encoder = contexts.flatMap(context => context.pages()).find(page => page.url().includes('encoder'));
  return encoder ?? expect.fail('nothing encodes');
}

/** Which of the colours fill a picture of a video. */
async function seenIn(video: PlayedVideo, colours: readonly Colour[]): Promise<boolean[]> {
  const seen = colours.map(() => false);
  for (let at = 0; at < video.facts.duration; at += 0.1)
    for (const [index, share] of (await video.shares(at, colours)).entries()) seen[index] ||= share > 0.9;
  return seen;
}

describe('a video', () => {
  it('shows what the session showed, when it did, from beginning to end', async () => {
    const browser = recording();
    await show(browser, '/red');
    const session = browser.session('ann');
    const snapshot = expectSuccess(await session.snapshot());
    expectSuccess(await session.click({ ref: refOf(snapshot, 'button', 'Next') }));
    expectSuccess(await session.wait({ for: { seconds: 1.5 } }));
    expectSuccess(await session.close());

    const video = await onlyVideo();
    const { duration, width, height } = video.facts;
    expect({ width, height }).toEqual({ width: 1280, height: 720 });
    expect(duration).toBeGreaterThan(2.5);
    const [redBefore = 0] = await video.shares(duration - 2.1, [RED]);
    const [redAfter, blueAfter = 0] = await video.shares(duration - 0.3, [RED, BLUE]);
    expect([redBefore > 0.99, redAfter, blueAfter > 0.99]).toEqual([true, 0, true]);
    expect(await video.playThrough()).toBeCloseTo(duration, 1);
  });

  it('shows the last change before the session closed', async () => {
    const browser = recording();
    await show(browser, '/red');
    expectSuccess(await browser.session('ann').navigate({ url: site.url('/blue') }));
    expectSuccess(await browser.session('ann').close());
    const video = await onlyVideo();
    const [blue = 0] = await video.sharesAtEnd([BLUE]);
    expect(blue).toBeGreaterThan(0.99);
  });

  it('shows what a page shows by itself right before the session closes', async () => {
    const browser = recording();
    await show(browser, '/red');
    const page = await pageOf(browser, 'ann');
    await page.evaluate(() => {
      document.body.style.background = 'blue';
    });
    expectSuccess(await browser.session('ann').close());
    const video = await onlyVideo();
    const [blue = 0] = await video.sharesAtEnd([BLUE]);
    expect(blue).toBeGreaterThan(0.99);
  });

  it('shows what stood for a while when pictures come faster than they can be encoded', async () => {
    const browser = recording();
    await show(browser, '/white');
    const busy = (await encoderOf(browser)).evaluate(() => {
      const until = performance.now() + 5_000;
      while (performance.now() < until);
    });
    await show(browser, '/red');
    await show(browser, '/blue');
    await busy;
    await browser.close();
    expect(await seenIn(await onlyVideo(), [RED, BLUE])).toEqual([true, true]);
  });

  it('marks where the agent acts, for a moment', async () => {
    const browser = recording();
    await show(browser, '/white');
    const session = browser.session('ann');
    const snapshot = expectSuccess(await session.snapshot());
    expectSuccess(await session.click({ ref: refOf(snapshot, 'button', 'Here') }));
    expectSuccess(await session.wait({ for: { seconds: 1.5 } }));
    await browser.close();
    const video = await onlyVideo();
    const marked: number[] = [];
    for (let at = 0; at < video.facts.duration; at += 0.2) marked.push(...(await video.shares(at, [MARK])));
    expect(marked.at(0)).toBe(0);
    expect(Math.max(...marked)).toBeGreaterThan(0.0001);
    expect(marked.at(-1)).toBe(0);
  });

  it('is one file a thread, for the user of the process alone', async () => {
    const browser = recording();
    await Promise.all([show(browser, '/red', 'ann'), show(browser, '/blue', 'bob/../x')]);
    await browser.close();
    expect(await files()).toEqual([
      expect.stringMatching(/^ann-2.*\.webm$/),
      expect.stringMatching(/^bob_._x-2.*\.webm$/),
    ]);
    const modes = [folder, ...(await files()).map(name => join(folder, name))].map(
      async path => (await stat(path)).mode,
    );
    expect((await Promise.all(modes)).map(mode => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
    const [ann, bob] = await videos();
    const seen = await Promise.all([ann, bob].map(video => video?.sharesAtEnd([RED, BLUE])));
    expect(seen.map(shares => shares?.map(share => share > 0.9))).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('keeps its size: pages of another shape have bars', async () => {
    const browser = recording({ viewport: { width: 800, height: 401 } });
    await show(browser, '/red');
    expectSuccess(await browser.session('ann').emulate({ viewport: { width: 400, height: 800 } }));
    await show(browser, '/blue');
    await browser.close();
    const video = await onlyVideo();
    expect(video.facts).toMatchObject({ width: 800, height: 400 });
    const [blue = 0, black = 0] = await video.sharesAtEnd([BLUE, BLACK]);
    expect(blue).toBeCloseTo(0.25, 1);
    expect(black).toBeCloseTo(0.75, 1);
  });

  it('follows the active tab', async () => {
    const browser = recording();
    await show(browser, '/red');
    const session = browser.session('ann');
    expectSuccess(await session.tabs({ action: 'new', url: site.url('/blue') }));
    expectSuccess(await session.wait({ for: { seconds: 1 } }));
    await browser.close();
    const video = await onlyVideo();
    const [blue = 0] = await video.sharesAtEnd([BLUE]);
    expect(blue).toBeGreaterThan(0.99);
  });

  it('shows no secret', async () => {
    const browser = recording({ secrets: { PW: { value: 'swordfish-7', domains: ['127.0.0.1'] } } });
    await show(browser, '/secret');
    const session = browser.session('ann');
    const ref = refOf(expectSuccess(await session.snapshot()), 'textbox', 'Password');
    expectSuccess(await session.type({ ref, text: '<secret>PW</secret>' }));
    expectSuccess(await session.wait({ for: { seconds: 2 } }));
    const decoder = await pageOf(browser, 'ann');
    const page = (await decoder.screenshot()).toString('base64');
    expect(await countColour(decoder, page, 'red')).toBeGreaterThan(500);
    await session.close();

    const video = await onlyVideo();
    const pictures = [...(await video.pictures(0.1)), await video.picture(video.facts.duration - 0.01)];
    expectSuccess(await browser.session('decoder').navigate({ url: 'about:blank' }));
    const blank = await pageOf(browser, 'decoder');
    const red = await Promise.all(pictures.map(picture => countColour(blank, picture, 'red')));
    expect(red.filter(count => count > 0)).toEqual([]);
    const grey = await Promise.all(pictures.map(picture => countColour(blank, picture, 'grey')));
    expect(grey.at(-1)).toBeGreaterThan(1_000);
  });
});

describe('a video goes on', () => {
  it('no longer than its browser: what was recorded stands, and the next browser has another file', async () => {
    const others = browsersOf();
    const browser = recording();
    await show(browser, '/red');
    const [pid = 0] = browsersOf().filter(one => !others.includes(one));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => browser.metrics().sessions.asleep).toBe(1);
    await show(browser, '/blue');
    await browser.close();
    const [first, second] = await videos();
    const [red = 0] = (await first?.sharesAtEnd([RED])) ?? [];
    const [blue = 0] = (await second?.sharesAtEnd([BLUE])) ?? [];
    expect([red, blue].map(share => share > 0.99)).toEqual([true, true]);
  });

  it('while a session is awake, and keeps none from its sleep', async () => {
    const browser = recording({ sessions: { idleMs: 1_500 } });
    await show(browser, '/red');
    await expect.poll(() => browser.metrics().sessions.hibernated, { timeout: 10_000 }).toBe(1);
    await show(browser, '/blue');
    await browser.close();
    const [first, second] = await videos();
    // The wait for sleep is not in it.
    expect(first?.facts.duration).toBeLessThan(2.4);
    const [blue = 0] = (await second?.sharesAtEnd([BLUE])) ?? [];
    expect(blue).toBeGreaterThan(0.99);
  });

  it('when the page that encodes it crashes', async () => {
    const browser = recording();
    await show(browser, '/red');
    const encoder = await encoderOf(browser);
    await Promise.all([encoder.waitForEvent('crash'), encoder.goto('chrome://crash').catch(() => undefined)]);
    await show(browser, '/blue');
    await browser.close();
    const video = await onlyVideo();
    expect(await seenIn(video, [RED])).toEqual([true]);
    const [blue = 0] = await video.sharesAtEnd([BLUE]);
    expect(blue).toBeGreaterThan(0.9);
  });

  it('until its file is as large as it may be, and the log says so', async () => {
    const browser = recording({ video: { folder, maxMegabytes: 1 } });
    const warnings = warningsOf(browser);
    expectSuccess(await browser.session('ann').navigate({ url: site.url('/noise') }));
    await expect
      .poll(() => warnings, { timeout: 20_000 })
      .toEqual([expect.stringContaining('video ends early: it has reached 1 MB')]);
    await browser.close();
    expect((await onlyVideo()).facts.duration).toBeLessThan(60);
  });
});

describe('no video', () => {
  it('is made unless asked for, nor of a session that showed nothing', async () => {
    const silent = testToolset({ downloadsPath: folder });
    await show(silent, '/red');
    await silent.close();
    const browser = recording();
    await browser.session('ann').close();
    await browser.close();
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('stops anything when it cannot be written', async () => {
    await writeFile(folder, 'a file');
    const browser = recording();
    const warnings = warningsOf(browser);
    await show(browser, '/red');
    expectSuccess(await browser.session('ann').close());
    expect(warnings).toEqual([expect.stringContaining('video ends early: it failed')]);
  });
});

describe('a remote browser', () => {
  it.each([
    ['encodes its videos', ''],
    ['that makes no contexts encodes them in the one it has', 'Target.createBrowserContext'],
  ])('%s, and nothing of that is left', async (_, refuses) => {
    const remote = await startRemoteBrowser(join(folder, '../profile'));
    const there = join(folder, 'other-machine');
    const browser = recording({ cdpUrl: await elsewhere(remote, { here: '/nowhere', there, refuses }) });
    await show(browser, '/red');
    const session = browser.session('ann');
    expect(expectSuccess(await session.tabs({ action: 'list' })).tabs).toHaveLength(1);
    await show(browser, '/blue');
    await browser.close();
    const video = await onlyVideo();
    const [blue = 0] = await video.sharesAtEnd([BLUE]);
    expect(blue).toBeGreaterThan(0.99);
    const pages = (await (await fetch(`${remote.url}/json/list`)).json()) as { url: string }[];
    expect(pages.filter(({ url }) => url.includes('encoder'))).toEqual([]);
  });
});
