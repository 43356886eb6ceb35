import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { InputLane } from '../src/input-lane.js';
import type { LiveInput } from '../src/live-input.js';

/** A lane to a browser that takes an input when the test says so. */
function setUp() {
  const injected: string[] = [];
  const open: (() => void)[] = [];
  const full: boolean[] = [];
  let replaced = 0;
  const lane = new InputLane({
    inject(input) {
      injected.push(nameOf(input));
      return new Promise(resolve => open.push(resolve));
    },
    onFailed: (_, error) => expect.fail(`${error}`),
    onReplaced: () => {
      replaced += 1;
    },
    onFull: isFull => full.push(isFull),
  });
  const takeOne = async () => {
    open.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  const takeAll = async () => {
    while (open.length > 0) await takeOne();
  };
  // What nobody takes fails seconds later, in the middle of another file.
  onTestFinished(takeAll);
  return { lane, injected, full, takeOne, takeAll, replaced: () => replaced };
}

const move = (x: number): LiveInput => ({ kind: 'mouse', event: { type: 'mouseMoved', x, y: 0 } });
const wheel = (deltaY: number): LiveInput => ({ kind: 'mouse', event: { type: 'mouseWheel', x: 0, y: 0, deltaY } });
const key = (name: string): LiveInput => ({ kind: 'text', text: name });
const nameOf = (input: LiveInput) => {
  if (input.kind === 'text') return input.text;
  if (input.kind !== 'mouse') return input.kind;
  return input.event.type === 'mouseWheel' ? `wheel ${input.event.deltaY}` : `move ${input.event.x}`;
};

describe('inputs on their way to the browser', () => {
  test('are not waited for when the browser never says that it took them', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const failed: unknown[] = [];
    const full: boolean[] = [];
    const lane = new InputLane({
      inject: () => new Promise(() => undefined),
      onFailed: (_, error) => failed.push(error),
      onReplaced: () => undefined,
      onFull: isFull => full.push(isFull),
    });
    for (let index = 0; index < 300; index++) lane.push(key(`key ${index}`));
    expect(full).toEqual([true]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(full).toEqual([true, false]);
    expect(failed).toHaveLength(300);
  });

  test('keep their order, lose nothing but moves, and end with the newest move', async () => {
    const step = fc.oneof(fc.constant('move'), fc.constant('key'), fc.constant('take'));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async steps => {
        const { lane, injected, takeOne, takeAll, replaced } = setUp();
        const pushed: string[] = [];
        for (const [index, kind] of steps.entries()) {
          if (kind === 'take') {
            await takeOne();
            continue;
          }
          const input = kind === 'move' ? move(index) : key(`key ${index}`);
          pushed.push(nameOf(input));
          lane.push(input);
        }
        await takeAll();
        const isKey = (name: string) => name.startsWith('key');
        expect(injected.filter(isKey)).toEqual(pushed.filter(isKey));
        expect(injected).toEqual(pushed.filter(name => injected.includes(name)));
        expect(injected.at(-1)).toBe(pushed.at(-1));
        expect(injected.length).toBe(pushed.length - replaced());
      }),
    );
  });

  test('do not wait for each other, but for moves', () => {
    const { lane, injected } = setUp();
    for (const input of [key('a'), move(1), move(2), key('b'), move(3)]) lane.push(input);
    expect(injected).toEqual(['a', 'move 2', 'b']);
  });

  test('turn the wheel as far as the viewer did, however many turns become one', () => {
    const { lane, injected } = setUp();
    for (const input of [wheel(100), wheel(20), move(1), wheel(3), move(2), key('a'), wheel(5)]) lane.push(input);
    expect(injected).toEqual(['wheel 100', 'wheel 23', 'move 2', 'a']);
  });

  test('do not mix turns of the wheel that mean something else', () => {
    const { lane, injected } = setUp();
    const zoom: LiveInput = { kind: 'mouse', event: { type: 'mouseWheel', x: 0, y: 0, deltaY: 7, modifiers: 2 } };
    for (const input of [key('a'), wheel(1), zoom, wheel(2), key('b')]) lane.push(input);
    expect(injected).toEqual(['a', 'wheel 7', 'wheel 3', 'b']);
  });

  test('are taken from the viewer no further while many wait', async () => {
    const { lane, full, takeAll } = setUp();
    for (let index = 0; index < 300; index += 1) lane.push(key(`${index}`));
    expect(full).toEqual([true]);
    await takeAll();
    expect(full).toEqual([true, false]);
  });
});
