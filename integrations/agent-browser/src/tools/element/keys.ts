/** Keys by the names of UI Events (KeyboardEvent key and code values), as far as Playwright has them. */
const NAMES = `Escape F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 Backspace Tab Enter Space CapsLock NumLock ScrollLock Pause
  PrintScreen ContextMenu PageUp PageDown Insert Delete Home End ArrowLeft ArrowUp ArrowRight ArrowDown Shift Control
  Alt Meta AltGraph ControlOrMeta ShiftLeft ShiftRight ControlLeft ControlRight AltLeft AltRight MetaLeft MetaRight
  Backquote Minus Equal Backslash BracketLeft BracketRight Semicolon Quote Comma Period Slash NumpadDivide
  NumpadMultiply NumpadSubtract NumpadAdd NumpadDecimal NumpadEnter AudioVolumeMute AudioVolumeDown AudioVolumeUp
  MediaTrackNext MediaTrackPrevious MediaPlayPause`.split(/\s+/);

/** Names that people and models write for keys. */
const ALIASES: Record<string, string> = {
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  win: 'Meta',
  option: 'Alt',
  opt: 'Alt',
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  ins: 'Insert',
  spacebar: 'Space',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  plus: '+',
};

const KNOWN = new Map([...NAMES.map(name => [name.toLowerCase(), name] as const), ...Object.entries(ALIASES)]);

const CODES = /^(Key[A-Z]|Digit\d|Numpad\d)$/;
const CHARACTER = /^[ -~]$/;
/** What keys write, which pages get as these keys: a browser that is asked to insert a line break presses Enter. */
const WRITTEN: Record<string, string> = { ' ': 'Space', '\n': 'Enter', '\r': 'Enter', '\t': 'Tab' };
/** No keyboard has them, and no field shows them. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** A key on the keyboard, with what is held meanwhile, or a character that a US keyboard does not have. */
export type KeyStroke = { press: string } | { character: string };

/**
 * Reads keys such as `Enter`, `ctrl+a` or `Control++` as Playwright takes them; undefined when there is no such key.
 * Playwright itself finds out only when it holds the modifiers down already.
 */
export function keyStroke(text: string): KeyStroke | undefined {
  const trimmed = text.trim() || text.slice(0, 1);
  const names = trimmed.split(/(?<=[^+])\+(?=.)/).map(keyName);
  if (names.every(name => name !== undefined)) return { press: meant(names).join('+') };
  const [character, ...others] = new Intl.Segmenter().segment(trimmed);
  if (character === undefined || others.length > 0 || CONTROL_CHARACTER.test(character.segment)) return undefined;
  return { character: character.segment };
}

/** People write `Control+K` for keys that type `k`: the letter is large only while Shift is down. */
function meant(names: readonly string[]): readonly string[] {
  const [key = '', ...held] = names.toReversed();
  if (held.length === 0 || held.some(name => name.startsWith('Shift'))) return names;
  return /^[A-Z]$/.test(key) ? [...held.reverse(), key.toLowerCase()] : names;
}

function keyName(text: string): string | undefined {
  if (text in WRITTEN) return WRITTEN[text];
  if (CHARACTER.test(text)) return text;
  return KNOWN.get(text.toLowerCase()) ?? (CODES.test(text) ? text : undefined);
}

export { NAMES as KEY_NAMES };
