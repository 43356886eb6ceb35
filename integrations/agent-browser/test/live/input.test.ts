import type { KeyboardEventInput, MouseEventInput } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { InputInjector } from '../../src/live/input.js';
import { InputRefused } from '../../src/live/input-refused.js';
import { type ChosenPage, test } from './live-fixtures.js';

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));

function injectorOf(source: ChosenPage): InputInjector {
  const input = new InputInjector(source);
  onTestFinished(() => input.dispose());
  return input;
}

/** Presses and releases, as Mastra's Studio sends it: every click is the first. */
async function click(input: InputInjector, x: number, y: number): Promise<void> {
  await input.injectMouse({ type: 'mousePressed', x, y, button: 'left', clickCount: 1 });
  await input.injectMouse({ type: 'mouseReleased', x, y, button: 'left', clickCount: 1 });
}

async function press(input: InputInjector, event: Omit<KeyboardEventInput, 'type'>): Promise<void> {
  await input.injectKeyboard({ type: 'keyDown', ...event });
  await input.injectKeyboard({ type: 'keyUp', ...event });
}

const field = (page: Page) => page.locator('textarea, input').first();
const selectedText = (page: Page) => page.evaluate(() => String(getSelection()));

async function focusedField(page: Page, html = '<textarea rows=20 cols=60></textarea>'): Promise<void> {
  await page.setContent(html);
  await field(page).focus();
}

const TYPISTS: Record<string, (character: string) => KeyboardEventInput[]> = {
  "a viewer like Mastra's Studio, with a key down, a char and a key up": key => [
    { type: 'keyDown', key },
    { type: 'char', key, text: key },
    { type: 'keyUp', key },
  ],
  'a viewer that sends the text with the key down': key => [
    { type: 'keyDown', key, text: key },
    { type: 'keyUp', key },
  ],
  'a viewer that sends the text with the key down and again as a char': key => [
    { type: 'keyDown', key, text: key },
    { type: 'char', text: key },
    { type: 'keyUp', key },
  ],
  'a viewer that sends keys without a text': key => [
    { type: 'keyDown', key },
    { type: 'keyUp', key },
  ],
  'a viewer that sends nothing but chars': key => [{ type: 'char', text: key }],
  'a viewer that sends character codes as virtual key codes': key => [
    { type: 'keyDown', key, windowsVirtualKeyCode: key.charCodeAt(0) },
    { type: 'char', key, text: key, windowsVirtualKeyCode: key.charCodeAt(0) },
    { type: 'keyUp', key, windowsVirtualKeyCode: key.charCodeAt(0) },
  ],
};

describe('typing', () => {
  test.for(Object.entries(TYPISTS))(
    '%s types every printable character once',
    async ([, eventsOf], { page, source }) => {
      const input = injectorOf(source);
      await focusedField(page);
      for (const event of PRINTABLE.flatMap(eventsOf)) await input.injectKeyboard(event);
      expect(await field(page).inputValue()).toBe(PRINTABLE.join(''));
    },
  );

  test('keeps the order of events that nobody waited for', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page);
    await Promise.all(PRINTABLE.map(text => input.injectKeyboard({ type: 'char', text })));
    expect(await field(page).inputValue()).toBe(PRINTABLE.join(''));
  });

  test('types what no US keyboard has', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page);
    for (const key of ['é', 'ß', 'я', '語', '€', '😀']) await press(input, { key });
    expect(await field(page).inputValue()).toBe('éßя語€😀');
  });

  test('types a character that AltGr composes, however the viewer reports AltGr', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page);
    for (const modifiers of [0, 1, 3]) await press(input, { key: '@', code: 'KeyQ', modifiers });
    expect(await field(page).inputValue()).toBe('@@@');
  });

  test('inserts pasted text with its lines', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page);
    await input.insertText('first line\r\nsecond ❤️ line');
    expect(await field(page).inputValue()).toBe('first line\nsecond ❤️ line');
  });

  test('a page that prevents a key gets no character of it', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page, '<input onkeydown="if (event.key === \'b\') event.preventDefault()">');
    for (const text of ['a', 'b', 'c']) {
      await input.injectKeyboard({ type: 'keyDown', key: text });
      await input.injectKeyboard({ type: 'char', key: text, text });
    }
    expect(await field(page).inputValue()).toBe('ac');
  });

  test('tells the page code, key code and location of a key', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent(
      '<script>onkeydown = e => document.title = [e.key, e.code, e.keyCode, e.location].join()</script>',
    );
    for (const [event, seen] of [
      [{ key: '.' }, '.,Period,190,0'],
      [{ key: '(', modifiers: 8 }, '(,Digit9,57,0'],
      [{ key: 'Shift', code: 'ShiftRight', modifiers: 8 }, 'Shift,ShiftRight,16,2'],
      [{ key: '5', code: 'Numpad5' }, '5,Numpad5,101,3'],
      [{ key: 'F5' }, 'F5,F5,116,0'],
      [{ key: 'ArrowLeft' }, 'ArrowLeft,ArrowLeft,37,0'],
    ] as const) {
      await press(input, event);
      expect(await page.title()).toBe(seen);
    }
  });
});

