import { describe, expect, onTestFinished, test } from 'vitest';
import { click, OpenToolset, PRINTABLE, pageShower, pressKey, servePage, typeLikeStudio } from './chromium.js';
import { removeListenersOfLibraries } from './process-listeners.js';
import { type StreamRefused, serveView } from './viewing.js';

const show = pageShower();
// The official provider's listen from when it is loaded.
removeListenersOfLibraries();

const isJpeg = (frame: string | Buffer | undefined) =>
  Buffer.from(`${frame?.slice(0, 8)}`, 'base64')
    .subarray(0, 3)
    .toString('hex') === 'ffd8ff';

describe('a page in a real browser', () => {
  test('that stands still is shown to the first viewer and to a late one', async () => {
    const { viewer, watch } = await show('<h1>Nothing moves</h1>');
    expect(isJpeg(viewer.frames[0])).toBe(true);
    const known = viewer.frames.length;
    const late = await watch({ query: 'threadId=one&frames=binary' });
    await late.until(({ frames }) => frames.length > 0);
    expect((late.frames[0] as Buffer).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(viewer.frames.length).toBe(known);
  });

  test('is left alone by who may only watch, and by pages of other origins', async () => {
    const { page, live, watch } = await show(
      `<body style="height: 100vh" onclick="document.title = 'clicked'" onkeydown="document.title = 'typed'">`,
    );
    const token = live.createToken({ agentId: 'web', threadId: 'one', right: 'view', expiresIn: 60 });
    const spectator = await watch({ query: `threadId=one&token=${token}` });
    await spectator.until(({ frames }) => frames.length > 0);
    click(spectator, [50, 50]);
    typeLikeStudio(spectator, 'x');
    await spectator.flushed();
    const stranger = watch({ headers: { origin: 'https://evil.example' } });
    expect(await stranger.catch((error: StreamRefused) => error.status)).toBe(403);
    expect(await page.title()).toBe('');
  });

  test('is driven by one person after the other', async () => {
    const { page, viewer: ann, watch } = await show('<input autofocus style="width: 100vw; height: 100vh">');
    const bob = await watch();
    await bob.until(({ frames }) => frames.length > 0);
    ann.send({ type: 'control', action: 'take' });
    await bob.until(({ control }) => control?.holder === 'human');
    bob.send({ type: 'text', text: 'Bob' });
    await bob.untilError('another_in_control');
    ann.send({ type: 'text', text: 'Ann' });
    bob.send({ type: 'control', action: 'take' });
    await ann.until(({ control }) => control?.requestedBy === 'another');
    ann.send({ type: 'control', action: 'release' });
    await bob.until(({ control }) => control?.isYou === true);
    bob.send({ type: 'text', text: ' & Bob' });
    await expect.poll(() => page.inputValue('input')).toBe('Ann & Bob');
  });

  test('keeps what one viewer holds down while another comes, wants other frames and leaves', async () => {
    const { page, viewer, watch } = await show(
      `<script>for (const type of ['mousedown', 'mouseup']) addEventListener(type, () => (document.title += type))</script>`,
    );
    viewer.send({ type: 'mouse', event: { type: 'mousePressed', x: 50, y: 50, button: 'left', clickCount: 1 } });
    await expect.poll(() => page.title()).toBe('mousedown');
    const known = viewer.frames.length;
    const other = await watch({ query: 'threadId=one&maxWidth=400' });
    const large = await watch({ query: 'threadId=one&maxWidth=1600&quality=90' });
    await viewer.until(({ frames }) => frames.length > known);
    for (const one of [other, large]) await one.leave();
    const next = viewer.nextFrame();
    await page.evaluate(() => document.body.append('a change'));
    await next;
    expect(await page.title()).toBe('mousedown');
    viewer.send({ type: 'mouse', event: { type: 'mouseReleased', x: 50, y: 50, button: 'left', clickCount: 1 } });
    await expect.poll(() => page.title()).toBe('mousedownmouseup');
  });

  test('that moves keeps its pace for others while one viewer does not read, who then gets the newest frame', async () => {
    const { page, live, watch } = await show(
      `<canvas width="1280" height="720"></canvas><script>
        let isMoving = true;
        const context = document.querySelector('canvas').getContext('2d');
        const paint = () => {
          const noise = context.createImageData(1280, 720);
          for (let index = 0; index < noise.data.length; index += 1) noise.data[index] = Math.random() * 256;
          context.putImageData(noise, 0, 0);
          if (isMoving) requestAnimationFrame(paint);
        };
        paint();
      </script>`,
    );
    const slow = await watch();
    slow.socket.pause();
    const fast = await watch();
    await fast.until(({ frames }) => frames.length >= 20 && live.metrics().framesSkipped > 0);
    // While frames go on to come, each viewer may have another newest one whenever a test looks.
    await page.evaluate('isMoving = false');
    slow.socket.resume();
    await slow.until(({ frames }) => frames.at(-1) === fast.frames.at(-1));
    expect(slow.frames.length).toBeLessThan(fast.frames.length);
  });

  test('that is closed and started again is shown again', async () => {
    const { toolset, viewer } = await show('<h1>First</h1>');
    await toolset.closeThreadSession('one');
    await viewer.untilStatus('browser_closed');
    const known = viewer.frames.length;
    viewer.send({ type: 'relaunch' });
    await viewer.until(({ frames, statuses }) => frames.length > known && statuses.at(-1) === 'streaming');
  });
});

test('a thread without a browser starts none, whatever is sent to it', async () => {
  const toolset = new OpenToolset({ args: ['--no-sandbox'] });
  onTestFinished(() => toolset.close());
  const { watch } = await serveView({ source: toolset });
  const viewer = await watch({ query: 'threadId=nobody' });
  click(viewer, [5, 5]);
  typeLikeStudio(viewer, 'x');
  await viewer.untilError('no_browser');
  expect(viewer.statuses).toEqual(['connected']);
  expect(toolset.isBrowserRunning()).toBe(false);
});

describe('the official provider', () => {
  const provider = async () => (await import('./official-provider.js')).officialProvider();

  test('is shown and driven through the same server, and nothing typed is lost', async () => {
    const browser = await provider();
    const { watch } = await serveView({ source: browser });
    const url = await servePage('<textarea autofocus style="width: 100vw; height: 100vh"></textarea>');
    const viewer = await watch();
    browser.setCurrentThread('one');
    await browser.ensureReady();
    await browser.goto({ url }, 'one');
    await viewer.until(({ frames }) => frames.length > 0);
    const late = await watch();
    await late.until(({ frames }) => frames.length > 0);
    click(viewer, [300, 300]);
    typeLikeStudio(viewer, PRINTABLE);
    pressKey(viewer, 'Enter');
    viewer.send({ type: 'text', text: 'é ñ ß 漢字 😀' });
    await expect.poll(() => browser.value('one')).toBe(`${PRINTABLE}\né ñ ß 漢字 😀`);
  });

  test('starts no browser for input to a thread that has none', async () => {
    const browser = await provider();
    const { watch } = await serveView({ source: browser });
    const viewer = await watch();
    click(viewer, [300, 300]);
    await viewer.untilError('no_browser');
    expect(browser.isBrowserRunning()).toBe(false);
  });
});
