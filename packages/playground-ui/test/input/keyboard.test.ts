import { keyDefinition } from '@browser-toolset/core';
import { type ClientMessageInput, parseClientMessage, TEXT_LIMIT } from '@browser-toolset/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyboardInput, type KeyLike } from '../../src/input/keyboard.js';

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** A key event as a browser would tell it; modifiers by name. */
function key(name: string, { held = [], ...fields }: Partial<KeyLike> & { held?: string[] } = {}): KeyLike {
  return {
    key: name,
    code: keyDefinition(name)?.code ?? '',
    isComposing: false,
    altKey: held.includes('Alt'),
    ctrlKey: held.includes('Control'),
    metaKey: held.includes('Meta'),
    shiftKey: held.includes('Shift'),
    getModifierState: modifier => held.includes(modifier),
    ...fields,
  };
}

function keyboardThat({ isMac = false } = {}) {
  const sent: ClientMessageInput[] = [];
  const keyboard = new KeyboardInput({ send: message => sent.push(message), isMac });
  return {
    keyboard,
    sent,
    events: () => sent.map(message => (message.type === 'keyboard' && 'event' in message ? message.event : message)),
  };
}

describe('a key', () => {
  it.each(ASCII)('that types %j is sent with its name, its place and its text', character => {
    const { keyboard, events } = keyboardThat();
    const held = keyDefinition(character)?.shift ? ['Shift'] : [];
    const event = key(character, { held });
    expect(keyboard.keyDown(event)).toBe(true);
    expect(keyboard.keyUp(event)).toBe(true);
    const common = { key: character, code: keyDefinition(character)?.code, modifiers: held.length === 0 ? 0 : 8 };
    expect(events()).toEqual([
      { type: 'keyDown', ...common, text: character },
      { type: 'keyUp', ...common },
    ]);
  });

  it('that types what no ASCII keyboard has is sent with its text', () => {
    const { keyboard, events } = keyboardThat();
    for (const character of ['é', 'ñ', 'ß', '漢', '😀']) keyboard.keyDown(key(character));
    expect(events().map(event => 'text' in event && event.text)).toEqual(['é', 'ñ', 'ß', '漢', '😀']);
  });

  it('Enter types a carriage return', () => {
    const { keyboard, events } = keyboardThat();
    keyboard.keyDown(key('Enter'));
    expect(events()).toEqual([{ type: 'keyDown', key: 'Enter', code: 'Enter', modifiers: 0, text: '\r' }]);
  });

  it.each(['Tab', 'Escape', 'Backspace', 'ArrowLeft', 'F5', 'Shift'])('%s types nothing and goes to the page', name => {
    const { keyboard, events } = keyboardThat();
    expect(keyboard.keyDown(key(name))).toBe(true);
    expect(events()[0]).not.toHaveProperty('text');
  });

  it('of a shortcut types nothing', () => {
    const { keyboard, events } = keyboardThat();
    keyboard.keyDown(key('a', { held: ['Control'] }));
    keyboard.keyDown(key('k', { held: ['Meta', 'Shift'] }));
    keyboard.keyDown(key('f', { held: ['Alt'] }));
    expect(events()).toEqual([
      { type: 'keyDown', key: 'a', code: 'KeyA', modifiers: 2 },
      { type: 'keyDown', key: 'k', code: 'KeyK', modifiers: 12 },
      { type: 'keyDown', key: 'f', code: 'KeyF', modifiers: 1 },
    ]);
  });

  it('with AltGr types its character, although Windows says Control and Alt', () => {
    const { keyboard, events } = keyboardThat();
    keyboard.keyDown(key('€', { code: 'KeyE', held: ['AltGraph', 'Control', 'Alt'] }));
    expect(events()).toEqual([{ type: 'keyDown', key: '€', code: 'KeyE', modifiers: 0, text: '€' }]);
  });

  it('with Option types its character on macOS', () => {
    const { keyboard, events } = keyboardThat({ isMac: true });
    keyboard.keyDown(key('å', { code: 'KeyA', held: ['Alt'] }));
    expect(events()).toEqual([{ type: 'keyDown', key: 'å', code: 'KeyA', modifiers: 0, text: 'å' }]);
  });
});

