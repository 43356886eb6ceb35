import type { ScreencastFrame, ScreencastStream } from '@browser-toolset/core';
import { expectJpegFrame, StreamRecorder } from '@browser-toolset/core/testing';
import type { ScreencastStream as MastraScreencastStream } from '@mastra/core/browser';
import type { Page } from 'playwright-core';
import { describe, expect, expectTypeOf, onTestFinished, vi } from 'vitest';
import { SessionScreencast } from '../src/frames/screencast.js';
import { type ChosenPage, test, VIEWPORT } from './live-fixtures.js';

class Viewer extends StreamRecorder {
  constructor(override readonly stream: SessionScreencast) {
    super(stream);
  }

  /** Waits until a frame has this colour in its middle; a page decodes them. */
  async frameOfColour(colour: string, decoder: Page, from = 0): Promise<void> {
    for (let index = from; ; index += 1) {
      await this.until(({ frames }) => frames.length > index);
      if ((await colourOf(decoder, this.frames[index])) === colour) return;
    }
  }
}

async function watch(source: ChosenPage, options = {}): Promise<Viewer> {
  const stream = new SessionScreencast(source, options);
  await stream.reconnect();
  onTestFinished(() => stream.stop());
  return new Viewer(stream);
}

/** Width of a PNG: it is in the IHDR chunk (PNG, section 11.2.2). */
function widthOf(frame: ScreencastFrame | undefined): number {
  const png = Buffer.from(frame?.data ?? '', 'base64');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return png.readUInt32BE(16);
}

