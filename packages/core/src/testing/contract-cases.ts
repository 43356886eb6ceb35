import { expect } from 'vitest';
import type { BrowserLiveSource, ScreencastStream } from '../browser-toolset-like.js';
import type { ContractSubject } from './contract-subject.js';
import { expectJpegFrame, StreamRecorder } from './stream-recorder.js';

/** The parts that a case works with. */
export interface CaseContext {
  subject: ContractSubject;
  toolset: BrowserLiveSource;
  pageUrl(path: string): string;
  /** Ends the case as not applicable. */
  leaveOut(reason: string): never;
}

const THREAD = 'contract-thread';
const OTHER = 'contract-other';

async function recordStream(toolset: BrowserLiveSource, threadId: string): Promise<StreamRecorder> {
  const stream = await toolset.startScreencastIfBrowserActive({ threadId });
  return new StreamRecorder(required(stream, 'a stream of a thread that has a page'));
}

function required<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`There should be ${what}.`);
  return value;
}

/** A callback that counts, and can be waited for. */
function countCalls() {
  const waiting = new Set<() => void>();
  const counter = {
    calls: 0,
    callback: () => {
      counter.calls += 1;
      for (const resolve of waiting) resolve();
    },
    async atLeast(calls: number): Promise<void> {
      while (counter.calls < calls) await new Promise<void>(resolve => waiting.add(resolve));
    },
  };
  return counter;
}

async function expectNothingRuns(toolset: BrowserLiveSource): Promise<void> {
  expect(toolset.isBrowserRunning()).toBe(false);
  expect(toolset.isBrowserRunning(THREAD)).toBe(false);
  expect(await toolset.getCurrentUrl(THREAD)).toBeNull();
}

