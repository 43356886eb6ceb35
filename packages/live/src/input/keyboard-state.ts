import { type KeyboardEventInput, keyDefinition } from '@browser-toolset/core';
import { MODIFIER_BITS } from './clipboard-keys.js';
import { UndeliveredInput } from './undelivered-input.js';

/** Parameters of `Input.dispatchKeyEvent` (CDP). */
export interface KeyDispatch {
  type: 'keyDown' | 'rawKeyDown' | 'keyUp' | 'char';
  key: string;
  code: string;
  location: number;
  windowsVirtualKeyCode: number;
  modifiers: number;
  text?: string;
  unmodifiedText?: string;
  isKeypad?: boolean;
  autoRepeat?: boolean;
  /** Editing commands of the key's default action. */
  commands?: string[];
}

type KeyOutcome = { kind: 'key'; dispatch: KeyDispatch } | { kind: 'text'; text: string } | { kind: 'nothing' };

const { Alt: ALT, Control: CONTROL, Meta: META, Shift: SHIFT } = MODIFIER_BITS;
const BIT_BY_KEY: ReadonlyMap<string, number> = new Map(Object.entries(MODIFIER_BITS));

/** Chromium's limit for the text of a key event, in UTF-16 units. */
const MAX_KEY_TEXT = 4;
/** Longer than the key and code of any key together. */
const MAX_NAMES = 64;
/** More keys than a person holds down: above it, the viewer has lost releases. */
const MAX_HELD = 32;

/** Editing commands by letter. Chromium itself binds them to Ctrl, but not to Cmd, which a viewer on macOS sends. */
const EDITING_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['a', 'selectAll'],
  ['c', 'copy'],
  ['v', 'paste'],
  ['x', 'cut'],
  ['y', 'redo'],
  ['z', 'undo'],
]);

/**
 * Completes key events: virtual key codes, text, and held modifiers that the viewer omits.
 * Invariant: a key down and its `char` event type a character once. Mastra's Studio sends both, even for shortcuts.
 */
export class KeyboardState {
  readonly #held = new Map<string, KeyDispatch>();
  /** Text by code that key downs have typed and whose `char` events may follow. */
  readonly #typed = new Map<string, string>();
  /** Held modifiers of a viewer whose events carry no modifiers. */
  #unreported = 0;

  modifiersOf({ modifiers = 0 }: { modifiers?: number }): number {
    return (modifiers & 15) | this.#unreported;
  }

  /** Completes an event; throws `UndeliveredInput` for an invalid one. */
  complete(event: KeyboardEventInput): KeyOutcome {
    checkNames(event);
    switch (event.type) {
      case 'keyDown':
        return this.#keyDown(event);
      case 'keyUp':
        return { kind: 'key', dispatch: this.#keyUp(event) };
      case 'char':
        return this.#char(event);
      default:
        throw new UndeliveredInput(`There is no keyboard event ${JSON.stringify(event.type)}.`);
    }
  }

  release(): KeyDispatch[] {
    const ups = [...this.#held.values()].map(({ key, code, location, windowsVirtualKeyCode }) => {
      return { type: 'keyUp' as const, key, code, location, windowsVirtualKeyCode, modifiers: 0 };
    });
    this.reset();
    return ups;
  }

  reset(): void {
    this.#held.clear();
    this.#typed.clear();
    this.#unreported = 0;
  }

  #keyDown(event: KeyboardEventInput): KeyOutcome {
    if (this.#held.size >= MAX_HELD) this.reset();
    const identity = identifyKey(event);
    const bit = BIT_BY_KEY.get(identity.key) ?? 0;
    if (bit !== 0 && ((event.modifiers ?? 0) & bit) === 0) this.#unreported |= bit;
    const modifiers = this.modifiersOf(event) | bit;
    const text = typedText(event, identity, modifiers);
    const dispatch = {
      ...identity,
      ...keyDownParts(identity, modifiers, text),
      autoRepeat: this.#held.has(identity.code),
    };
    // macOS reports no release of a key that came up while Cmd was down.
    if ((modifiers & META) === 0 || bit === META) this.#held.set(identity.code, dispatch);
    if (text === undefined) this.#typed.delete(identity.code);
    else this.#typed.set(identity.code, text);
    return text !== undefined && text.length > MAX_KEY_TEXT ? { kind: 'text', text } : { kind: 'key', dispatch };
  }

