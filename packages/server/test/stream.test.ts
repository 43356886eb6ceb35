import { FAKE_FRAME, FakeBrowserToolset } from '@browser-toolset/core/testing';
import { describe, expect, test } from 'vitest';
import { serveView } from './viewing.js';

const PAGE = 'https://shop.example/';

describe('a viewer of a thread', () => {
  test('is told everything in the order that Studio knows', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const viewer = await watch();
    await viewer.until(({ frames }) => frames.length > 0);
    const order = viewer.messages.map(message => ('status' in message ? message.status : Object.keys(message)[0]));
    const known = ['connected', 'browser_starting', 'streaming', 'url', 'viewport'];
    expect(order.filter(kind => known.includes(kind as string))).toEqual(known);
    expect(viewer.values('url')).toEqual([PAGE]);
    expect(viewer.values('viewport')).toEqual([{ width: 1280, height: 720, offsetTop: 0, pageScaleFactor: 1 }]);
  });

  test('gets frames as base64 text, or binary when it asks', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const [text, binary] = [await watch(), await watch({ query: 'threadId=one&frames=binary' })];
    await text.until(({ frames }) => frames.length > 0);
    await binary.until(({ frames }) => frames.length > 0);
    expect(text.frames[0]).toBe(FAKE_FRAME.data);
    expect(binary.frames[0]).toEqual(Buffer.from(FAKE_FRAME.data, 'base64'));
  });

  test('of a thread that nobody knows starts nothing, and is served once there is a browser', async () => {
    const { browser, watch } = await serveView();
    const viewer = await watch({ query: 'threadId=later' });
    await viewer.flushed();
    expect(viewer.statuses).toEqual(['connected']);
    expect(browser.isBrowserRunning()).toBe(false);
    browser.open('later', PAGE);
    await viewer.until(({ frames }) => frames.length > 0);
    expect(viewer.statuses).toEqual(['connected', 'browser_starting', 'streaming']);
  });

  test('without a thread watches the default one, and no other', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const viewer = await watch({ query: '' });
    await viewer.flushed();
    expect(viewer.statuses).toEqual(['connected']);
    browser.open('default', 'https://default.example/');
    await viewer.until(({ frames }) => frames.length > 0);
    browser.closeThread('one');
    await viewer.flushed();
    expect(viewer.statuses.at(-1)).toBe('streaming');
    browser.closeThread('default');
    await viewer.untilStatus('browser_closed');
  });

  test('that comes late gets the last frame at once', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const first = await watch();
    await first.until(({ frames }) => frames.length > 0);
    browser.emitFrame('one', { data: 'bGFzdA==', viewport: { width: 800, height: 600 } });
    const late = await watch();
    await late.until(({ frames }) => frames.length > 0);
    expect(late.frames).toEqual(['bGFzdA==']);
    expect(late.values('viewport').at(-1)).toMatchObject({ width: 800, height: 600 });
    expect(late.statuses).toEqual(['connected', 'streaming']);
    expect(browser.screencasts).toHaveLength(1);
  });

  test('hears how many watch, and of tabs, actions and questions', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const viewer = await watch();
    const second = await watch();
    await viewer.until(({ messages }) => messages.some(message => 'viewers' in message && message.viewers === 2));
    await second.leave();
    await viewer.until(them => them.values('viewers').at(-1) === 1);
    await browser.openTab('https://second.example/', 'one');
    const action = { id: 'a1', threadId: 'one', tool: 'browser_click', phase: 'started' as const, at: 1 };
    browser.emitAction(action);
    browser.ask('one', { id: 'q1', threadId: 'one', question: 'Which one?', options: [{ label: 'This' }] });
    await viewer.until(them => them.values('question').length > 0);
    browser.ask('one');
    await viewer.until(them => them.values('question').includes(null));
    expect(
      viewer
        .values('tabs')
        .at(-1)
        ?.map(({ url }) => url),
    ).toEqual([PAGE, 'https://second.example/']);
    expect(viewer.values('action')).toEqual([action]);
    expect(viewer.values('question')[0]).toMatchObject({ id: 'q1', options: [{ label: 'This' }] });
  });
});