/** The contract: title and test. Titles are public, because implementations name them to leave one out. */
export const CONTRACT_CASES: Readonly<Record<string, (context: CaseContext) => Promise<void>>> = {
  async 'no browser runs before the first use'({ toolset }) {
    await expectNothingRuns(toolset);
  },

  async 'startScreencastIfBrowserActive answers null and starts nothing'({ toolset }) {
    expect(await toolset.startScreencastIfBrowserActive({ threadId: THREAD })).toBeNull();
    await expectNothingRuns(toolset);
  },

  async 'startScreencast starts the browser'({ toolset }) {
    const stream = await toolset.startScreencast({ threadId: THREAD });
    expect(toolset.isBrowserRunning(THREAD)).toBe(true);
    await stream.stop();
  },

  async 'onBrowserReady calls back when the page exists, and a stream can start right then'({
    subject,
    toolset,
    pageUrl,
  }) {
    const streams: Promise<ScreencastStream | null>[] = [];
    const ready = countCalls();
    toolset.onBrowserReady(() => {
      streams.push(toolset.startScreencastIfBrowserActive({ threadId: THREAD }));
      ready.callback();
    }, THREAD);
    expect(ready.calls).toBe(0);
    await subject.open(THREAD, pageUrl('/first'));
    await ready.atLeast(1);
    const recorder = new StreamRecorder(required(await streams[0], 'a stream at the time of the callback'));
    expectJpegFrame(await recorder.firstFrame());
  },

  async 'onBrowserReady calls back at once when the page is there already'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    const ready = countCalls();
    toolset.onBrowserReady(ready.callback, THREAD);
    expect(ready.calls).toBe(1);
  },

  async 'onBrowserReady calls back no more after unsubscribing'({ subject, toolset, pageUrl }) {
    const [kept, dropped] = [countCalls(), countCalls()];
    toolset.onBrowserReady(kept.callback, THREAD);
    toolset.onBrowserReady(dropped.callback, THREAD)();
    await subject.open(THREAD, pageUrl('/first'));
    await kept.atLeast(1);
    expect(dropped.calls).toBe(0);
  },

  async 'onBrowserReady calls back again when a closed thread comes back'({ subject, toolset, pageUrl, leaveOut }) {
    if (!subject.closeThread) return leaveOut('it cannot close one thread');
    await subject.open(THREAD, pageUrl('/first'));
    const ready = countCalls();
    toolset.onBrowserReady(ready.callback, THREAD);
    await subject.closeThread(THREAD);
    await subject.open(THREAD, pageUrl('/second'));
    await ready.atLeast(2);
  },

  async 'getCurrentUrl is null at first, then the url of the page'({ subject, toolset, pageUrl }) {
    expect(await toolset.getCurrentUrl(THREAD)).toBeNull();
    await subject.open(THREAD, pageUrl('/first'));
    expect(await toolset.getCurrentUrl(THREAD)).toBe(pageUrl('/first'));
  },

  async 'a thread without a page has none while another thread has one'({ subject, toolset, pageUrl }) {
    await subject.open(OTHER, pageUrl('/first'));
    expect(toolset.isBrowserRunning()).toBe(true);
    expect(toolset.isBrowserRunning(OTHER)).toBe(true);
    expect(toolset.isBrowserRunning(THREAD)).toBe(false);
    expect(await toolset.getCurrentUrl(THREAD)).toBeNull();
    expect(await toolset.startScreencastIfBrowserActive({ threadId: THREAD })).toBeNull();
  },

  async 'a stream gives a JPEG frame of a static page with its viewport'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    const recorder = await recordStream(toolset, THREAD);
    expectJpegFrame(await recorder.firstFrame());
    await recorder.stream.stop();
  },

  async 'two streams of a thread both get frames, and stopping one leaves the other'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    const stopped = await recordStream(toolset, THREAD);
    const kept = await recordStream(toolset, THREAD);
    await Promise.all([stopped.firstFrame(), kept.firstFrame()]);
    await stopped.stream.stop();
    const framesBefore = stopped.frames.length;
    const next = kept.nextFrame();
    await subject.open(THREAD, pageUrl('/second'));
    expectJpegFrame(await next);
    expect(stopped.frames).toHaveLength(framesBefore);
  },

  async 'stopping a stream says stop once, however often it is stopped'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    const recorder = await recordStream(toolset, THREAD);
    await recorder.stream.stop();
    await recorder.stream.stop();
    expect(recorder.stops).toHaveLength(1);
  },

  async 'a stream says the url of a navigation'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    const recorder = await recordStream(toolset, THREAD);
    await subject.open(THREAD, pageUrl('/second'));
    await recorder.until(({ urls }) => urls.at(-1) === pageUrl('/second'));
  },

  async 'a stream says stop when the browser closes'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    const recorder = await recordStream(toolset, THREAD);
    await toolset.close();
    await recorder.until(({ stops }) => stops.length === 1);
  },

  async 'input for an unknown thread rejects and starts nothing'({ toolset }) {
    await expect(toolset.injectMouseEvent({ type: 'mouseMoved', x: 5, y: 5 }, THREAD)).rejects.toThrow();
    await expect(toolset.injectKeyboardEvent({ type: 'keyDown', key: 'a' }, THREAD)).rejects.toThrow();
    await expectNothingRuns(toolset);
  },

  async 'input for a thread with a page is taken'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    await toolset.injectMouseEvent({ type: 'mouseMoved', x: 5, y: 5 }, THREAD);
    await toolset.injectMouseEvent({ type: 'mousePressed', x: 5, y: 5, button: 'left', clickCount: 1 }, THREAD);
    await toolset.injectMouseEvent({ type: 'mouseReleased', x: 5, y: 5, button: 'left', clickCount: 1 }, THREAD);
    await toolset.injectKeyboardEvent({ type: 'keyDown', key: 'a', code: 'KeyA' }, THREAD);
    await toolset.injectKeyboardEvent({ type: 'keyUp', key: 'a', code: 'KeyA' }, THREAD);
  },

  async 'closing calls back who waits for it, and nobody who unsubscribed'({ subject, toolset, pageUrl }) {
    await subject.open(THREAD, pageUrl('/first'));
    const [kept, dropped] = [countCalls(), countCalls()];
    toolset.onBrowserClosed(kept.callback, THREAD);
    toolset.onBrowserClosed(dropped.callback, THREAD)();
    await toolset.close();
    await kept.atLeast(1);
    expect(dropped.calls).toBe(0);
    await expectNothingRuns(toolset);
  },

  async 'closing one thread leaves the others'({ subject, toolset, pageUrl, leaveOut }) {
    if (!subject.closeThread) return leaveOut('it cannot close one thread');
    await subject.open(THREAD, pageUrl('/first'));
    await subject.open(OTHER, pageUrl('/second'));
    const [closed, otherClosed] = [countCalls(), countCalls()];
    toolset.onBrowserClosed(closed.callback, THREAD);
    toolset.onBrowserClosed(otherClosed.callback, OTHER);
    await subject.closeThread(THREAD);
    await closed.atLeast(1);
    expect(otherClosed.calls).toBe(0);
    expect(toolset.isBrowserRunning(THREAD)).toBe(false);
    expect(await toolset.getCurrentUrl(OTHER)).toBe(pageUrl('/second'));
  },

  async 'closing twice is fine, before and after the first use'({ subject, toolset, pageUrl }) {
    await toolset.close();
    await subject.open(THREAD, pageUrl('/first'));
    await toolset.close();
    await toolset.close();
    await expectNothingRuns(toolset);
  },
};
