import type { KeyboardEventInput } from '@browser-toolset/core';
import { describe, expect } from 'vitest';
import { field, focusedField, injectorOf, press } from './input-steps.js';
import { test } from './live-fixtures.js';

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));

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
