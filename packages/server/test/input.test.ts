import { FakeBrowserToolset } from '@browser-toolset/core/testing';
import { describe, expect, test } from 'vitest';
import { join, mouseOf, openOne, PAGE, press } from './acting.js';
import { lacking, serveView } from './viewing.js';

describe('input', () => {
  test('of both forms reaches the browser in order', async () => {
    const served = await serveView();
    const viewer = await openOne(served);
    viewer.send(press(10, 20));
    viewer.send({ type: 'mouse', eventType: 'mouseReleased', x: 10, y: 20, button: 'left', clickCount: 1 });
    viewer.send({ type: 'keyboard', event: { type: 'keyDown', key: '.', code: 'Period' } });
    viewer.send({ type: 'keyboard', eventType: 'keyUp', key: '.', code: 'Period' });
    viewer.send({ type: 'text', text: '漢字 😀' });
    viewer.send({ type: 'touch', event: { type: 'touchStart', touches: [{ x: 1, y: 2 }] } });
    await viewer.flushed();
    expect(served.browser.injected).toEqual([
      { kind: 'mouse', threadId: 'one', event: { type: 'mousePressed', x: 10, y: 20, button: 'left', clickCount: 1 } },
      { kind: 'mouse', threadId: 'one', event: { type: 'mouseReleased', x: 10, y: 20, button: 'left', clickCount: 1 } },
      {
        kind: 'keyboard',
        threadId: 'one',
        event: { type: 'keyDown', key: '.', code: 'Period', windowsVirtualKeyCode: 190 },
      },
      {
        kind: 'keyboard',
        threadId: 'one',
        event: { type: 'keyUp', key: '.', code: 'Period', windowsVirtualKeyCode: 190 },
      },
      { kind: 'text', threadId: 'one', text: '漢字 😀' },
      { kind: 'touch', threadId: 'one', event: { type: 'touchStart', touches: [{ x: 1, y: 2 }] } },
    ]);
  });

  test('never leaves the viewport, wherever it aims', async () => {
    const served = await serveView();
    const viewer = await openOne(served);
    for (const [x, y] of [
      [1e308, -1e308],
      [-5, 720],
      [1279.5, 0],
    ] as const) {
      viewer.send(press(x, y));
    }
    viewer.sendRaw('{"type":"mouse","event":{"type":"mouseMoved","x":1e999,"y":1}}');
    viewer.send({ type: 'mouse', event: { type: 'mouseWheel', x: 1, y: 1, deltaX: -1e300, deltaY: 1e300 } });
    await viewer.flushed();
    expect(mouseOf(served.browser.injected)).toMatchObject([
      { x: 1279, y: 0 },
      { x: 0, y: 719 },
      { x: 1279, y: 0 },
      { type: 'mouseWheel', deltaX: -2000, deltaY: 2000 },
    ]);
    expect(served.live.metrics().garbage).toBe(1);
  });

  test('of a drag carries its button where the viewer leaves it out', async () => {
    const served = await serveView();
    const viewer = await openOne(served);
    viewer.send({ type: 'mouse', event: { type: 'mouseMoved', x: 1, y: 1 } });
    viewer.send(press(1, 1));
    viewer.send({ type: 'mouse', event: { type: 'mouseMoved', x: 9, y: 9 } });
    await viewer.flushed();
    expect(mouseOf(served.browser.injected).map(({ button }) => button)).toEqual([undefined, 'left', 'left']);
  });

  test('for a thread without a browser is refused and starts nothing', async () => {
    const served = await serveView();
    const viewer = await served.watch();
    viewer.send(press(1, 1));
    viewer.send({ type: 'text', text: 'hello' });
    await viewer.untilError('no_browser');
    await viewer.flushed();
    expect(served.browser.injected).toEqual([]);
    expect(served.browser.isBrowserRunning()).toBe(false);
    expect(served.live.metrics().refusedInput).toBe(2);
  });

  test('that a browser does not offer is refused', async () => {
    const browser = new FakeBrowserToolset();
    const served = await serveView({ source: lacking(browser, 'injectTouchEvent') });
    browser.open('one', PAGE);
    const viewer = await join(served);
    viewer.send({ type: 'touch', event: { type: 'touchStart', touches: [{ x: 1, y: 2 }] } });
    await viewer.untilError('not_supported');
    expect(browser.injected).toEqual([]);
  });

  test('of a paste is typed by a browser that cannot insert text', async () => {
    const browser = new FakeBrowserToolset();
    const served = await serveView({ source: lacking(browser, 'insertText') });
    browser.open('one', PAGE);
    const viewer = await join(served);
    viewer.send({ type: 'text', text: 'é😀\r\n' });
    await viewer.flushed();
    const typed = browser.injected.map(input => (input.kind === 'keyboard' ? input.event : undefined));
    expect(typed).toEqual([
      { type: 'char', key: 'é', text: 'é' },
      { type: 'char', key: '😀', text: '😀' },
      { type: 'char', key: 'Enter', text: '\r' },
    ]);
  });
});

