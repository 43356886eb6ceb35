import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSuccess, pageOf, refOf, servePages } from '../fixtures.js';
import { countColour } from '../policy/pictures.js';
import { BLACK, BLUE, encoderOf, filled, filming, HEAD, RED, seenIn } from './filming.js';
import type { Colour } from './player.js';

const MARK: Colour = [0, 120, 255];

const site = await servePages({
  '/red': filled('red', '<button onclick="location = \'/blue\'">Next</button>'),
  '/blue': filled('blue'),
  '/white': filled('white', '<button style="margin: 200px">Here</button>'),
  '/lively': filled(
    'white',
    `<button style="margin: 200px">Here</button><i></i>
    <script>setInterval(() => (document.querySelector('i').textContent += '.'), 30)</script>`,
  ),
  '/secret': `${HEAD}<title>Secret</title><style>b, input { color: red; font: bold 30px monospace; caret-color: black }</style>
    <input aria-label="Password" id="field"><b id="echo" style="position: absolute; left: 0; top: 200px"></b><script>
      let at = 0;
      setInterval(() => { echo.textContent = field.value; echo.style.left = (at = (at + 3) % 600) + 'px'; }, 16);
    </script>`,
});
const { folder, files, videos, recording, onlyVideo, show } = filming(site);

describe('a video', () => {
  it('shows what the session showed, when it did, from beginning to end', async () => {
    const browser = recording();
    await show(browser, '/red');
    const session = browser.session('ann');
    const snapshot = expectSuccess(await session.snapshot());
    const clicked = performance.now();
    expectSuccess(await session.click({ ref: refOf(snapshot, 'button', 'Next') }));
    expectSuccess(await session.wait({ for: { seconds: 4 } }));
    expectSuccess(await session.close());
    const since = (performance.now() - clicked) / 1_000;

    const video = await onlyVideo();
    const { duration, width, height } = video.facts;
    expect({ width, height }).toEqual({ width: 1280, height: 720 });
    // The end is the close, and so is what was before the click as long before it.
    expect(duration).toBeGreaterThan(since);
    const [redBefore = 0] = await video.shares(duration - since - 0.1, [RED]);
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
      const until = performance.now() + 2_000;
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

  it('marks where the agent acts on a page that changes faster than it can be encoded', async () => {
    const browser = recording();
    await show(browser, '/lively');
    const session = browser.session('ann');
    const snapshot = expectSuccess(await session.snapshot());
    const busy = (await encoderOf(browser)).evaluate(() => {
      const until = performance.now() + 2_000;
      while (performance.now() < until);
    });
    let isTold = false;
    const stop = browser.onAction(({ point }) => {
      isTold ||= point !== undefined;
    });
    // A page on a busy machine may not say in time where the agent acts.
    while (!isTold) expectSuccess(await session.click({ ref: refOf(snapshot, 'button', 'Here') }));
    stop();
    await busy;
    await browser.close();
    const video = await onlyVideo();
    const marked: number[] = [];
    for (let at = 0; at < video.facts.duration; at += 0.2) marked.push(...(await video.shares(at, [MARK])));
    expect(Math.max(...marked)).toBeGreaterThan(0.0001);
  });

  it('is one file a thread, for the user of the process alone', async () => {
    const browser = recording();
    await Promise.all([show(browser, '/red', 'ann'), show(browser, '/blue', 'bob/../x')]);
    await browser.close();
    expect(await files()).toEqual([
      expect.stringMatching(/^ann-2.*\.webm$/),
      expect.stringMatching(/^bob_._x-2.*\.webm$/),
    ]);
    const modes = [folder(), ...(await files()).map(name => join(folder(), name))].map(
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
    const browser = recording({
      secrets: { PW: { value: 'swordfish-7', domains: ['127.0.0.1'] } },
      viewport: { width: 640, height: 320 },
    });
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
