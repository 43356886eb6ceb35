import { FAKE_FRAME } from '@browser-toolset/core/testing';
import { describe, expect, test } from 'vitest';
import { FilmedBrowser } from './filmed-browser.js';
import { serveProxy, serveView, type TestViewer, watcher } from './viewing.js';

const VIDEO = 'threadId=one&frames=video';
const JPEG = 'threadId=one&frames=binary';
/** Larger than what kernels take for a connection that nobody reads from. */
const LARGE = Buffer.alloc(4_000_000, 'x');
const LARGE_FRAME = { ...FAKE_FRAME, data: LARGE.toString('base64') };
/** Of one viewer: what is on its way when it stops to read, and what is given to it then. */
const MOST_HELD = 2 * LARGE.length;

async function filmed() {
  const source = new FilmedBrowser();
  source.open('one', 'https://shop.example/');
  const served = await serveView({ source });
  const film = async (): Promise<TestViewer> => {
    const viewer = await served.watch({ query: VIDEO });
    await expect.poll(() => source.videos.at(-1)?.isStopped).toBe(false);
    return viewer;
  };
  return { ...served, source, film };
}

describe('a viewer that reads nothing', () => {
  test.each([
    { what: 'answers pings that it has not seen', payloads: (index: number) => [`video ${index}`, `${index}`, ''] },
    { what: 'answers all pings with the one that it saw last', payloads: () => [], repeats: true },
    { what: 'says all the time that it is alive', payloads: () => ['', ''] },
  ])('and $what costs the server no more than what is on its way', async ({ payloads, repeats }) => {
    const { live, held, source, film } = await filmed();
    const [liar, honest] = [await film(), await film()];
    let seen: string[] = [];
    liar.socket.on('ping', payload => {
      seen = [String(payload)];
    });
    await source.video.encode({ isKey: true });
    for (const viewer of [liar, honest]) await viewer.until(({ frames }) => frames.length === 1);
    liar.socket.pause();
    for (let index = 0; index < 20; index += 1) {
      await source.video.encode({ data: LARGE });
      for (const payload of repeats ? seen : payloads(index + 2)) liar.socket.pong(payload);
      await liar.told(live);
      await honest.until(({ frames }) => frames.length === index + 2);
    }
    expect(held()).toBeLessThan(MOST_HELD);
  });

  test('and sends pings gets one answer at a time', async () => {
    const { live, held, watch } = await serveView();
    const liar = await watch();
    await liar.until(({ messages }) => messages.length > 0);
    liar.socket.pause();
    const payload = Buffer.alloc(125, 'x');
    for (let count = 0; count < 200_000; count += 1) liar.socket.ping(payload);
    await liar.told(live);
    expect(held()).toBeLessThan(100_000);
    const last = liar.flushed();
    liar.socket.resume();
    await last;
  });

  test('and asks for key pictures gets none until it reads', async () => {
    const { live, held, source, film } = await filmed();
    const [liar, honest] = [await film(), await film()];
    await source.video.encode({ isKey: true });
    for (const viewer of [liar, honest]) await viewer.until(({ frames }) => frames.length === 1);
    liar.socket.pause();
    for (let index = 0; index < 10; index += 1) {
      liar.send({ type: 'keyframe' });
      await liar.told(live);
      await source.video.encode({ isKey: true, data: LARGE });
      await honest.until(({ frames }) => frames.length === index + 2);
    }
    expect(held()).toBeLessThan(MOST_HELD);
  });
});

describe('behind a proxy that takes everything, a viewer of', () => {
  test.each([
    { form: 'JPEG', query: JPEG },
    { form: 'JPEG in base64', query: 'threadId=one' },
  ])('$form that reads nothing gets no more than is on its way, and then the newest', async ({ query }) => {
    const { live, url, source } = await filmed();
    const viewer = await watcher(await serveProxy(url))({ query });
    await viewer.until(({ frames }) => frames.length === 1);
    const other = await watcher(url)({ query });
    await other.until(({ frames }) => frames.length === 1);
    viewer.socket.pause();
    for (let index = 0; index < 30; index += 1) {
      source.emitFrame('one', LARGE_FRAME);
      await other.nextFrame();
    }
    expect(live.metrics().framesSent).toBeLessThan(40);
    const newest = { ...FAKE_FRAME, data: Buffer.from('newest').toString('base64') };
    source.emitFrame('one', newest);
    viewer.socket.resume();
    await viewer.until(({ frames }) => base64Of(frames.at(-1)) === newest.data);
    expect(viewer.frames.length).toBeLessThan(6);
  });

  test('video that reads nothing gets no more than is on its way, and then the newest', async () => {
    const { live, url, source, film } = await filmed();
    const honest = await film();
    const viewer = await watcher(await serveProxy(url))({ query: VIDEO });
    await source.video.encode({ isKey: true });
    for (const one of [viewer, honest]) await one.until(({ frames }) => frames.length === 1);
    viewer.socket.pause();
    for (let index = 0; index < 30; index += 1) {
      await source.video.encode({ data: LARGE });
      await honest.until(({ frames }) => frames.length === index + 2);
    }
    expect(live.metrics().chunksSent).toBeLessThan(40);
  });
});

function base64Of(frame: string | Buffer | undefined): string | undefined {
  return typeof frame === 'string' ? frame : frame?.toString('base64');
}