  #keyUp(event: KeyboardEventInput): KeyDispatch {
    const identity = identifyKey(event);
    this.#held.delete(identity.code);
    this.#typed.delete(identity.code);
    this.#unreported &= ~(BIT_BY_KEY.get(identity.key) ?? 0);
    return { type: 'keyUp', ...identity, modifiers: this.modifiersOf(event) };
  }

  #char(event: KeyboardEventInput): KeyOutcome {
    const text = (event.text ?? event.key ?? '').replaceAll(/\r?\n/g, '\r');
    for (const [code, typed] of this.#typed) {
      if (typed !== text) continue;
      this.#typed.delete(code);
      return { kind: 'nothing' };
    }
    if (text === '' || isShortcut(text, event.code, this.modifiersOf(event))) return { kind: 'nothing' };
    if (text.length > 1) return { kind: 'text', text: text.replaceAll('\r', '\n') };
    const identity = identifyKey({ type: 'char', key: text === '\r' ? 'Enter' : text });
    return { kind: 'key', dispatch: { type: 'char', ...identity, modifiers: 0, text, unmodifiedText: text } };
  }
}

/** Mastra's server does not validate the types of events. */
function checkNames({ key = '', code = '', text = '' }: KeyboardEventInput): void {
  const areTexts = [key, code, text].every(name => typeof name === 'string');
  if (!areTexts || key.length + code.length > MAX_NAMES) throw new UndeliveredInput('There is no key of that name.');
}

type KeyIdentity = Pick<KeyDispatch, 'key' | 'code' | 'location' | 'windowsVirtualKeyCode' | 'isKeypad'>;

/**
 * Determines the key of an event. The character takes precedence over the code, since the viewer's layout may not be
 * US; the code distinguishes keys of one character, and the sides of a modifier.
 */
function identifyKey(event: KeyboardEventInput): KeyIdentity {
  const byCode = event.code ? keyDefinition(event.code) : undefined;
  const key = event.key || byCode?.key || event.text;
  if (!key) throw new UndeliveredInput(`${event.type} names no key.`);
  const byKey = byCode?.key === key ? byCode : (keyDefinition(key) ?? byCode);
  const location = byCode?.location ?? byKey?.location ?? 0;
  return {
    key,
    code: event.code || byKey?.code || key,
    location,
    windowsVirtualKeyCode: byKey?.windowsVirtualKeyCode ?? 0,
    ...(location === 3 && { isKeypad: true }),
  };
}

function typedText(event: KeyboardEventInput, { key, code }: KeyIdentity, modifiers: number): string | undefined {
  if (key === 'Enter') return (modifiers & (ALT | CONTROL | META)) === 0 ? '\r' : undefined;
  const text = event.text || (isCharacter(key) ? key : keyDefinition(key)?.text);
  return text === undefined || isShortcut(text, code, modifiers) ? undefined : text;
}

function isCharacter(key: string): boolean {
  return [...key].length === 1;
}

/**
 * Whether modifiers make a character a shortcut. AltGr types characters: Windows reports it as Ctrl+Alt, macOS as Alt,
 * and the character is not the one on the US key.
 */
function isShortcut(text: string, code: string | undefined, modifiers: number): boolean {
  const chord = modifiers & (ALT | CONTROL | META);
  if (chord === 0) return false;
  const mayCompose = chord === ALT || chord === (ALT | CONTROL);
  return !mayCompose || /^[a-z0-9]$/i.test(text) || keyDefinition(text)?.code === code;
}

function keyDownParts(
  identity: KeyIdentity,
  modifiers: number,
  text: string | undefined,
): Pick<KeyDispatch, 'type' | 'modifiers' | 'text' | 'unmodifiedText' | 'commands'> {
  // A composed character keeps only Shift: with Ctrl down Chromium would type nothing.
  if (text !== undefined) return { type: 'keyDown', modifiers: modifiers & SHIFT, text, unmodifiedText: text };
  const command = editingCommand(identity.key, modifiers);
  return { type: 'rawKeyDown', modifiers, ...(command && { commands: [command] }) };
}

function editingCommand(key: string, modifiers: number): string | undefined {
  const chord = modifiers & ~SHIFT;
  if (chord !== CONTROL && chord !== META) return undefined;
  const command = EDITING_COMMANDS.get(key.toLowerCase());
  return command === 'undo' && modifiers & SHIFT ? 'redo' : command;
}
