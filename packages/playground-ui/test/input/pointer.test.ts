import { type ClientMessageInput, parseClientMessage } from '@browser-toolset/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MouseLike, PointerInput } from '../../src/input/pointer.js';

const NO_KEYS = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const at = (clientX: number, clientY: number, fields: Partial<MouseLike> = {}) => ({
  clientX,
  clientY,
  button: 0,
  detail: 1,
  ...NO_KEYS,
  ...fields,
});
const finger = (pointerId: number, clientX: number, clientY: number) => ({ pointerId, clientX, clientY, ...NO_KEYS });
const turn = (deltaY: number, deltaMode = 0) => ({ ...at(10, 10), deltaX: 0, deltaY, deltaMode });

/** A view of 100 by 100 pixels that shows a page of 1000 by 1000, and a clock whose frames the test shows. */
function pointerThat() {
  const sent: ClientMessageInput[] = [];
  const frames = new Set<() => void>();
  const pointer = new PointerInput({
    send: message => sent.push(message),
    locate: ({ clientX, clientY }, clamp) => {
      const isInside = clientX >= 0 && clientX < 100 && clientY >= 0 && clientY < 100;
      const inside = (value: number) => Math.min(Math.max(value, 0), 99.9) * 10;
      return isInside || clamp ? { x: inside(clientX), y: inside(clientY) } : undefined;
    },
    pageHeight: () => 1000,
    schedule: callback => {
      frames.add(callback);
      return () => frames.delete(callback);
    },
  });
  const nextFrame = () => {
    for (const callback of [...frames]) {
      frames.delete(callback);
      callback();
    }
  };
  return {
    pointer,
    sent,
    nextFrame,
    events: () => sent.map(message => ('event' in message ? message.event : undefined)),
  };
}

describe('moves', () => {
  it('are sent once a frame, the last one of it', () => {
    const { pointer, nextFrame, events } = pointerThat();
    for (let x = 0; x < 50; x += 1) pointer.move(at(x, 5));
    expect(events()).toEqual([]);
    nextFrame();
    nextFrame();
    expect(events()).toEqual([{ type: 'mouseMoved', x: 490, y: 50, button: 'none', modifiers: 0 }]);
  });

  it('that wait are sent before a press', () => {
    const { pointer, nextFrame, events } = pointerThat();
    pointer.move(at(20, 20));
    pointer.press(at(30, 20));
    nextFrame();
    expect(events()).toMatchObject([
      { type: 'mouseMoved', x: 200 },
      { type: 'mousePressed', x: 300 },
    ]);
  });

  it('carry the button that is held, and go on outside of the view', () => {
    const { pointer, events } = pointerThat();
    pointer.press(at(50, 50));
    pointer.move(at(-400, 50));
    pointer.release(at(500, 50));
    expect(events()).toEqual([
      { type: 'mousePressed', x: 500, y: 500, button: 'left', clickCount: 1, modifiers: 0 },
      { type: 'mouseMoved', x: 0, y: 500, button: 'left', modifiers: 0 },
      { type: 'mouseReleased', x: 999, y: 500, button: 'left', clickCount: 1, modifiers: 0 },
    ]);
  });

  it('without a button end at the edge of the view', () => {
    const { pointer, nextFrame, events } = pointerThat();
    pointer.move(at(-1, 50));
    nextFrame();
    expect(events()).toEqual([]);
  });
});

describe('a press', () => {
  it.each([
    [0, 'left'],
    [1, 'middle'],
    [2, 'right'],
  ])('of button %i is one of the %s button, with click count and modifiers', (button, name) => {
    const { pointer, events } = pointerThat();
    expect(pointer.press(at(1, 1, { button, detail: 2, altKey: true, shiftKey: true }))).toBe(true);
    expect(events()).toMatchObject([{ type: 'mousePressed', button: name, clickCount: 2, modifiers: 9 }]);
  });

  it('beside the page, or of a button that pages have no name for, is none', () => {
    const { pointer, sent } = pointerThat();
    expect(pointer.press(at(101, 1))).toBe(false);
    expect(pointer.press(at(1, 1, { button: 3 }))).toBe(false);
    pointer.release(at(1, 1));
    expect(sent).toEqual([]);
  });
});

