import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSuccess, servePages, testToolset } from '../fixtures.js';
import { browsersOf } from '../lifecycle/machine.js';
import { elsewhere, startRemoteBrowser } from '../lifecycle/remote-browser.js';
import { BLUE, encoderOf, filled, filming, NOISE, RED, seenIn, warningsOf } from './filming.js';

const site = await servePages({ '/red': filled('red'), '/blue': filled('blue'), '/noise': NOISE });
const { folder, launching, videos, recording, onlyVideo, show, written } = filming(site);

describe('a video goes on', () => {
  it('no longer than its browser: what was recorded stands, and the next browser has another file', async () => {
    const others = browsersOf();
    const browser = launching();
    await show(browser, '/red');
    await written(RED);
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
    const began = performance.now();
    const browser = recording({ sessions: { idleMs: 1_500 } });
    await show(browser, '/red');
    await expect.poll(() => browser.metrics().sessions.hibernated).toBe(1);
    const awake = (performance.now() - began) / 1_000;
    await show(browser, '/blue');
    await browser.close();
    const [first, second] = await videos();
    expect(first?.facts.duration).toBeLessThan(awake);
    const [blue = 0] = (await second?.sharesAtEnd([BLUE])) ?? [];
    expect(blue).toBeGreaterThan(0.99);
  });

  it('when the page that encodes it crashes', async () => {
    const browser = recording();
    await show(browser, '/red');
    await written(RED);
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
    const browser = recording({ video: { folder: folder(), maxMegabytes: 1 } });
    const warnings = warningsOf(browser);
    expectSuccess(await browser.session('ann').navigate({ url: site.url('/noise') }));
    await expect.poll(() => warnings).toEqual([expect.stringContaining('video ends early: it has reached 1 MB')]);
    await browser.close();
    expect((await onlyVideo()).facts.duration).toBeLessThan(60);
  });
});

describe('no video', () => {
  it('is made unless asked for, nor of a session that showed nothing', async () => {
    const silent = testToolset({ downloadsPath: folder() });
    await show(silent, '/red');
    await silent.close();
    const browser = recording();
    await browser.session('ann').close();
    await browser.close();
    await expect(readdir(folder())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('stops anything when it cannot be written', async () => {
    await writeFile(folder(), 'a file');
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
    const remote = await startRemoteBrowser(join(folder(), '../profile'));
    const there = join(folder(), 'other-machine');
    const browser = recording({ cdpUrl: await elsewhere(remote, { here: '/nowhere', there, refuses }) });
    const warnings = warningsOf(browser);
    await show(browser, '/red');
    const session = browser.session('ann');
    expect(expectSuccess(await session.tabs({ action: 'list' })).tabs).toHaveLength(1);
    await show(browser, '/blue');
    await browser.close();
    const video = await onlyVideo();
    const [blue = 0] = await video.sharesAtEnd([BLUE]);
    expect(warnings).toEqual([]);
    expect(blue).toBeGreaterThan(0.99);
    const pages = (await (await fetch(`${remote.url}/json/list`)).json()) as { url: string }[];
    expect(pages.filter(({ url }) => url.includes('encoder'))).toEqual([]);
  });
});
