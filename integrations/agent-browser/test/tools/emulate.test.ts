import { describe, expect, it } from 'vitest';
import { type BrowserSession, BrowserToolset, type BrowserToolsetConfig } from '../../src/index.js';
import { emulate } from '../../src/tools/emulate.js';
import { expectFailure, expectSuccess, launchingToolset, servePages, testToolset } from '../fixtures.js';
import { browsersOf } from '../lifecycle/machine.js';

const site = await servePages({
  '/': `<!doctype html><title>Mirror</title><link rel="icon" href="data:,"><h1>Mirror</h1><input aria-label="Note">`,
});

/** What a page sees of its device. */
const SEES = `async () => {
  const place = await new Promise(resolve => navigator.geolocation.getCurrentPosition(
    ({ coords }) => resolve([coords.latitude, coords.longitude]), error => resolve(error.code)));
  return {
    size: [innerWidth, innerHeight], ratio: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
    phone: /iPhone/.test(navigator.userAgent), dark: matchMedia('(prefers-color-scheme: dark)').matches,
    place, online: navigator.onLine,
  };
}`;
const PLAIN = { size: [1280, 720], ratio: 1, touch: false, phone: false, dark: false, place: 1, online: true };

async function sees(session: BrowserSession): Promise<unknown> {
  return expectSuccess(await session.evaluate({ expression: SEES })).result;
}

async function opened(config: BrowserToolsetConfig = {}, make = testToolset) {
  const toolset = make({ allowEvaluate: true, ...config });
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  return { toolset, session };
}

const OSLO = { latitude: 59.91, longitude: 10.75 };

describe('what pages see of the device', () => {
  it('changes while the page stays, and for new tabs', async () => {
    const { session } = await opened();
    expect(await sees(session)).toEqual(PLAIN);
    const change = { viewport: { width: 500, height: 400 }, colorScheme: 'dark', geolocation: OSLO } as const;
    const result = expectSuccess(await session.emulate(change));
    expect(result.emulation).toEqual({ ...change, offline: false });
    expect(emulate.headline(result)).toBe(
      'Pages see a viewport of 500 x 400, the dark colour scheme, the place 59.91, 10.75.',
    );
    const seen = { ...PLAIN, size: [500, 400], dark: true, place: [59.91, 10.75] };
    expect(await sees(session)).toEqual(seen);
    await session.tabs({ action: 'new', url: site.url() });
    expect(await sees(session)).toEqual(seen);
    expect((await session.emulate()).emulation).toEqual({ ...change, offline: false });
    expectSuccess(await session.emulate({ reset: true }));
    expect(await sees(session)).toEqual(PLAIN);
  });

  it('has no network while it is offline', async () => {
    const { session } = await opened();
    expectSuccess(await session.emulate({ offline: true }));
    expectFailure(await session.navigate({ url: site.url() }), 'navigation_failed');
    expectSuccess(await session.emulate({ offline: false }));
    expectSuccess(await session.navigate({ url: site.url() }));
  });

  it('is another device, with the tabs and what they kept, through hibernation and the end of the browser', async () => {
    const others = browsersOf();
    const { toolset, session } = await opened({ sessions: { max: 1 } }, launchingToolset);
    await session.evaluate({ expression: 'localStorage.kept = document.cookie = "kept=1"' });
    const browsers = browsersOf();
    const result = expectSuccess(await session.emulate({ device: 'iphone 15', colorScheme: 'dark' }));
    expect(browsersOf()).toEqual(browsers);
    expect(result.emulation).toMatchObject({ device: 'iPhone 15', viewport: { width: 393 } });
    expect(result.url).toBe(site.url());
    const phone = {
      ...PLAIN,
      size: [expect.any(Number), expect.any(Number)],
      ratio: 3,
      touch: true,
      phone: true,
      dark: true,
    };
    expect(await sees(session)).toEqual(phone);
    const kept = { expression: '[localStorage.kept, document.cookie]' };
    expect(await session.evaluate(kept)).toMatchObject({ result: ['kept=1', 'kept=1'] });
    expectSuccess(await toolset.session('b').navigate({ url: site.url() }));
    expect(await sees(toolset.session('b'))).toEqual(PLAIN);
    expect(await sees(session)).toEqual(phone);
    for (const pid of browsersOf().filter(one => !others.includes(one))) process.kill(pid, 'SIGKILL');
    await expect.poll(() => toolset.isBrowserRunning('a')).toBe(false);
    expect(await sees(session)).toEqual(phone);
    await session.close();
    expectSuccess(await session.navigate({ url: site.url() }));
    expect(await sees(session)).toEqual(PLAIN);
  });

  it('is what the options say from the beginning', async () => {
    const { session } = await opened({ device: 'Pixel 7', geolocation: OSLO, offline: false, colorScheme: 'dark' });
    expect(await sees(session)).toMatchObject({ ratio: 2.625, touch: true, dark: true, place: [59.91, 10.75] });
    const offline = testToolset({ offline: true }).session();
    expectFailure(await offline.navigate({ url: site.url() }), 'navigation_failed');
  });

  it('changes in the same browser where the session has it alone, and that ends with the session', async () => {
    const others = browsersOf();
    const { toolset, session } = await opened({}, launchingToolset);
    const before = browsersOf();
    expect(before).toHaveLength(others.length + 1);
    expectSuccess(await session.emulate({ device: 'iPhone 15' }));
    expect(browsersOf()).toEqual(before);
    await toolset.closeThreadSession('a');
    await expect.poll(() => browsersOf()).toEqual(others);
  });

  it('is none that does not exist', async () => {
    const { session } = await opened();
    const result = expectFailure(await session.emulate({ device: 'iPhone 99' }), 'invalid_input');
    expect(result.message).toMatch(/^device: there is no device "iPhone 99"; similar: "iPhone /);
    expectFailure(await session.emulate({ geolocation: { latitude: 91, longitude: 0 } }), 'invalid_input');
    expect(() => new BrowserToolset({ device: 'Toaster' })).toThrow(
      /device: there is no device "Toaster"; use a Playwright device name/,
    );
    expect(() => new BrowserToolset({ device: 'iPhone 15', viewport: { width: 1, height: 1 } })).toThrow(
      /viewport: cannot be combined/,
    );
    expect(() => new BrowserToolset({ device: 'iPhone 15', profile: '/tmp/x' })).toThrow(/device: cannot be combined/);
  });
});