/** The strongest of red, green and blue in the middle of a frame. */
function colourOf(decoder: Page, frame: ScreencastFrame | undefined): Promise<string> {
  return decoder.evaluate(async data => {
    const picture = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${data}`)).blob());
    const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(picture, picture.width / 2, picture.height / 2, 1, 1, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    const most = Math.max(red, green, blue);
    return Math.min(red, green, blue) === most ? 'none' : red === most ? 'red' : green === most ? 'green' : 'blue';
  }, frame?.data);
}

const COLOURED = (colour: string) => `<body style="margin: 0; height: 100vh; background: ${colour}">`;

test('a stream is one for Mastra and one of ours', () => {
  expectTypeOf<SessionScreencast>().toExtend<MastraScreencastStream>();
  expectTypeOf<SessionScreencast>().toExtend<ScreencastStream>();
});

describe('frames', () => {
  test('a static page gives one to every stream, with its viewport', async ({ page, source, here }) => {
    await page.goto(here('/static'));
    const first = await watch(source);
    expectJpegFrame(await first.firstFrame());
    expect(first.frames[0]?.viewport).toEqual({ ...VIEWPORT, offsetTop: 0, pageScaleFactor: 1 });
    expectJpegFrame(await (await watch(source)).firstFrame());
  });

  test('a handler that is added late gets the current one', async ({ page, source, here }) => {
    await page.goto(here('/static'));
    const viewer = await watch(source);
    const frame = await viewer.firstFrame();
    expect(await new Promise(resolve => viewer.stream.on('frame', resolve))).toEqual(frame);
  });

  test.for([2, 5])('one of every %i still shows a static page', async (everyNthFrame, { page, source, here }) => {
    await page.goto(here('/static'));
    const viewer = await watch(source, { everyNthFrame });
    await viewer.firstFrame();
    await page.setContent(COLOURED('blue'));
    await viewer.frameOfColour('blue', page);
  });

  test('the last change is shown, though Chromium dropped its frame while nobody took the ones before', async ({
    page,
    source,
    here,
  }) => {
    await page.goto(here('/static'));
    await page.setContent(COLOURED('red'));
    const viewer = await watch(source);
    await viewer.frameOfColour('red', page);
    await page.evaluate(() => {
      let changes = 0;
      const change = (): void => {
        changes += 1;
        document.body.style.background = changes < 30 ? `rgb(200, ${changes}, 0)` : 'blue';
        if (changes < 30) requestAnimationFrame(change);
      };
      requestAnimationFrame(change);
    });
    // A program that is busy takes no frames.
    const until = performance.now() + 1_500;
    while (performance.now() < until);
    await viewer.frameOfColour('blue', page, viewer.frames.length);
  });

  /** Chromium sends three that nobody takes. After a pause, as on a busy machine, the stream asks anew: three more. */
  const UNTAKEN = 6;

  test('come as slowly as they are taken, and still end with how the page looks', async ({ page, source, here }) => {
    await page.goto(here('/static'));
    await page.setContent(COLOURED('red'));
    const viewer = await watch(source);
    await viewer.frameOfColour('red', page);
    viewer.stream.pace(true);
    const drawn = () => page.evaluate(() => Number(document.body.dataset.drawn ?? 0));
    await page.evaluate(() => {
      const change = (): void => {
        const count = Number(document.body.dataset.drawn ?? 0) + 1;
        document.body.dataset.drawn = `${count}`;
        document.body.style.background = document.body.dataset.stop ? 'blue' : `rgb(200, ${count % 60}, 0)`;
        if (!document.body.dataset.stop) requestAnimationFrame(change);
      };
      requestAnimationFrame(change);
    });
    const untaken = async (): Promise<number> => {
      const before = { frames: viewer.frames.length, drawn: await drawn() };
      await expect.poll(drawn).toBeGreaterThan(before.drawn + 30);
      return viewer.frames.length - before.frames;
    };
    const known = viewer.frames.length;
    for (let taken = 0; taken <= 4; taken += 1) {
      const before = viewer.frames.length;
      if (taken > 0) {
        viewer.stream.takeNext();
        await viewer.until(({ frames }) => frames.length > before);
      }
      await expect.poll(untaken).toBe(0);
      expect(viewer.frames.length - before).toBeLessThanOrEqual(UNTAKEN);
    }
    viewer.stream.on('frame', () => viewer.stream.takeNext());
    await page.evaluate(() => {
      document.body.dataset.stop = 'now';
    });
    await viewer.frameOfColour('blue', page, known);
    viewer.stream.pace(false);
    await page.setContent(COLOURED('green'));
    await viewer.frameOfColour('green', page, known);
  });

  test('take the format and the size that were asked for', async ({ page, source, here }) => {
    await page.goto(here('/static'));
    const viewer = await watch(source, { format: 'png', maxWidth: 400 });
    expect(widthOf(await viewer.firstFrame())).toBe(400);
  });

  test('change their size and quality while the stream goes on, and keep their format', async ({
    page,
    source,
    here,
  }) => {
    await page.goto(here('/static'));
    const viewer = await watch(source, { format: 'png', maxWidth: 400 });
    expect(widthOf(await viewer.firstFrame())).toBe(400);
    viewer.stream.change({ maxWidth: 640, quality: 30 });
    await viewer.until(({ frames }) => widthOf(frames.at(-1)) === 640);
    // With the page that is shown next, too.
    const next = viewer.nextFrame();
    await page.goto(here('/second'));
    expect(widthOf(await next)).toBe(640);
    viewer.stream.change({});
    await viewer.until(({ frames }) => widthOf(frames.at(-1)) === VIEWPORT.width);
    expect(viewer.stops).toEqual([]);
  });

  test('options out of range are brought into range', async ({ page, source, here }) => {
    await page.goto(here('/static'));
    const viewer = await watch(source, { quality: 1000, maxWidth: 1e12, maxHeight: Number.NaN, everyNthFrame: -1 });
    expectJpegFrame(await viewer.firstFrame());
  });
});

describe('what the stream follows', () => {
  test('navigations to the same and to another site', async ({ page, source, here, there }) => {
    await page.goto(here('/first'));
    const viewer = await watch(source);
    for (const url of [here('/second'), there('/third'), here('/fourth'), there('/fifth')]) {
      const next = viewer.nextFrame();
      await page.goto(url);
      await next;
      expect(viewer.urls.at(-1)).toBe(url);
    }
  });

  test('starts while navigations swap processes, again and again', async ({ context, source, here, there }) => {
    for (let round = 0; round < 8; round += 1) {
      const page = await context.newPage();
      source.show(page);
      const navigated = page.goto(round % 2 ? here(`/${round}`) : there(`/${round}`));
      const viewer = await watch(source);
      await viewer.firstFrame();
      await navigated;
      await viewer.stream.stop();
      await page.close();
    }
  });

  test('a tab change, and the tab that stays when one is closed', async ({ page, context, source }) => {
    await page.setContent(COLOURED('red'));
    const viewer = await watch(source);
    await viewer.frameOfColour('red', page);
    const other = await context.newPage();
    await other.setContent(COLOURED('blue'));
    source.show(other);
    await viewer.frameOfColour('blue', page);
    const framesBefore = viewer.frames.length;
    await other.close();
    source.show(page);
    await viewer.frameOfColour('red', page, framesBefore);
  });

  test('the page that replaces one that crashed', async ({ page, context, source, here }) => {
    await page.goto(here('/before'));
    const viewer = await watch(source);
    await viewer.firstFrame();
    const crashed = page.waitForEvent('crash');
    await page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    const replacement = await context.newPage();
    await replacement.setContent(COLOURED('green'));
    source.show(replacement);
    await viewer.frameOfColour('green', replacement);
    await page.close();
    expect(viewer.stops).toEqual([]);
  });

  test('another browser after the first one is gone', async ({ browser, source, here }) => {
    const [first, second] = [await browser.newContext(), await browser.newContext()];
    onTestFinished(() => second.close());
    const before = await first.newPage();
    source.show(before);
    const viewer = await watch(source);
    await viewer.firstFrame();
    await first.close();
    source.show(null);
    const after = await second.newPage();
    await after.goto(here('/after'));
    const next = viewer.nextFrame();
    source.show(after);
    await next;
    expect(viewer.urls.at(-1)).toBe(here('/after'));
  });

  test('the first page of a session that had none', async ({ page, source }) => {
    source.show(null);
    const viewer = await watch(source);
    expect(viewer.frames).toEqual([]);
    source.show(page);
    await viewer.firstFrame();
  });

  test('a page that is busy for ever', async ({ page, source, here }) => {
    await page.goto(here('/busy'));
    // What was never drawn cannot be shown.
    await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.evaluate(
      () =>
        void setTimeout(() => {
          for (;;);
        }),
    );
    const viewer = await watch(source);
    expectJpegFrame(await viewer.firstFrame());
  });
});

test('a page that cannot be shown is tried until it can, and no error ends the stream', async ({ page, source }) => {
  const viewer = await watch(source);
  const swapping = { newCDPSession: () => Promise.reject(new Error('Not attached to an active page')) } as never;
  const context = vi.spyOn(page, 'context');
  for (let attempt = 0; attempt < 4; attempt += 1) context.mockReturnValueOnce(swapping);
  await viewer.stream.reconnect();
  await new Promise(resolve => viewer.stream.on('frame', resolve));
  expect(viewer.errors).toEqual([]);
});

describe('the end', () => {
  test('stopping one stream leaves the other, also in its following of tabs', async ({ page, context, source }) => {
    const [stopped, kept] = [await watch(source), await watch(source)];
    await Promise.all([stopped.firstFrame(), kept.firstFrame()]);
    await stopped.stream.stop();
    const framesBefore = stopped.frames.length;
    const other = await context.newPage();
    await other.setContent(COLOURED('green'));
    source.show(other);
    await kept.frameOfColour('green', page);
    expect(stopped.frames).toHaveLength(framesBefore);
    expect(stopped.stops).toEqual(['manual']);
  });

  test('comes once, and leaves no listener behind', async ({ source }) => {
    const viewer = await watch(source);
    await viewer.stream.stop();
    await viewer.stream.stop();
    await viewer.stream.reconnect();
    expect(viewer.stops).toEqual(['manual']);
    expect(viewer.stream.isActive()).toBe(false);
    expect(source.listenerCount).toBe(0);
  });

  test('comes with the reason of the session, also to a handler that is added late', async ({ source }) => {
    const { stream, stops } = await watch(source);
    source.close('hibernated');
    expect(stops).toEqual(['hibernated']);
    expect(await new Promise(resolve => stream.on('stop', resolve))).toBe('hibernated');
  });

  test('may come while the stream starts', async ({ page, source, there }) => {
    const navigated = page.goto(there('/'));
    const stream = new SessionScreencast(source);
    const starting = stream.reconnect();
    source.close('closed');
    await starting;
    expect(stream.isActive()).toBe(false);
    await navigated;
  });
});

test('an announced url reaches the viewers', async ({ source }) => {
  const viewer = await watch(source);
  viewer.stream.emitUrl('https://shop.example/');
  expect(viewer.urls).toEqual(['https://shop.example/']);
});