describe('what a text field turns into text', () => {
  it('a composition sends no keys', () => {
    const { keyboard, sent } = keyboardThat();
    expect(keyboard.keyDown(key('Process', { code: 'KeyK' }))).toBe(false);
    expect(keyboard.keyDown(key('k', { isComposing: true }))).toBe(false);
    expect(keyboard.keyUp(key('k', { isComposing: true }))).toBe(false);
    expect(sent).toEqual([]);
  });

  it('a dead key and the letter after it are left to the text field, Shift between them is not', () => {
    const { keyboard, events } = keyboardThat();
    expect(keyboard.keyDown(key('Dead', { code: 'Quote' }))).toBe(false);
    expect(keyboard.keyDown(key('Shift'))).toBe(true);
    expect(keyboard.keyDown(key('E', { held: ['Shift'] }))).toBe(false);
    keyboard.text('É');
    expect(keyboard.keyDown(key('e'))).toBe(true);
    expect(events().map(event => ('text' in event ? event.text : event.type))).toEqual(['keyDown', 'É', 'e']);
  });

  it.each([
    ['Control and V', key('v', { held: ['Control'] })],
    ['Command, Shift and V', key('V', { held: ['Meta', 'Shift'] })],
    ['Shift and Insert', key('Insert', { held: ['Shift'] })],
  ])('%s pastes what the viewer copied, not what the page did', (_, event) => {
    const { keyboard, sent } = keyboardThat();
    expect(keyboard.keyDown(event)).toBe(false);
    expect(sent).toEqual([]);
  });

  it('a paste that is too long for one message is sent in parts that cut no character', () => {
    const { keyboard, sent } = keyboardThat();
    const text = `a${'😀'.repeat(TEXT_LIMIT)}`;
    keyboard.text(text);
    const parts = sent.map(message => (message.type === 'text' ? message.text : ''));
    expect(parts.join('')).toBe(text);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(TEXT_LIMIT);
      expect(part.isWellFormed()).toBe(true);
    }
  });
});

describe('when the focus leaves', () => {
  it('every key that is held is released, once', () => {
    const { keyboard, events } = keyboardThat();
    keyboard.keyDown(key('Shift'));
    keyboard.keyDown(key('a', { held: ['Shift'] }));
    keyboard.keyDown(key('a', { held: ['Shift'] }));
    keyboard.releaseAll();
    keyboard.releaseAll();
    expect(events().slice(3)).toEqual([
      { type: 'keyUp', key: 'Shift', code: 'ShiftLeft', modifiers: 0 },
      { type: 'keyUp', key: 'a', code: 'KeyA', modifiers: 0 },
    ]);
  });

  it('Command takes the keys along whose release macOS does not tell', () => {
    const { keyboard, events } = keyboardThat({ isMac: true });
    keyboard.keyDown(key('Meta'));
    keyboard.keyDown(key('a', { held: ['Meta'] }));
    keyboard.keyUp(key('Meta'));
    expect(events().slice(2)).toMatchObject([
      { type: 'keyUp', key: 'Meta' },
      { type: 'keyUp', key: 'a' },
    ]);
  });
});

it('whatever is pressed and released in any order, nothing stays down and all of it is protocol', () => {
  const names = fc.constantFrom(...ASCII, 'Shift', 'Control', 'Enter', 'Dead', 'Process', 'Meta', 'é');
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.boolean()), { maxLength: 40 }), steps => {
      const { keyboard, sent, events } = keyboardThat();
      for (const [name, isDown] of steps) isDown ? keyboard.keyDown(key(name)) : keyboard.keyUp(key(name));
      keyboard.releaseAll();
      const down = new Set<string>();
      for (const event of events()) {
        if (event.type === 'keyDown') down.add(event.code || event.key || '');
        else if (event.type === 'keyUp') expect(down.delete(event.code || event.key || '')).toBe(true);
      }
      expect([...down]).toEqual([]);
      for (const message of sent) expect(parseClientMessage(JSON.stringify(message))).toBeDefined();
    }),
  );
});
