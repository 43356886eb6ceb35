import { type ClientMessageInput, TEXT_LIMIT } from '@browser-toolset/core/protocol';
import { type ModifierState, modifierBits } from './modifiers.js';

/** The fields that are read of a `KeyboardEvent`. */
export interface KeyLike extends ModifierState {
  key: string;
  code: string;
  isComposing: boolean;
  getModifierState(modifier: string): boolean;
}

export interface KeyboardInputOptions {
  send(message: ClientMessageInput): void;
  /** Option types characters there. */
  isMac: boolean;
}

const [ALT, CTRL, META] = [1, 2, 4];
/** Keys that an input method takes for itself, or that it cannot name; what they typed arrives as text. */
const INPUT_METHOD_KEYS: readonly string[] = ['Process', 'Unidentified', 'Compose'];
const MODIFIER_KEYS: readonly string[] = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn'];

/** Turns keyboard events and text into messages, and knows which keys are down. */
export class KeyboardInput {
  readonly #options: KeyboardInputOptions;
  /** By code; by key where there is no code. */
  readonly #pressed = new Map<string, { key: string; code: string }>();
  #isAfterDeadKey = false;

  constructor(options: KeyboardInputOptions) {
    this.#options = options;
  }

  /** Answers whether the page has taken the key, so that the host must not. */
  keyDown(event: KeyLike): boolean {
    if (this.#isForTextField(event)) return false;
    const { key, code } = event;
    const { text, modifiers } = this.#reading(event);
    this.#pressed.set(code || key, { key, code });
    this.#key({ type: 'keyDown', key, code, modifiers, ...(text !== undefined && { text }) });
    return true;
  }

  /** Answers whether the page had the key. */
  keyUp(event: KeyLike): boolean {
    const { key, code } = event;
    if (!this.#pressed.delete(code || key)) return false;
    this.#key({ type: 'keyUp', key, code, modifiers: this.#reading(event).modifiers });
    // macOS tells no release of keys that were pressed together with Command.
    if (key === 'Meta') this.releaseAll();
    return true;
  }

  /** Text from the clipboard, an input method, a dead key or a keyboard on the screen. */
  text(text: string): void {
    this.#isAfterDeadKey = false;
    for (const part of partsOf(text)) this.#options.send({ type: 'text', text: part });
  }

  /** A key without a keyboard event of its own: keyboards on screens say what shall happen instead. */
  tap(key: 'Enter' | 'Backspace' | 'Delete'): void {
    this.#key({ type: 'keyDown', key, code: key, modifiers: 0, ...(key === 'Enter' && { text: '\r' }) });
    this.#key({ type: 'keyUp', key, code: key, modifiers: 0 });
  }

  /** Releases whatever is down: the focus is gone. Invariant: nothing stays pressed when a viewer leaves. */
  releaseAll(): void {
    for (const { key, code } of this.#pressed.values()) this.#key({ type: 'keyUp', key, code, modifiers: 0 });
    this.forget();
  }

  /** Forgets what is down without a word: the page is no longer this viewer's. */
  forget(): void {
    this.#pressed.clear();
    this.#isAfterDeadKey = false;
  }

  /** The text field turns the key into text, which is then sent: compositions, dead keys and pastes. */
  #isForTextField(event: KeyLike): boolean {
    if (event.isComposing || INPUT_METHOD_KEYS.includes(event.key) || isPaste(event)) return true;
    if (event.key === 'Dead') {
      this.#isAfterDeadKey = true;
      return true;
    }
    if (!this.#isAfterDeadKey || MODIFIER_KEYS.includes(event.key)) return false;
    this.#isAfterDeadKey = false;
    return isCharacter(event.key);
  }

  /** The text that the key types, and the modifiers that were held for more than typing it. */
  #reading(event: KeyLike): { text?: string; modifiers: number } {
    const modifiers = modifierBits(event);
    if (isCharacter(event.key) && this.#isThirdLevel(event)) {
      return { text: event.key, modifiers: modifiers & ~(ALT | CTRL) };
    }
    if ((modifiers & (ALT | CTRL | META)) !== 0) return { modifiers };
    if (event.key === 'Enter') return { text: '\r', modifiers };
    return isCharacter(event.key) ? { text: event.key, modifiers } : { modifiers };
  }

  /** AltGr, which Windows reports as Control and Alt too; Option on macOS. */
  #isThirdLevel(event: KeyLike): boolean {
    if (event.getModifierState('AltGraph')) return true;
    return this.#options.isMac && event.altKey && !event.ctrlKey && !event.metaKey;
  }

  #key(event: Extract<Extract<ClientMessageInput, { type: 'keyboard' }>, { event: unknown }>['event']): void {
    this.#options.send({ type: 'keyboard', event });
  }
}

/** Such keys are named by the character that they type (UI Events, `KeyboardEvent.key`). */
function isCharacter(key: string): boolean {
  return [...key].length === 1;
}

/** The viewer's clipboard is pasted, not the one of the browser that is shown. */
function isPaste(event: KeyLike): boolean {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
  return (isCommand && event.key.toLowerCase() === 'v') || (event.shiftKey && event.key === 'Insert');
}

/** Splits what is too long for one message, never inside a surrogate pair. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const isInPair = /[\uD800-\uDBFF]/.test(text[start + TEXT_LIMIT - 1] ?? '');
    const end = start + TEXT_LIMIT - (isInPair && start + TEXT_LIMIT < text.length ? 1 : 0);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
