import type { MouseEventInput } from '@browser-toolset/core';
import { describe, expect } from 'vitest';
import { UndeliveredInput } from '../src/input/undelivered-input.js';
import { click, injectorOf, selectedText } from './input-steps.js';
import { test } from './live-fixtures.js';

const DRAG_AND_DROP = `
  <div draggable=true style="position: absolute; left: 10px; top: 10px; width: 80px; height: 40px; background: tan"
    ondragstart="event.dataTransfer.setData('text/plain', 'a card')">card</div>
  <div id=target style="position: absolute; left: 200px; top: 200px; width: 200px; height: 200px; background: silver"
    ondragover="event.preventDefault()" onclick="document.title = 'clicked'"
    ondrop="this.textContent = event.dataTransfer.getData('text/plain')"></div>`;

describe('the mouse', () => {
  test.for([
    { clicks: 2, selected: 'second' },
    { clicks: 3, selected: 'first second third' },
  ])('$clicks quick clicks select "$selected"', async ({ clicks, selected }, { page, source }) => {
    const input = injectorOf(source);
    await page.setContent('<p style="font: 20px monospace; margin: 20px">first second third</p>');
    await Promise.all(Array.from({ length: clicks }, (_, at) => click(input, 120 + (at % 2), 30)));
    expect((await selectedText(page)).trim()).toBe(selected);
  });

  test('two quick clicks are a double click on a page that takes them late', async ({ browser, source }) => {
    // Without a viewport of its own, a page is asked for its size before each event.
    const context = await browser.newContext({ viewport: null });
    const page = await context.newPage();
    source.show(page);
    const input = injectorOf(source);
    await page.setContent(`<body style="height: 400px"><script>
      onpointerdown = () => { for (const end = performance.now() + 800; performance.now() < end; ); };
      onclick = event => { document.title += event.detail; };
    </script>`);
    await Promise.all([click(input, 120, 30), click(input, 121, 30)]);
    await expect.poll(() => page.title()).toBe('12');
    await context.close();
  });

  test('two clicks on different places are two clicks', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent('<body style="height: 400px" onclick="document.title += event.detail">');
    await click(input, 100, 100);
    await click(input, 200, 100);
    expect(await page.title()).toBe('11');
  });

  test('moves between press and release drag, and select text', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent('<p style="font: 20px monospace; margin: 20px">first second third</p>');
    await input.injectMouse({ type: 'mousePressed', x: 28, y: 30, button: 'left', clickCount: 1 });
    for (const x of [40, 60, 89]) await input.injectMouse({ type: 'mouseMoved', x, y: 30 });
    await input.injectMouse({ type: 'mouseReleased', x: 89, y: 30, button: 'left', clickCount: 1 });
    expect(await selectedText(page)).toBe('first');
  });

  test('a drag that leaves the viewport ends at its edge, and its release is not lost', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent(
      '<body style="height: 2000px"><script>onmouseup = e => document.title = [e.buttons, e.clientX, e.clientY]</script>',
    );
    await input.injectMouse({ type: 'mousePressed', x: 300, y: 300, button: 'left' });
    await input.injectMouse({ type: 'mouseMoved', x: 1e308, y: -1e308 });
    await input.injectMouse({ type: 'mouseReleased', x: 5000, y: -40, button: 'left' });
    expect(await page.title()).toBe('0,799,0');
  });

  test('drags and drops what the page lets be dragged', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent(DRAG_AND_DROP);
    await input.injectMouse({ type: 'mousePressed', x: 40, y: 30, button: 'left' });
    for (const step of [70, 120, 200, 260]) await input.injectMouse({ type: 'mouseMoved', x: step, y: step });
    await input.injectMouse({ type: 'mouseReleased', x: 260, y: 260, button: 'left' });
    expect(await page.locator('#target').textContent()).toBe('a card');
    await click(input, 260, 260);
    expect(await page.title()).toBe('clicked');
  });

  test('the wheel scrolls', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent('<body style="height: 5000px">');
    // A page that has not been drawn yet cannot be scrolled.
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await input.injectMouse({ type: 'mouseWheel', x: 400, y: 300, deltaX: 0, deltaY: 240 });
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(240);
  });

  test.for<MouseEventInput>([
    { type: 'mouseMoved', x: 1e308, y: 5 },
    { type: 'mouseMoved', x: Number.NaN, y: 5 },
    { type: 'mousePressed', x: 5, y: Number.POSITIVE_INFINITY },
    { type: 'mousePressed', x: -3, y: 5 },
    { type: 'mouseReleased', x: 5, y: 1e9 },
    { type: 'mouseWheel', x: 5, y: 5, deltaX: 0, deltaY: Number.NaN },
    { type: 'mouseWheel', x: 801, y: 5, deltaX: 0, deltaY: 10 },
  ])('$type at $x, $y is refused, and a click right after it works', async (event, { page, source }) => {
    const input = injectorOf(source);
    await page.setContent('<body style="height: 400px" onclick="document.title = \'clicked\'">');
    await expect(input.injectMouse(event)).rejects.toThrow(UndeliveredInput);
    await click(input, 10, 10);
    expect(await page.title()).toBe('clicked');
  });
});

describe('a viewer who leaves', () => {
  test('leaves nothing pressed, and has clicked nothing', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent(`<button style="width: 300px; height: 100px">Delete</button><script>
      const seen = []; for (const type of ['mouseup', 'keyup']) addEventListener(type, e => seen.push(type + (e.key ?? e.buttons)))
      document.querySelector('button').onclick = () => seen.push('deleted')</script>`);
    await input.injectMouse({ type: 'mousePressed', x: 50, y: 50, button: 'left' });
    await input.injectKeyboard({ type: 'keyDown', key: 'Shift', modifiers: 8 });
    await input.releaseAll();
    await input.releaseAll();
    expect(await page.evaluate('seen')).toEqual(['mouseup0', 'keyupShift']);
  });

  test('drops nothing in the middle of a drag', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent(DRAG_AND_DROP);
    await input.injectMouse({ type: 'mousePressed', x: 40, y: 30, button: 'left' });
    for (const step of [70, 120, 200, 260]) await input.injectMouse({ type: 'mouseMoved', x: step, y: step });
    await input.releaseAll();
    expect(await page.locator('#target').textContent()).toBe('');
    await click(input, 260, 260);
    expect(await page.title()).toBe('clicked');
  });
});
