import type { KeyboardEventInput } from '@browser-toolset/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyboardState, type KeyDispatch } from '../src/input/keyboard-state.js';
import { UndeliveredInput } from '../src/input/undelivered-input.js';

function outcomesOf(events: readonly KeyboardEventInput[], state = new KeyboardState()) {
  return events.map(event => state.complete(event));
}

function dispatchesOf(events: readonly KeyboardEventInput[], state?: KeyboardState): KeyDispatch[] {
  return outcomesOf(events, state).flatMap(outcome => (outcome.kind === 'key' ? [outcome.dispatch] : []));
}

function typed(events: readonly KeyboardEventInput[]): string {
  return outcomesOf(events)
    .map(outcome =>
      outcome.kind === 'text' ? outcome.text : outcome.kind === 'key' ? (outcome.dispatch.text ?? '') : '',
    )
    .join('');
}

const character = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter(text => !/[\r\n]/.test(text));
const withChar = fc.boolean();
const withText = fc.boolean();

test('a character is typed once, whether a viewer sends its text with the key, as a char, both or not at all', () => {
  const keystroke = fc.tuple(character, withChar, withText, fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(fc.array(keystroke), keystrokes => {
      const events = keystrokes.flatMap(([key, sendsChar, sendsText, repeats]): KeyboardEventInput[] => {
        // A grapheme of several code points is no key: viewers send it as a char.
        if ([...key].length > 1) return Array(repeats).fill({ type: 'char', text: key });
        const down: KeyboardEventInput = { type: 'keyDown', key, ...(sendsText && { text: key }) };
        const stroke: KeyboardEventInput[] = sendsChar ? [down, { type: 'char', key, text: key }] : [down];
        return [...Array(repeats).fill(stroke).flat(), { type: 'keyUp', key }];
      });
      expect(typed(events)).toBe(keystrokes.map(([key, , , repeats]) => key.repeat(repeats)).join(''));
    }),
  );
});

test('keys may overlap: the next one goes down before the last one comes up', () => {
  const events: KeyboardEventInput[] = [
    { type: 'keyDown', key: 'a' },
    { type: 'char', text: 'a' },
    { type: 'keyDown', key: 'b' },
    { type: 'keyUp', key: 'a' },
    { type: 'char', text: 'b' },
    { type: 'keyUp', key: 'b' },
  ];
  expect(typed(events)).toBe('ab');
});

test('a char of several lines is text', () => {
  expect(outcomesOf([{ type: 'char', text: 'one\r\ntwo\n' }])).toEqual([{ kind: 'text', text: 'one\ntwo\n' }]);
});

test('a viewer who never lets a key up is forgotten to hold them', () => {
  const state = new KeyboardState();
  outcomesOf(
    Array.from({ length: 1000 }, (_, index) => ({ type: 'keyDown', key: 'Shift', code: `Key${index}` })),
    state,
  );
  expect(state.release().length).toBeLessThanOrEqual(32);
});

describe('shortcuts', () => {
  test.each([
    [{ key: 'a', modifiers: 2 }, 'selectAll'],
    [{ key: 'A', modifiers: 4 }, 'selectAll'],
    [{ key: 'z', modifiers: 2 }, 'undo'],
    [{ key: 'Z', modifiers: 10 }, 'redo'],
    [{ key: 'v', modifiers: 4 }, 'paste'],
  ])('%j runs %s and types nothing', (event, command) => {
    const events: KeyboardEventInput[] = [
      { type: 'keyDown', ...event },
      { type: 'char', text: event.key, ...event },
    ];
    expect(dispatchesOf(events)).toMatchObject([{ type: 'rawKeyDown', commands: [command] }]);
    expect(typed(events)).toBe('');
  });

  test.each([
    { key: 'a', modifiers: 3 },
    { key: 'a', modifiers: 1 },
    { key: '.', code: 'Period', modifiers: 1 },
    { key: 'Enter', modifiers: 2 },
    { key: '€', modifiers: 6 },
  ])('%j types nothing and runs nothing', event => {
    const [dispatch] = dispatchesOf([{ type: 'keyDown', ...event }]);
    expect(dispatch).toMatchObject({ type: 'rawKeyDown', modifiers: event.modifiers });
    expect(dispatch).not.toHaveProperty('commands');
  });
});

describe('modifiers', () => {
  test('hold until their key up when the viewer does not report them', () => {
    const state = new KeyboardState();
    const dispatches = dispatchesOf(
      [
        { type: 'keyDown', key: 'Control' },
        { type: 'keyDown', key: 'k' },
        { type: 'keyUp', key: 'Control' },
        { type: 'keyDown', key: 'k' },
      ],
      state,
    );
    expect(dispatches.map(({ modifiers }) => modifiers)).toEqual([2, 2, 0, 0]);
    expect(state.modifiersOf({ modifiers: 8 })).toBe(8);
  });

  test('are those of the event when the viewer reports them', () => {
    const dispatches = dispatchesOf([
      { type: 'keyDown', key: 'Control', modifiers: 2 },
      { type: 'keyDown', key: 'k' },
    ]);
    expect(dispatches.map(({ modifiers }) => modifiers)).toEqual([2, 0]);
  });
});

test('a key that goes down again without having come up repeats', () => {
  const dispatches = dispatchesOf(Array(2).fill({ type: 'keyDown', key: 'ArrowDown' }));
  expect(dispatches.map(({ autoRepeat }) => autoRepeat)).toEqual([false, true]);
});

test('the key code comes from the key, not from what the viewer says', () => {
  const [dot, accented, unknown] = dispatchesOf([
    { type: 'keyDown', key: '.', windowsVirtualKeyCode: 46 },
    { type: 'keyDown', key: 'é', code: 'Digit2', windowsVirtualKeyCode: 233 },
    { type: 'keyDown', key: 'Dead', code: 'Nowhere', windowsVirtualKeyCode: 999 },
  ]);
  expect(dot?.windowsVirtualKeyCode).toBe(190);
  expect(accented).toMatchObject({ windowsVirtualKeyCode: 50, code: 'Digit2', text: 'é' });
  expect(unknown).toMatchObject({ type: 'rawKeyDown', windowsVirtualKeyCode: 0 });
});

test('a release lets every key up, once', () => {
  const state = new KeyboardState();
  outcomesOf(
    [
      { type: 'keyDown', key: 'Shift' },
      { type: 'keyDown', key: 'a' },
    ],
    state,
  );
  expect(state.release()).toMatchObject([
    { type: 'keyUp', code: 'ShiftLeft' },
    { type: 'keyUp', code: 'KeyA' },
  ]);
  expect(state.release()).toEqual([]);
  expect(state.modifiersOf({})).toBe(0);
});

test('an event that names no key, or no event at all, is refused', () => {
  const state = new KeyboardState();
  for (const event of [
    { type: 'keyDown' },
    { type: 'keyUp', key: '' },
    { type: 'keyDown', key: 'x'.repeat(100) },
    { type: 'paste' },
    { type: 'keyDown', key: 5, code: 'Digit5' },
  ]) {
    expect(() => state.complete(event as unknown as KeyboardEventInput)).toThrow(UndeliveredInput);
  }
  expect(state.complete({ type: 'char' })).toEqual({ kind: 'nothing' });
});