describe('keys that do something', () => {
  test('Enter submits a form', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page, '<form onsubmit="document.title = \'submitted\'; return false"><input></form>');
    await press(input, { key: 'Enter', code: 'Enter' });
    expect(await page.title()).toBe('submitted');
  });

  test('Enter breaks the line of a text area, once', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page);
    for (const text of ['a', '\r', 'b']) {
      const key = text === '\r' ? 'Enter' : text;
      await input.injectKeyboard({ type: 'keyDown', key });
      await input.injectKeyboard({ type: 'char', key, text });
      await input.injectKeyboard({ type: 'keyUp', key });
    }
    expect(await field(page).inputValue()).toBe('a\nb');
  });

  test('Tab moves the focus, Backspace and Delete take characters away', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page, '<input value=abcd><input id=next>');
    for (const key of ['End', 'Backspace', 'Home', 'Delete', 'Tab']) await press(input, { key });
    expect(await field(page).inputValue()).toBe('bc');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('next');
  });

  test.for([
    ['Ctrl', 2],
    ['Cmd', 4],
  ] as const)('%s+A selects all, and its char types nothing', async ([, modifiers], { page, source }) => {
    const input = injectorOf(source);
    await focusedField(page, '<input value="old value">');
    await input.injectKeyboard({ type: 'keyDown', key: 'a', code: 'KeyA', modifiers });
    await input.injectKeyboard({ type: 'char', key: 'a', text: 'a', modifiers });
    await input.injectKeyboard({ type: 'keyUp', key: 'a', code: 'KeyA', modifiers });
    await press(input, { key: 'n' });
    expect(await field(page).inputValue()).toBe('n');
  });

  test('a modifier holds from its key down to its key up', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page, '<input value="old value">');
    await input.injectKeyboard({ type: 'keyDown', key: 'Control' });
    await press(input, { key: 'a' });
    await input.injectKeyboard({ type: 'keyUp', key: 'Control' });
    await press(input, { key: 'n' });
    expect(await field(page).inputValue()).toBe('n');
  });

  test('a modifier whose key up got lost does not hold for a viewer that reports its modifiers', async ({
    page,
    source,
  }) => {
    const input = injectorOf(source);
    await focusedField(page, '<input>');
    await input.injectKeyboard({ type: 'keyDown', key: 'Alt', code: 'AltLeft', modifiers: 1 });
    await press(input, { key: 'n', code: 'KeyN' });
    expect(await field(page).inputValue()).toBe('n');
  });

  test('Ctrl+C and Ctrl+V copy and paste once', async ({ page, source }) => {
    const input = injectorOf(source);
    await focusedField(page, '<input value="twice ">');
    for (const key of ['a', 'c']) await press(input, { key, modifiers: 2 });
    await press(input, { key: 'End' });
    await press(input, { key: 'v', modifiers: 2 });
    expect(await field(page).inputValue()).toBe('twice twice ');
  });
});

