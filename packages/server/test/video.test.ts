import { decodeVideoMessage } from '@browser-toolset/core/protocol';
import { FAKE_FRAME } from '@browser-toolset/core/testing';
import { describe, expect, test } from 'vitest';
import { CONFIG, chunksOf, FilmedBrowser } from './filmed-browser.js';
import { serveView, type TestViewer, type ViewerOptions } from './viewing.js';

const QUERY = 'threadId=one&frames=video';

async function filmed() {
  const source = new FilmedBrowser();
  source.open('one', 'https://shop.example/');
  const served = await serveView({ source });
  /** A viewer of video for whom something is encoded. */
  const film = async (options: ViewerOptions = {}): Promise<TestViewer> => {
    const viewer = await served.watch({ query: QUERY, ...options });
    await expect.poll(() => source.videos.at(-1)?.isStopped).toBe(false);
    return viewer;
  };
  return { ...served, source, film };
}

describe('a viewer of video', () => {
  test('is told how to decode it before the first chunk, and when that changes', async () => {
    const { source, film } = await filmed();
    const viewer = await film();
    await source.video.encode({ isKey: true, data: Buffer.from('first') });
    await source.video.encode({ data: Buffer.from('second') });
    const narrow = { ...CONFIG, width: 8, codedWidth: 8 };
    await source.video.encode({ isKey: true, config: narrow, data: Buffer.from('third') });
    await viewer.until(({ frames }) => frames.length === 3);
    expect(viewer.values('video')).toEqual([
      { version: 1, ...CONFIG },
      { version: 1, ...narrow },
    ]);
    expect(viewer.values('viewport')).toEqual([{ width: 1280, height: 720, offsetTop: 0, pageScaleFactor: 1 }]);
    const [first, second, third] = chunksOf(viewer);
    expect([first, second, third].map(chunk => Buffer.from(chunk?.data ?? []).toString())).toEqual([
      'first',
      'second',
      'third',
    ]);
    expect([first?.isKey, second?.isKey, third?.isKey]).toEqual([true, false, true]);
    expect([first?.sequence, second?.sequence, third?.sequence]).toEqual([0, 1, 2]);
    expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(40_000);
  });

  test('gets no JPEG, and viewers of JPEG beside it no video', async () => {
    const { source, film, watch } = await filmed();
    const viewer = await film();
    const [text, binary] = [await watch(), await watch({ query: 'threadId=one&frames=binary' })];
    for (const other of [text, binary]) await other.until(({ frames }) => frames.length > 0);
    await source.video.encode({ isKey: true });
    source.emitFrame('one');
    for (const other of [text, binary]) await other.until(({ frames }) => frames.length > 1);
    await viewer.until(({ frames }) => frames.length > 0);
    expect(viewer.frames.map(frame => decodeVideoMessage(frame as Buffer)?.isKey)).toEqual([true]);
    expect(new Set(text.frames)).toEqual(new Set([FAKE_FRAME.data]));
    expect(new Set(binary.frames.map(frame => (frame as Buffer).toString('base64')))).toEqual(
      new Set([FAKE_FRAME.data]),
    );
    expect(text.values('video')).toEqual([]);
  });

  test('that comes late gets what the others have had, and the others nothing again', async () => {
    const { source, film } = await filmed();
    const first = await film();
    await source.video.encode({ isKey: true });
    await source.video.encode();
    const late: TestViewer[] = [];
    for (let count = 0; count < 4; count += 1) late.push(await film());
    for (const viewer of late) await viewer.until(({ frames }) => frames.length === 2);
    await source.video.encode();
    for (const viewer of late) {
      await viewer.until(({ frames }) => frames.length === 3);
      expect(chunksOf(viewer).map(({ isKey, sequence }) => [isKey, sequence])).toEqual([
        [true, 0],
        [false, 1],
        [false, 2],
      ]);
      expect(viewer.values('video')).toHaveLength(1);
    }
    await first.until(({ frames }) => frames.length === 3);
    expect(source.video.keyframes).toBe(0);
  });

  test('that comes late asks for a key picture where much has come since, and gets nothing before it', async () => {
    const { source, film } = await filmed();
    const first = await film();
    await source.video.encode({ isKey: true });
    for (let count = 0; count < 30; count += 1) await source.video.encode();
    const late = await film();
    await expect.poll(() => source.video.keyframes).toBe(1);
    await source.video.encode();
    await source.video.encode({ isKey: true });
    await source.video.encode();
    await late.until(({ frames }) => frames.length === 2);
    expect(chunksOf(late).map(({ isKey, sequence }) => [isKey, sequence])).toEqual([
      [true, 32],
      [false, 33],
    ]);
    await first.until(({ frames }) => frames.length === 34);
    expect(source.video.keyframes).toBe(1);
  });

  test('gets no chunk of another size before a key picture of it, which is asked for once', async () => {
    const { source, film } = await filmed();
    const viewer = await film();
    await source.video.encode({ isKey: true });
    await viewer.until(({ frames }) => frames.length === 1);
    const narrow = { ...CONFIG, width: 8, codedWidth: 8 };
    for (let count = 0; count < 3; count += 1) await source.video.encode({ config: narrow });
    expect(source.video.keyframes).toBe(1);
    await source.video.encode({ isKey: true, config: narrow });
    await source.video.encode({ config: narrow });
    await viewer.until(({ frames }) => frames.length === 3);
    expect(chunksOf(viewer).map(({ isKey, sequence }) => [isKey, sequence])).toEqual([
      [true, 0],
      [true, 4],
      [false, 5],
    ]);
    expect(viewer.values('video')).toMatchObject([{ width: CONFIG.width }, { width: 8 }]);
  });

  test('shares the encoder with all others, which ends with the last', async () => {
    const { source, film, watch } = await filmed();
    const viewers = [await film(), await film({ query: `${QUERY}&maxFps=60` })];
    const wishes = () => source.videos.map(video => video.wishes.at(-1));
    await expect.poll(wishes).toEqual([{ maxFps: 60, exclusive: true }]);
    await watch();
    await expect.poll(wishes).toEqual([{ maxFps: 60, exclusive: false }]);
    await viewers[0]?.leave();
    expect(source.video.isStopped).toBe(false);
    await viewers[1]?.leave();
    await expect.poll(() => source.videos[0]?.isStopped).toBe(true);
    expect(source.streamCount('one')).toBe(1);
    await film();
    expect(source.videos.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });

  test('has another encoder for another screencast', async () => {
    const { source, film } = await filmed();
    const viewer = await film();
    await source.video.encode({ isKey: true });
    source.breakStreams('one');
    await expect.poll(() => source.videos.map(({ isStopped }) => isStopped)).toEqual([true, false]);
    await source.video.encode({ isKey: true });
    await viewer.until(({ frames }) => frames.length === 2);
    expect(viewer.values('error')).toEqual([]);
  });

  test('may ask for a key picture a thousand times: it gets few, and others none', async () => {
    const { source, film } = await filmed();
    const [rude, other] = [await film(), await film()];
    await source.video.encode({ isKey: true });
    for (const viewer of [rude, other]) await viewer.until(({ frames }) => frames.length === 1);
    for (let count = 0; count < 1000; count += 1) rude.send({ type: 'keyframe' });
    await rude.flushed();
    await rude.until(({ frames }) => frames.length >= 5);
    expect(rude.frames.length).toBeLessThan(10);
    expect(source.video.keyframes).toBe(0);
    await source.video.encode();
    await other.until(({ frames }) => frames.length === 2);
    expect(chunksOf(other).map(({ isKey }) => isKey)).toEqual([true, false]);
  });

  test('may ask for a key picture a thousand times where much has come since: few are made', async () => {
    const { source, film } = await filmed();
    const viewer = await film();
    await source.video.encode({ isKey: true });
    for (let count = 0; count < 30; count += 1) await source.video.encode();
    for (let count = 0; count < 1000; count += 1) viewer.send({ type: 'keyframe' });
    await viewer.flushed();
    expect(source.video.keyframes).toBeGreaterThan(0);
    expect(source.video.keyframes).toBeLessThan(10);
    await source.video.encode({ isKey: true });
    await viewer.until(seen => chunksOf(seen).at(-1)?.isKey === true && seen.frames.length > 1);
  });
});

describe('a viewer that does not read', () => {
  const LARGE = Buffer.alloc(4_000_000, 'x');

  test('slows nobody, costs no chunks, and gets a key picture when it reads again', async () => {
    const { live, source, film } = await filmed();
    const [slow, fast] = [await film(), await film()];
    await source.video.encode({ isKey: true });
    for (const viewer of [slow, fast]) await viewer.until(({ frames }) => frames.length === 1);
    slow.socket.pause();
    // What the kernel takes for a viewer is no more than this.
    for (let count = 0; count < 10; count += 1) await source.video.encode({ data: LARGE });
    await fast.until(({ frames }) => frames.length === 11);
    const { chunksSkipped } = live.metrics();
    expect(chunksSkipped).toBeGreaterThan(5);
    const before = source.video.keyframes;
    slow.socket.resume();
    await expect.poll(() => source.video.keyframes).toBeGreaterThan(before);
    await source.video.encode({ isKey: true, data: Buffer.from('newest') });
    await slow.until(viewer => chunksOf(viewer).at(-1)?.isKey === true && viewer.frames.length > 1);
    const sequences = chunksOf(slow).map(({ sequence }) => sequence);
    expect(sequences.at(-1)).toBe(11);
    expect(sequences.length).toBeLessThan(6);
  });
});

describe('a browser that cannot encode', () => {
  test('is told once, and is shown as JPEG', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', 'https://shop.example/');
    const viewer = await watch({ query: QUERY });
    await viewer.untilError('video_not_supported');
    await viewer.until(({ frames }) => frames.length > 0);
    viewer.send({ type: 'keyframe' });
    browser.emitFrame('one');
    await viewer.until(({ frames }) => frames.length > 1);
    expect(viewer.frames.map(frame => (frame as Buffer).toString('base64'))).toContain(FAKE_FRAME.data);
    expect(viewer.values('error')).toEqual(['video_not_supported']);
  });

  test('although it should is shown as JPEG too', async () => {
    const { source, watch, lines } = await filmed();
    source.refusesVideo = true;
    const viewer = await watch({ query: QUERY });
    await viewer.untilError('video_not_supported');
    await viewer.until(({ frames }) => frames.length > 0);
    expect((viewer.frames[0] as Buffer).toString('base64')).toBe(FAKE_FRAME.data);
    expect(lines.join('\n')).toContain('no encoder');
  });

  test('any longer is shown as JPEG from then on', async () => {
    const { source, film } = await filmed();
    const viewer = await film();
    await source.video.encode({ isKey: true });
    source.video.listener.onEnd(new Error('the encoder failed'));
    await viewer.untilError('video_not_supported');
    await viewer.until(({ frames }) => frames.length > 1);
    expect((viewer.frames[1] as Buffer).toString('base64')).toBe(FAKE_FRAME.data);
  });
});

test('frames of a form that there is not are refused', async () => {
  const { watch } = await filmed();
  await expect(watch({ query: 'threadId=one&frames=gif' })).rejects.toMatchObject({ status: 400 });
});