describe('what a viewer holds down', () => {
  test('is released when it leaves', async () => {
    const served = await serveView();
    const viewer = await openOne(served);
    viewer.send(press(1, 1));
    await viewer.flushed();
    await viewer.leave();
    await expect.poll(() => served.browser.injected.at(-1)).toEqual({ kind: 'release', threadId: 'one' });
  });

  test('is released key by key in a browser that cannot release all', async () => {
    const browser = new FakeBrowserToolset();
    const served = await serveView({ source: lacking(browser, 'releaseInput') });
    browser.open('one', PAGE);
    const viewer = await join(served);
    viewer.send({ type: 'keyboard', event: { type: 'keyDown', key: 'Shift', code: 'ShiftLeft' } });
    viewer.send(press(5, 5));
    await viewer.flushed();
    await viewer.leave();
    await expect.poll(() => browser.injected).toHaveLength(4);
    expect(browser.injected.slice(2)).toMatchObject([
      { kind: 'mouse', event: { type: 'mouseReleased', button: 'left' } },
      { kind: 'keyboard', event: { type: 'keyUp', code: 'ShiftLeft' } },
    ]);
  });

  test('is released when another takes over', async () => {
    const served = await serveView();
    const [first, second] = [await openOne(served), await join(served)];
    first.send(press(1, 1));
    await first.flushed();
    second.send({ type: 'control', action: 'take' });
    await second.until(({ control }) => control?.isYou === true);
    expect(served.browser.injected.at(-1)).toEqual({ kind: 'release', threadId: 'one' });
  });
});

describe('control', () => {
  test('is handed from the agent to a person, to another, and back', async () => {
    const served = await serveView();
    const [ann, bob] = [await openOne(served), await join(served)];
    ann.send({ type: 'control', action: 'take' });
    await bob.until(({ control }) => control?.holder === 'human');
    expect(served.browser.takenOver).toEqual(new Set(['one']));
    bob.send(press(7, 7));
    await bob.untilError('another_in_control');
    expect(served.browser.injected).toEqual([]);
    bob.send({ type: 'control', action: 'take' });
    await ann.until(({ control }) => control?.requestedBy === 'another');
    ann.send({ type: 'control', action: 'release' });
    await bob.until(({ control }) => control?.isYou === true);
    bob.send(press(7, 7));
    await bob.flushed();
    expect(mouseOf(served.browser.injected)).toMatchObject([{ x: 7, y: 7 }]);
    await bob.leave();
    await ann.until(({ control }) => control?.holder === 'agent');
    await expect.poll(() => served.browser.takenOver.size).toBe(0);
  });

  test('that is refused stays with its holder', async () => {
    const served = await serveView();
    const [ann, bob] = [await openOne(served), await join(served)];
    ann.send({ type: 'control', action: 'take' });
    await bob.until(({ control }) => control?.holder === 'human');
    bob.send({ type: 'control', action: 'take' });
    await ann.until(({ control }) => control?.requestedBy === 'another');
    ann.send({ type: 'control', action: 'deny' });
    await bob.until(({ control }) => control?.isDenied === true);
    expect(ann.control).toMatchObject({ isYou: true });
  });

  test('is back with the agent when the last viewer is gone', async () => {
    const served = await serveView();
    const viewer = await openOne(served);
    viewer.send({ type: 'control', action: 'take' });
    await viewer.until(({ control }) => control?.isYou === true);
    viewer.socket.terminate();
    await expect.poll(() => served.browser.takenOver.size).toBe(0);
  });
});

describe('an answer', () => {
  test('reaches the host once the agent asks, and not for a question of before', async () => {
    const answers: object[] = [];
    const served = await serveView({ onAnswer: answer => void answers.push(answer) });
    const viewer = await openOne(served);
    served.browser.ask('one', { id: 'q2', threadId: 'one', question: 'Which?' });
    await viewer.until(them => them.values('question').length > 0);
    viewer.send({ type: 'answer', id: 'q1', answer: 'old' });
    await viewer.untilError('no_question');
    viewer.send({ type: 'answer', id: 'q2', answer: 'this' });
    await viewer.flushed();
    expect(answers).toEqual([{ agentId: 'web', threadId: 'one', questionId: 'q2', answer: 'this' }]);
  });
});

describe('garbage', () => {
  test('too long for any message ends that stream alone', async () => {
    const served = await serveView({ limits: { messageBytes: 10_000 } });
    const [viewer, other] = [await openOne(served), await join(served)];
    viewer.send({ type: 'text', text: 'x'.repeat(9_000) });
    await viewer.flushed();
    viewer.send({ type: 'text', text: 'x'.repeat(10_000) });
    expect(await viewer.untilClosed()).toMatchObject({ code: 1009 });
    await other.flushed();
    expect(served.browser.injected).toHaveLength(1);
  });

  test('in a flood is read slowly, and nothing of it is lost', async () => {
    // A burst of ten seconds' worth is let through; the rest takes so long that no machine is too slow to be a flood.
    const served = await serveView({ limits: { messagesPerSecond: 10 } });
    const viewer = await openOne(served);
    for (let index = 0; index < 120; index += 1) viewer.send({ type: 'text', text: `${index}` });
    await viewer.flushed();
    expect(served.browser.injected.map(input => input.kind === 'text' && input.text)).toEqual(
      Array.from({ length: 120 }, (_, index) => `${index}`),
    );
    expect(served.live.metrics().throttled).toBeGreaterThan(0);
  });
});
