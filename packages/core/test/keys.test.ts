import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyDefinition } from '../src/index.js';

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
const UNSHIFTED = " `1234567890-=[]\\;',./abcdefghijklmnopqrstuvwxyz";

function definitionOf(key: string) {
  const definition = keyDefinition(key);
  if (!definition) throw new Error(`no definition for ${JSON.stringify(key)}`);
  return definition;
}

describe('printable characters', () => {
  test.each(PRINTABLE)('%j types itself', character => {
    expect(definitionOf(character)).toMatchObject({ key: character, text: character, location: 0 });
  });

  test.each(PRINTABLE)('%j needs Shift exactly when a US keyboard does', character => {
    expect(definitionOf(character).shift ?? false).toBe(!UNSHIFTED.includes(character));
  });

  test('share a virtual key code exactly when they share a key', () => {
    const differing = PRINTABLE.flatMap(left =>
      PRINTABLE.map(right => [definitionOf(left), definitionOf(right)] as const),
    ).filter(([a, b]) => (a.windowsVirtualKeyCode === b.windowsVirtualKeyCode) !== (a.code === b.code));
    expect(differing).toEqual([]);
  });

  test('are never taken for a key that moves the caret or deletes', () => {
    const named = [
      'Delete',
      'Insert',
      'Home',
      'End',
      'PageUp',
      'PageDown',
      'ArrowLeft',
      'ArrowUp',
      'ArrowRight',
      'ArrowDown',
    ];
    const commands = new Set(named.map(key => definitionOf(key).windowsVirtualKeyCode));
    expect(PRINTABLE.filter(character => commands.has(definitionOf(character).windowsVirtualKeyCode))).toEqual([]);
  });
});

test.each([
  ['.', 'Period', 190],
  ['>', 'Period', 190],
  ["'", 'Quote', 222],
  ['(', 'Digit9', 57],
  ['%', 'Digit5', 53],
  ['$', 'Digit4', 52],
  ['#', 'Digit3', 51],
  ['&', 'Digit7', 55],
  ['-', 'Minus', 189],
  ['~', 'Backquote', 192],
  ['a', 'KeyA', 65],
  ['Z', 'KeyZ', 90],
  [' ', 'Space', 32],
  ['Enter', 'Enter', 13],
  ['Delete', 'Delete', 46],
  ['ArrowLeft', 'ArrowLeft', 37],
  ['F1', 'F1', 112],
  ['F24', 'F24', 135],
  ['Control', 'ControlLeft', 17],
  ['Meta', 'MetaLeft', 91],
  ['AltGraph', 'AltRight', 18],
  ['MediaPlayPause', 'MediaPlayPause', 179],
  ['BrowserBack', 'BrowserBack', 166],
])('%s is %s with the virtual key code %i', (key, code, virtualKey) => {
  expect(definitionOf(key)).toMatchObject({ key, code, windowsVirtualKeyCode: virtualKey });
});

test('Enter types a carriage return, other named keys type nothing', () => {
  expect(definitionOf('Enter').text).toBe('\r');
  expect(definitionOf('NumpadEnter')).toMatchObject({ key: 'Enter', location: 3, text: '\r' });
  for (const key of ['Tab', 'Backspace', 'Escape', 'Shift', 'F5']) expect(definitionOf(key)).not.toHaveProperty('text');
});

test('a code tells the sides of the modifiers apart', () => {
  expect(definitionOf('ShiftLeft')).toMatchObject({ key: 'Shift', location: 1, windowsVirtualKeyCode: 16 });
  expect(definitionOf('ShiftRight')).toMatchObject({ key: 'Shift', location: 2, windowsVirtualKeyCode: 16 });
  expect(definitionOf('MetaRight')).toMatchObject({ key: 'Meta', location: 2, windowsVirtualKeyCode: 92 });
});

test('a code tells the keypad from the digit row', () => {
  expect(definitionOf('5')).toMatchObject({ code: 'Digit5', windowsVirtualKeyCode: 53 });
  expect(definitionOf('Numpad5')).toMatchObject({ key: '5', location: 3, windowsVirtualKeyCode: 101, text: '5' });
  expect(definitionOf('NumpadDecimal')).toMatchObject({ key: '.', location: 3, windowsVirtualKeyCode: 110 });
});

test('anything else has no definition', () => {
  for (const key of ['', 'é', '€', '😀', 'ab', 'F25', 'Dead', 'Unidentified', '__proto__', 'constructor', 'enter']) {
    expect(keyDefinition(key)).toBeUndefined();
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), key => {
      const definition = keyDefinition(key);
      if (definition) expect([definition.key, definition.code]).toContain(key);
    }),
  );
});

test('a definition cannot be changed by who reads it', () => {
  expect(Object.isFrozen(definitionOf('a'))).toBe(true);
});