describe('the cast of a thread', () => {
  test('is one for all viewers, and ends with the last', async () => {
    const { browser, live, watch } = await serveView();
    browser.open('one', PAGE);
    const viewers = [await watch(), await watch(), await watch()];
    for (const viewer of viewers) await viewer.until(({ frames }) => frames.length > 0);
    expect(browser.streamCount('one')).toBe(1);
    for (const viewer of viewers) await viewer.leave();
    await expect.poll(() => browser.streamCount('one')).toBe(0);
    expect(live.metrics()).toMatchObject({ viewers: 0, threads: 0, connections: 3 });
  });

  test('is tried again while it does not start', async () => {
    const { browser, lines, watch } = await serveView();
    browser.screencastsToFail = 3;
    browser.open('one', PAGE);
    const viewer = await watch();
    await viewer.until(({ frames }) => frames.length > 0);
    expect(browser.screencasts).toHaveLength(4);
    expect(viewer.statuses).toEqual(['connected', 'browser_starting', 'streaming']);
    expect(lines[0]).toContain('Thread one cannot be shown yet: Error: Not attached to an active page');
  });

  test('starts again when it breaks, without a word of closing', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const viewer = await watch();
    await viewer.until(({ frames }) => frames.length > 0);
    browser.breakStreams('one');
    await expect.poll(() => browser.streamCount('one')).toBe(1);
    browser.emitError(new Error('encoder gone'), 'one');
    await expect.poll(() => browser.screencasts).toHaveLength(3);
    await expect.poll(() => browser.streamCount('one')).toBe(1);
    expect(viewer.statuses).not.toContain('browser_closed');
  });

  test('follows a browser that is closed and started again', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const viewer = await watch();
    await viewer.until(({ frames }) => frames.length > 0);
    browser.closeThread('one');
    await viewer.untilStatus('browser_closed');
    viewer.send({ type: 'relaunch' });
    await viewer.untilStatus('streaming');
    await viewer.until(({ frames }) => frames.length > 1);
    expect(viewer.values('url')).toEqual([PAGE, 'about:blank']);
    expect(viewer.statuses.slice(3)).toEqual(['browser_closed', 'browser_starting', 'streaming']);
  });

  test('has the quality and width of its most demanding viewer', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const small = await watch({ query: 'threadId=one&quality=30&maxWidth=320' });
    await small.until(({ frames }) => frames.length > 0);
    const large = await watch({ query: 'threadId=one&quality=90&maxWidth=1920' });
    await expect.poll(() => browser.screencasts).toHaveLength(2);
    large.send({ type: 'settings', quality: 50, maxWidth: 640 });
    await expect.poll(() => browser.screencasts).toHaveLength(3);
    expect(browser.screencasts).toEqual([
      { threadId: 'one', quality: 30, maxWidth: 320, maxHeight: 720 },
      { threadId: 'one', quality: 90, maxWidth: 1920, maxHeight: 1920 },
      { threadId: 'one', quality: 50, maxWidth: 640, maxHeight: 720 },
    ]);
    expect(browser.streamCount('one')).toBe(1);
    expect(small.statuses).toEqual(['connected', 'browser_starting', 'streaming']);
  });

  test('changes its picture without an end where the browser can', async () => {
    const changes: object[] = [];
    const browser = new FakeBrowserToolset();
    const { startScreencast } = browser;
    browser.startScreencast = async options => {
      const stream = await startScreencast.call(browser, options);
      return Object.assign(stream, { change: (picture: object) => changes.push(picture) });
    };
    const { watch } = await serveView({ source: browser });
    browser.open('one', PAGE);
    const one = await watch();
    await one.until(({ frames }) => frames.length > 0);
    const other = await watch({ query: 'threadId=one&quality=90&maxWidth=1920' });
    await expect.poll(() => changes).toHaveLength(1);
    await other.leave();
    await expect.poll(() => changes).toHaveLength(2);
    expect(changes).toEqual([{ quality: 90, maxWidth: 1920, maxHeight: 1920 }, {}]);
    expect(browser.screencasts).toEqual([{ threadId: 'one' }]);
  });
});

describe('frames', () => {
  test('of a fast page reach a slow viewer as the newest one', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const viewer = await watch({ query: 'threadId=one&maxFps=5' });
    await viewer.until(({ frames }) => frames.length > 0);
    for (let index = 0; index < 50; index += 1) emitNumber(browser, index);
    await viewer.until(({ frames }) => frames.at(-1) === numbered(49));
    expect(viewer.frames.length).toBeLessThan(5);
  });

  test('wait for a viewer that does not read one at a time, and never for the others', async () => {
    const { browser, live, watch } = await serveView();
    browser.open('one', PAGE);
    const slow = await watch({ reads: false });
    const fast = await watch();
    await fast.until(({ frames }) => frames.length > 0);
    const count = 120;
    for (let index = 0; index < count; index += 1) {
      browser.emitFrame('one', { data: large(index), viewport: FAKE_FRAME.viewport });
      await fast.until(({ frames }) => frames.at(-1) === large(index));
      fast.frames.length = 0;
    }
    expect(live.metrics().framesSkipped).toBeGreaterThan(count / 3);
    slow.socket.resume();
    await slow.until(({ frames }) => frames.at(-1) === large(count - 1));
    expect(slow.frames.length).toBeLessThan(count);
  });

  test('bring a new viewport before the picture of it', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const viewer = await watch();
    await viewer.until(({ frames }) => frames.length > 0);
    const viewport = { width: 400, height: 300, offsetTop: 56, pageScaleFactor: 2 };
    browser.emitFrame('one', { data: 'c21hbGw=', viewport });
    await viewer.until(({ frames }) => frames.at(-1) === 'c21hbGw=');
    expect(viewer.values('viewport').at(-1)).toEqual(viewport);
  });
});

function emitNumber(browser: { emitFrame(threadId: string, frame: typeof FAKE_FRAME): void }, index: number): void {
  browser.emitFrame('one', { data: numbered(index), viewport: FAKE_FRAME.viewport });
}

function numbered(index: number): string {
  return Buffer.from(`frame ${index}`).toString('base64');
}

/** Half a megabyte, told apart by its beginning. */
function large(index: number): string {
  return numbered(index).padEnd(500_000, 'A');
}
