import { describe, expect, test } from 'vitest';
import { click, drag, PRINTABLE, pageShower, pressKey, typeLikeStudio } from './chromium.js';

const show = pageShower();
const TEXT_AREA = '<textarea autofocus style="width: 100vw; height: 100vh; font: 20px monospace"></textarea>';
const SPECIAL = 'é ñ ß 漢字 😀';

describe('what a person types in the live view', () => {
  test('arrives as typed: all printable characters, letters of other languages, emoji, line breaks', async () => {
    const { viewer, page } = await show(TEXT_AREA);
    click(viewer, [300, 300]);
    typeLikeStudio(viewer, PRINTABLE);
    pressKey(viewer, 'Enter');
    typeLikeStudio(viewer, SPECIAL);
    const value = () => page.inputValue('textarea');
    await expect.poll(value).toBe(`${PRINTABLE}\n${SPECIAL}`);
    expect(viewer.values('error')).toEqual([]);
  });

  test('by keys that bring no text of their own arrives as well', async () => {
    const { viewer, page } = await show(TEXT_AREA);
    click(viewer, [300, 300]);
    for (const key of PRINTABLE) pressKey(viewer, key, '');
    await expect.poll(() => page.inputValue('textarea')).toBe(PRINTABLE);
  });

  test('as a paste of 10,000 characters arrives whole', async () => {
    const { viewer, page } = await show(TEXT_AREA);
    click(viewer, [300, 300]);
    const paste = Array.from({ length: 200 }, (_, line) => `${line}: ${PRINTABLE.slice(0, 40)} ${SPECIAL}`).join('\n');
    expect(paste.length).toBeGreaterThan(10_000);
    viewer.send({ type: 'text', text: paste });
    await expect.poll(() => page.inputValue('textarea')).toBe(paste);
  });
});

describe('what a person does with the mouse in the live view', () => {
  test('hits the point that it aims at', async () => {
    const { viewer, page } = await show(
      '<body style="height: 100vh" onclick="document.title = [event.clientX, event.clientY].join()">',
    );
    for (const [x, y] of [
      [0, 0],
      [1279, 719],
      [640.4, 360.6],
    ] as const) {
      click(viewer, [x, y]);
      await expect.poll(() => page.title()).toBe(`${Math.floor(x)},${Math.floor(y)}`);
    }
  });

  test('selects text by dragging over it, also where moves leave the button out', async () => {
    const { viewer, page } = await show('<p style="font: 40px monospace; width: 600px">Select these words</p>');
    const selection = () => page.evaluate(() => `${getSelection()}`);
    drag(viewer, [1, 20], [200, 20], [599, 20]);
    await expect.poll(selection).toBe('Select these words');
    click(viewer, [5, 600]);
    await expect.poll(selection).toBe('');
    viewer.send({ type: 'mouse', eventType: 'mousePressed', x: 1, y: 20, button: 'left', clickCount: 1 });
    viewer.send({ type: 'mouse', eventType: 'mouseMoved', x: 300, y: 20 });
    viewer.send({ type: 'mouse', eventType: 'mouseMoved', x: 599, y: 20 });
    viewer.send({ type: 'mouse', eventType: 'mouseReleased', x: 599, y: 20, button: 'left', clickCount: 1 });
    await expect.poll(selection).toBe('Select these words');
  });

  test('scrolls', async () => {
    const { viewer, page } = await show('<div style="height: 5000px">');
    viewer.send({ type: 'mouse', event: { type: 'mouseWheel', x: 100, y: 100, deltaX: 0, deltaY: 700 } });
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
  });

  test('chooses from a native list', async () => {
    const { viewer, page } = await show(
      '<select style="font-size: 40px"><option>Norway<option>Sweden<option>Denmark</select>',
    );
    click(viewer, [50, 25]);
    pressKey(viewer, 'ArrowDown');
    pressKey(viewer, 'ArrowDown');
    pressKey(viewer, 'Enter');
    await expect.poll(() => page.inputValue('select')).toBe('Denmark');
  });

  test('at infinity and beyond does no harm: a click right after works', async () => {
    const { viewer, page, live } = await show('<body style="height: 100vh" onclick="document.title = event.clientX">');
    for (const far of ['1e308', '-1e308', '1e999', '123456789012345', '"9"', 'null', 'NaN']) {
      viewer.sendRaw(`{"type":"mouse","event":{"type":"mouseMoved","x":${far},"y":${far}}}`);
      viewer.sendRaw(`{"type":"mouse","event":{"type":"mouseWheel","x":1,"y":1,"deltaX":${far},"deltaY":${far}}}`);
    }
    click(viewer, [321, 20]);
    await expect.poll(() => page.title()).toBe('321');
    expect(live.metrics().garbage).toBe(8);
  });

  test('is let go when the person leaves in the middle of it', async () => {
    const { viewer, page, watch } = await show(
      `<body style="height: 100vh" onmousemove="document.title = event.buttons" onclick="document.title = 'clicked'">`,
    );
    viewer.send({ type: 'mouse', event: { type: 'mousePressed', x: 50, y: 50, button: 'left' } });
    viewer.send({ type: 'mouse', event: { type: 'mouseMoved', x: 60, y: 60, button: 'left' } });
    await expect.poll(() => page.title()).toBe('1');
    await viewer.leave();
    const next = await watch();
    await next.until(({ frames }) => frames.length > 0);
    next.send({ type: 'mouse', event: { type: 'mouseMoved', x: 70, y: 70 } });
    await expect.poll(() => page.title()).toBe('0');
  });
});
