import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import {
  CLIENT_MESSAGES,
  type ClientMessage,
  type ClientMessageInput,
  parseClientMessage,
  parseServerMessage,
  SERVER_MESSAGES,
  type ServerMessage,
  TEXT_LIMIT,
} from '../src/protocol/index.js';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const modifiers = fc.integer({ min: 0, max: 15 });
const mouse = fc.record(
  {
    type: fc.constantFrom('mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel'),
    x: finite,
    y: finite,
    button: fc.constantFrom('left', 'right', 'middle', 'none'),
    clickCount: fc.integer({ min: 0, max: 10 }),
    deltaX: finite,
    deltaY: finite,
    modifiers,
  },
  { requiredKeys: ['type', 'x', 'y'] },
);
const key = fc.record(
  {
    type: fc.constantFrom('keyDown', 'keyUp', 'char'),
    key: fc.string({ maxLength: 100 }),
    code: fc.string({ maxLength: 100 }),
    text: fc.string({ maxLength: 100, unit: 'grapheme' }).filter(text => text.length <= 100),
    modifiers,
    windowsVirtualKeyCode: fc.integer({ min: 0, max: 0xffff }),
  },
  { requiredKeys: ['type'] },
);
/** What JSON keeps of a value: it has no -0. */
const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
const parse = (message: unknown) => parseClientMessage(JSON.stringify(message));

describe('a message of a viewer', () => {
  test.each([
    ['mouse', mouse],
    ['keyboard', key],
  ] as const)('of %s is read the same in both forms', (type, events) => {
    fc.assert(
      fc.property(events as fc.Arbitrary<{ type: string }>, event => {
        const { type: eventType, ...rest } = event;
        const expected = asJson({ type, event });
        expect(parse({ type, event })).toEqual(expected);
        expect(parse({ type, eventType, ...rest })).toEqual(expected);
      }),
    );
  });

  test.each<[ClientMessageInput, ClientMessage | undefined]>([
    [{ type: 'relaunch' }, { type: 'relaunch' }],
    [
      { type: 'control', action: 'take' },
      { type: 'control', action: 'take' },
    ],
    [
      { type: 'text', text: 'é ñ ß 漢字 😀\n' },
      { type: 'text', text: 'é ñ ß 漢字 😀\n' },
    ],
    [
      { type: 'settings', maxFps: 5 },
      { type: 'settings', maxFps: 5 },
    ],
    [
      { type: 'answer', id: 'q', answer: 'a' },
      { type: 'answer', id: 'q', answer: 'a' },
    ],
    [
      { type: 'touch', event: { type: 'touchStart', touches: [{ x: 1, y: 2, id: 3 }] } },
      { type: 'touch', event: { type: 'touchStart', touches: [{ x: 1, y: 2, id: 3 }] } },
    ],
    [{ type: 'text', text: 'x'.repeat(TEXT_LIMIT + 1) }, undefined],
  ])('%#: is what was written', (input, message) => expect(parse(input)).toEqual(message));

  test('keeps nothing that the protocol does not know', () => {
    const event = { type: 'mouseMoved', x: 1, y: 2, evil: true, __proto__: { polluted: true } };
    expect(parse({ type: 'mouse', event, more: 1 })).toEqual({
      type: 'mouse',
      event: { type: 'mouseMoved', x: 1, y: 2 },
    });
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"type":"toString"}',
    '{"type":"__proto__"}',
    '{"type":"constructor","event":{}}',
    '{"type":"mouse"}',
    '{"type":"mouse","event":{"type":"mouseMoved","x":1e999,"y":0}}',
    '{"type":"mouse","event":{"type":"mouseMoved","x":"1","y":0}}',
    '{"type":"mouse","event":{"type":"mouseMoved","x":null,"y":0}}',
    '{"type":"mouse","event":{"type":"mouseExploded","x":1,"y":0}}',
    '{"type":"keyboard","event":{"type":"keyDown","modifiers":16}}',
    '{"type":"settings","maxFps":0}',
    '{"type":"control","action":"steal"}',
  ])('%s is none', text => expect(parseClientMessage(text)).toBeUndefined());
});

describe('a message of a server', () => {
  const control = { holder: 'human', isYou: true, mayControl: true, viewer: 'v1' } as const;
  test.each<ServerMessage>([
    { status: 'streaming' },
    { url: 'https://shop.example/' },
    { viewport: { width: 1, height: 2, offsetTop: 0, pageScaleFactor: 1 } },
    { control },
    { tabs: [{ tab: 't1', url: 'about:blank', title: '', active: true }] },
    { action: { id: 'a', threadId: 'one', tool: 'browser_click', phase: 'aimed', point: { x: 1, y: 2 }, at: 3 } },
    { question: null },
    { dialog: { type: 'prompt', message: 'Name?', defaultValue: 'Ann' } },
    { dialog: null },
    { viewers: 2 },
    { error: 'view_only', message: 'No.' },
  ])('%j is read as it was written', message => expect(parseServerMessage(JSON.stringify(message))).toEqual(message));

  test('that is not JSON is a frame', () => {
    expect(parseServerMessage('/9j/4AAQ')).toEqual({ frame: '/9j/4AAQ' });
  });

  test.each(['', '{', '{"status":"exploded"}', '{"unknown":1}', '{"toString":1}'])('%s is neither', text => {
    expect(parseServerMessage(text)).toBeUndefined();
  });
});

test('everything in the tables says what it is for', () => {
  const schemas = Object.entries({ ...CLIENT_MESSAGES, ...SERVER_MESSAGES });
  expect(schemas.filter(([, schema]) => !schema.description).map(([name]) => name)).toEqual([]);
  expect(schemas.every(([, schema]) => schema instanceof z.ZodType)).toBe(true);
});