describe('the wheel', () => {
  it('adds up what is turned within a frame', () => {
    const { pointer, nextFrame, events } = pointerThat();
    pointer.wheel(turn(100));
    pointer.wheel(turn(20));
    nextFrame();
    expect(events()).toEqual([{ type: 'mouseWheel', x: 100, y: 100, deltaX: 0, deltaY: 120, modifiers: 0 }]);
  });

  it.each([
    ['lines', 1, 48],
    ['pages', 2, 3000],
  ])('counts in pixels what is turned by %s', (_, deltaMode, pixels) => {
    const { pointer, nextFrame, events } = pointerThat();
    pointer.wheel(turn(3, deltaMode));
    nextFrame();
    expect(events()).toMatchObject([{ deltaY: pixels }]);
  });

  it('keeps its place among moves', () => {
    const { pointer, nextFrame, events } = pointerThat();
    pointer.move(at(1, 1));
    pointer.wheel(turn(5));
    pointer.move(at(2, 2));
    nextFrame();
    expect(events().map(event => event?.type)).toEqual(['mouseMoved', 'mouseWheel', 'mouseMoved']);
  });
});

describe('fingers', () => {
  it('are told with all that touch, and keep their numbers', () => {
    const { pointer, nextFrame, events } = pointerThat();
    pointer.touchStart(finger(71, 1, 1));
    pointer.touchStart(finger(72, 2, 2));
    pointer.touchEnd(finger(71, 1, 1));
    pointer.touchMove(finger(72, 3, 3));
    pointer.touchStart(finger(73, 4, 4));
    nextFrame();
    const told = events().map(
      event => event && 'touches' in event && [event.type, ...event.touches.map(touch => touch.id)],
    );
    expect(told).toEqual([
      ['touchStart', 0],
      ['touchStart', 0, 1],
      ['touchEnd', 1],
      ['touchMove', 1],
      ['touchStart', 1, 0],
    ]);
  });

  it('that the system takes away are cancelled', () => {
    const { pointer, events } = pointerThat();
    pointer.touchStart(finger(1, 1, 1));
    pointer.releaseAll();
    pointer.touchEnd(finger(1, 1, 1));
    expect(events().slice(1)).toEqual([{ type: 'touchCancel', touches: [] }]);
  });
});

it('whatever happens, all that was pressed is released when the pointer is gone, and all of it is protocol', () => {
  const places = fc.integer({ min: -50, max: 150 });
  const steps = fc.array(
    fc.tuple(fc.constantFrom('press', 'release', 'move', 'touch', 'lift', 'frame'), fc.nat(4), places),
    { maxLength: 50 },
  );
  fc.assert(
    fc.property(steps, taken => {
      const { pointer, sent, nextFrame, events } = pointerThat();
      for (const [step, number, place] of taken) {
        if (step === 'press') pointer.press(at(place, 5, { button: number }));
        if (step === 'release') pointer.release(at(place, 5, { button: number }));
        if (step === 'move') pointer.move(at(place, 5));
        if (step === 'touch') pointer.touchStart(finger(number, place, 5));
        if (step === 'lift') pointer.touchEnd(finger(number, place, 5));
        if (step === 'frame') nextFrame();
      }
      pointer.releaseAll();
      const down = new Set<unknown>();
      for (const event of events()) {
        if (event?.type === 'mousePressed' && 'button' in event) down.add(event.button);
        if (event?.type === 'mouseReleased' && 'button' in event) expect(down.delete(event.button)).toBe(true);
      }
      expect([...down]).toEqual([]);
      expect(pointer.isPressed).toBe(false);
      for (const message of sent) expect(parseClientMessage(JSON.stringify(message))).toBeDefined();
    }),
  );
});