describe('the mouse', () => {
  test('two quick clicks are a double click, which selects a word', async ({ page, source }) => {
    const input = injectorOf(source);
    await page.setContent('<p style="font: 20px monospace; margin: 20px">first second third</p>');
    await click(input, 120, 30);
    await click(input, 121, 30);
    expect((await selectedText(page)).trim()).toBe('second');
    await click(input, 121, 30);
    expect((await selectedText(page)).trim()).toBe('first second third');
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
    const scrolled = page.evaluate(() => new Promise(resolve => addEventListener('scrollend', () => resolve(scrollY))));
    await input.injectMouse({ type: 'mouseWheel', x: 400, y: 300, deltaX: 0, deltaY: 240 });
    expect(await scrolled).toBe(240);
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
    await expect(input.injectMouse(event)).rejects.toThrow(InputRefused);
    await click(input, 10, 10);
    expect(await page.title()).toBe('clicked');
  });
});

const DRAG_AND_DROP = `
  <div draggable=true style="position: absolute; left: 10px; top: 10px; width: 80px; height: 40px; background: tan"
    ondragstart="event.dataTransfer.setData('text/plain', 'a card')">card</div>
  <div id=target style="position: absolute; left: 200px; top: 200px; width: 200px; height: 200px; background: silver"
    ondragover="event.preventDefault()" onclick="document.title = 'clicked'"
    ondrop="this.textContent = event.dataTransfer.getData('text/plain')"></div>`;

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

describe('the page under the input', () => {
  test('is the active one, also after a tab change and after a tab was closed', async ({ page, context, source }) => {
    const input = injectorOf(source);
    await focusedField(page);
    await press(input, { key: 'a' });
    const other = await context.newPage();
    await focusedField(other);
    source.show(other);
    await press(input, { key: 'b' });
    expect(await field(other).inputValue()).toBe('b');
    await other.close();
    source.show(page);
    await press(input, { key: 'c' });
    expect(await field(page).inputValue()).toBe('ac');
  });

  test('is not there: the input is refused', async ({ source }) => {
    const input = injectorOf(source);
    source.show(null);
    await expect(input.injectMouse({ type: 'mouseMoved', x: 1, y: 1 })).rejects.toThrow(InputRefused);
    await expect(input.injectKeyboard({ type: 'keyDown', key: 'a' })).rejects.toThrow(InputRefused);
    await expect(input.insertText('a')).rejects.toThrow(InputRefused);
    await input.releaseAll();
  });

  test('may close itself on a click, which is no error', async ({ page, context, source }) => {
    const input = injectorOf(source);
    const [popup] = await Promise.all([context.waitForEvent('page'), page.evaluate("void open('about:blank')")]);
    await popup.setContent('<body style="height: 400px" onmousedown="window.close()">');
    source.show(popup);
    const closed = popup.waitForEvent('close');
    await input.injectMouse({ type: 'mousePressed', x: 10, y: 10, button: 'left' });
    await closed;
  });

  test('may open a dialog on a click, which keeps nobody waiting', async ({ page, source }) => {
    const input = injectorOf(source);
    const opened = page.waitForEvent('dialog');
    await page.setContent('<body style="height: 400px" onclick="alert(1); document.title = \'answered\'">');
    await click(input, 10, 10);
    await (await opened).accept();
    await expect.poll(() => page.title()).toBe('answered');
  });

  test('may take any size that a window has', async ({ browser, source }) => {
    const input = injectorOf(source);
    const context = await browser.newContext({ viewport: null });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.setContent(
      '<body style="height: 400px" onclick="document.title = \'clicked\'"><script>innerWidth = 1e9</script>',
    );
    source.show(page);
    await expect(input.injectMouse({ type: 'mouseMoved', x: 1e6, y: 5 })).rejects.toThrow(InputRefused);
    await click(input, 10, 10);
    expect(await page.title()).toBe('clicked');
  });
});
