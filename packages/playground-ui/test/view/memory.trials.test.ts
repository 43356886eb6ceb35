import { expect } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import { test } from '../page/fixtures.js';

const frames = trials.size({ slice: 300, full: 2_000 });

test(`${frames} frames leave no object url and no growing heap`, async ({ page, server, frame, mount }) => {
  await mount({ component: 'frame', width: 640, height: 360 });
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error('an object url was made');
    };
    // The page itself says what it has drawn: a question to it for each frame would fill the heap.
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    const tell = () => void fetch(`/drawn/${canvas.dataset.frames}`);
    new MutationObserver(tell).observe(canvas, { attributeFilter: ['data-frames'] });
  });
  const devtools = await page.context().newCDPSession(page);
  /** Bytes of the page's objects and of the memory behind its array buffers. */
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  };
  const draw = async (count: number) => {
    for (let drawn = 0; drawn < count; drawn += 1) {
      const known = server.requests.length;
      server.say(frame);
      await server.until(({ requests }) => requests.length > known);
    }
  };
  await draw(100);
  const before = await heap();
  await draw(frames - 100);
  // To keep each frame as it arrived alone would take 37 KB for each.
  expect((await heap()) - before).toBeLessThan(2_000_000);
});
