import type { MouseEventInput } from '@browser-toolset/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MouseDispatch, MouseState } from '../src/input/pointer-state.js';
import { UndeliveredInput } from '../src/input/undelivered-input.js';

const VIEWPORT = { width: 800, height: 600 };

const anyNumber = fc.oneof(fc.integer({ min: -50, max: 900 }), fc.double());
const anyEvent: fc.Arbitrary<MouseEventInput> = fc.record(
  {
    type: fc.constantFrom('mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel'),
    x: anyNumber,
    y: anyNumber,
    button: fc.constantFrom('left', 'right', 'middle', 'none'),
    clickCount: anyNumber,
    deltaX: anyNumber,
    deltaY: anyNumber,
    modifiers: anyNumber,
  },
  { requiredKeys: ['type', 'x', 'y'] },
);

/** What reaches the page of a sequence of events, 10 milliseconds apart. */
function dispatchesOf(events: readonly MouseEventInput[], state = new MouseState()): MouseDispatch[] {
  return events.flatMap((event, index) => {
    try {
      return [state.complete(event, VIEWPORT, index * 10)];
    } catch (error) {
      if (error instanceof UndeliveredInput) return [];
      throw error;
    }
  });
}

const clickAt = (x: number): MouseEventInput[] => [
  { type: 'mousePressed', x, y: 10, clickCount: 1 },
  { type: 'mouseReleased', x, y: 10, clickCount: 1 },
];

test('whatever a viewer sends, only finite points of the viewport reach the page', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), events => {
      for (const { x, y, deltaX = 0, deltaY = 0, clickCount = 1, modifiers } of dispatchesOf(events)) {
        expect(x >= 0 && x < VIEWPORT.width && y >= 0 && y < VIEWPORT.height).toBe(true);
        expect(Math.abs(deltaX) <= 2000 && Math.abs(deltaY) <= 2000).toBe(true);
        expect([1, 2, 3]).toContain(clickCount);
        expect(modifiers).toBe(modifiers & 15);
      }
    }),
  );
});

test('after a release of everything no button is down', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), events => {
      const state = new MouseState();
      dispatchesOf(events, state);
      const pressed = state.complete({ type: 'mousePressed', x: 1, y: 1, button: 'right' }, VIEWPORT, 0).buttons;
      expect(state.release().at(-1)?.buttons).toBe(0);
      expect(state.release()).toEqual([]);
      expect(pressed & 2).toBe(2);
    }),
  );
});

describe('click counts', () => {
  test('go up to three while the clicks are quick and near', () => {
    const presses = dispatchesOf([10, 12, 13, 10].flatMap(clickAt)).filter(({ type }) => type === 'mousePressed');
    expect(presses.map(({ clickCount }) => clickCount)).toEqual([1, 2, 3, 3]);
  });

  test('start over for another button, another place or a later time', () => {
    const state = new MouseState();
    const countOf = (event: Partial<MouseEventInput>, now: number) =>
      state.complete({ type: 'mousePressed', x: 10, y: 10, ...event }, VIEWPORT, now).clickCount;
    expect(countOf({}, 0)).toBe(1);
    expect(countOf({ button: 'right' }, 10)).toBe(1);
    expect(countOf({ button: 'right', x: 20 }, 20)).toBe(1);
    expect(countOf({ button: 'right', x: 20 }, 600)).toBe(1);
  });

  test('believe a viewer who counts by itself', () => {
    const [press, release] = dispatchesOf([
      { type: 'mousePressed', x: 1, y: 1, clickCount: 2 },
      { type: 'mouseReleased', x: 1, y: 1 },
    ]);
    expect([press?.clickCount, release?.clickCount]).toEqual([2, 2]);
  });
});

test('a move carries the buttons that are down', () => {
  const [, move, , after] = dispatchesOf([
    { type: 'mousePressed', x: 1, y: 1, button: 'middle' },
    { type: 'mouseMoved', x: 5, y: 5 },
    { type: 'mouseReleased', x: 5, y: 5, button: 'middle' },
    { type: 'mouseMoved', x: 6, y: 6, button: 'left' },
  ]);
  expect(move).toMatchObject({ button: 'middle', buttons: 4 });
  expect(after).toMatchObject({ button: 'none', buttons: 0 });
});

test('an event or a button that does not exist is refused', () => {
  const state = new MouseState();
  for (const event of [
    { type: 'constructor', x: 1, y: 1 },
    { type: 'mousePressed', x: 1, y: 1, button: 'toString' },
  ]) {
    expect(() => state.complete(event as unknown as MouseEventInput, VIEWPORT, 0)).toThrow(UndeliveredInput);
  }
});
