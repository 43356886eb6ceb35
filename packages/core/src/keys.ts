/** How a key press is described to a browser (UI Events, and DevTools protocol `Input.dispatchKeyEvent`). */
export interface KeyDefinition {
  /** `KeyboardEvent.key`: the character or the named key value. */
  key: string;
  /** `KeyboardEvent.code`: the place on a US keyboard. */
  code: string;
  /** `KeyboardEvent.location`: 0 standard, 1 left, 2 right, 3 numeric keypad. */
  location: 0 | 1 | 2 | 3;
  /** Windows virtual key code, the one that pages read as `keyCode`. It names the key, never the character. */
  windowsVirtualKeyCode: number;
  /** The text that the key types; left out for keys that type none. */
  text?: string;
  /** Whether a US keyboard needs Shift for this character. */
  shift?: boolean;
}

type Location = KeyDefinition['location'];

/** Code, virtual key code, character alone, character with Shift. Codes of the OEM keys: Windows "Virtual-Key Codes". */
const SYMBOL_KEYS: readonly (readonly [code: string, virtualKey: number, plain: string, shifted: string])[] = [
  ['Backquote', 192, '`', '~'],
  ['Digit1', 49, '1', '!'],
  ['Digit2', 50, '2', '@'],
  ['Digit3', 51, '3', '#'],
  ['Digit4', 52, '4', '$'],
  ['Digit5', 53, '5', '%'],
  ['Digit6', 54, '6', '^'],
  ['Digit7', 55, '7', '&'],
  ['Digit8', 56, '8', '*'],
  ['Digit9', 57, '9', '('],
  ['Digit0', 48, '0', ')'],
  ['Minus', 189, '-', '_'],
  ['Equal', 187, '=', '+'],
  ['BracketLeft', 219, '[', '{'],
  ['BracketRight', 221, ']', '}'],
  ['Backslash', 220, '\\', '|'],
  ['Semicolon', 186, ';', ':'],
  ['Quote', 222, "'", '"'],
  ['Comma', 188, ',', '<'],
  ['Period', 190, '.', '>'],
  ['Slash', 191, '/', '?'],
];

/** Named keys that type nothing: key, virtual key code, and the code where it is not the same as the key. */
const NAMED_KEYS: readonly (readonly [key: string, virtualKey: number, code?: string])[] = [
  ['Backspace', 8],
  ['Tab', 9],
  ['Clear', 12, 'NumpadClear'],
  ['Pause', 19],
  ['CapsLock', 20],
  ['Escape', 27],
  ['PageUp', 33],
  ['PageDown', 34],
  ['End', 35],
  ['Home', 36],
  ['ArrowLeft', 37],
  ['ArrowUp', 38],
  ['ArrowRight', 39],
  ['ArrowDown', 40],
  ['Select', 41],
  ['Execute', 43, ''],
  ['PrintScreen', 44],
  ['Insert', 45],
  ['Delete', 46],
  ['Help', 47],
  ['ContextMenu', 93],
  ['Standby', 95, 'Sleep'],
  ['NumLock', 144],
  ['ScrollLock', 145],
  // Function keys above F24 have no virtual key code.
  ...Array.from({ length: 24 }, (_, index) => [`F${index + 1}`, 112 + index] as const),
  // Input methods; the Japanese and Korean keys share their codes.
  ['Cancel', 3, ''],
  ['KanaMode', 21],
  ['HangulMode', 21, 'Lang1'],
  ['JunjaMode', 23, ''],
  ['FinalMode', 24, ''],
  ['HanjaMode', 25, 'Lang2'],
  ['KanjiMode', 25, ''],
  ['Convert', 28],
  ['NonConvert', 29],
  ['Accept', 30, ''],
  ['ModeChange', 31, ''],
  ['Process', 229, ''],
  // Media, browser and application keys.
  ['BrowserBack', 166],
  ['BrowserForward', 167],
  ['BrowserRefresh', 168],
  ['BrowserStop', 169],
  ['BrowserSearch', 170],
  ['BrowserFavorites', 171],
  ['BrowserHome', 172],
  ['AudioVolumeMute', 173],
  ['AudioVolumeDown', 174],
  ['AudioVolumeUp', 175],
  ['MediaTrackNext', 176],
  ['MediaTrackPrevious', 177],
  ['MediaStop', 178],
  ['MediaPlayPause', 179],
  ['LaunchMail', 180],
  ['LaunchMediaPlayer', 181, 'MediaSelect'],
  ['LaunchApplication1', 182, 'LaunchApp1'],
  ['LaunchApplication2', 183, 'LaunchApp2'],
  ['Attn', 246, ''],
  ['CrSel', 247, ''],
  ['ExSel', 248, ''],
  ['EraseEof', 249, ''],
  ['Play', 250, ''],
  ['ZoomToggle', 251],
];

/** Key and virtual key code without its side, as pages read it in `keyCode`; the left code, then the right one. */
const MODIFIER_KEYS: readonly (readonly [key: string, virtualKey: number, rightVirtualKey?: number])[] = [
  ['Shift', 16],
  ['Control', 17],
  ['Alt', 18],
  ['Meta', 91, 92],
];

/** The keypad with NumLock on: the end of the code, key, virtual key code. */
const NUMPAD_KEYS: readonly (readonly [suffix: string, key: string, virtualKey: number])[] = [
  ...Array.from({ length: 10 }, (_, digit) => [`${digit}`, `${digit}`, 96 + digit] as const),
  ['Multiply', '*', 106],
  ['Add', '+', 107],
  ['Comma', ',', 194],
  ['Subtract', '-', 109],
  ['Decimal', '.', 110],
  ['Divide', '/', 111],
  ['Equal', '=', 187],
  ['Enter', 'Enter', 13],
];

/** The text that a key types: itself when it is a character, a carriage return for Enter, else nothing. */
function textOf(key: string): string | undefined {
  if (key === 'Enter') return '\r';
  return key.length === 1 ? key : undefined;
}

function define(key: string, code: string, windowsVirtualKeyCode: number, location: Location = 0): KeyDefinition {
  const text = textOf(key);
  return { key, code, location, windowsVirtualKeyCode, ...(text !== undefined && { text }) };
}

function characterKeys(): KeyDefinition[] {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz', letter => {
    const upper = letter.toUpperCase();
    return [`Key${upper}`, upper.charCodeAt(0), letter, upper] as const;
  });
  const pairs = [...letters, ...SYMBOL_KEYS].flatMap(([code, virtualKey, plain, shifted]) => [
    define(plain, code, virtualKey),
    { ...define(shifted, code, virtualKey), shift: true },
  ]);
  return [...pairs, define(' ', 'Space', 32), define('Enter', 'Enter', 13)];
}

function modifierKeys(): KeyDefinition[] {
  const sided = MODIFIER_KEYS.flatMap(([key, left, right = left]) => [
    define(key, `${key}Left`, left, 1),
    define(key, `${key}Right`, right, 2),
  ]);
  // Windows reports AltGr as the right Alt key.
  return [...sided, define('AltGraph', 'AltRight', 18, 2)];
}

function allKeys(): KeyDefinition[] {
  return [
    ...characterKeys(),
    ...modifierKeys(),
    ...NAMED_KEYS.map(([key, virtualKey, code = key]) =>
      define(key, code, virtualKey, code.startsWith('Numpad') ? 3 : 0),
    ),
    ...NUMPAD_KEYS.map(([suffix, key, virtualKey]) => define(key, `Numpad${suffix}`, virtualKey, 3)),
  ];
}

/** Invariant: the first definition of a key wins, so that `5` is the digit row's and `Shift` the left one. */
function indexBy(property: 'key' | 'code'): ReadonlyMap<string, KeyDefinition> {
  const index = new Map<string, KeyDefinition>();
  for (const definition of allKeys()) {
    if (!index.has(definition[property])) index.set(definition[property], Object.freeze(definition));
  }
  index.delete('');
  return index;
}

const BY_KEY = indexBy('key');
const BY_CODE = indexBy('code');

/**
 * Describes a key of a US keyboard, by `KeyboardEvent.key` (`a`, `(`, `Enter`) or by `KeyboardEvent.code` where only
 * that tells keys apart (`Numpad5`, `ShiftRight`). Answers `undefined` for anything else, such as `é`.
 *
 * @example
 * keyDefinition('.') // { key: '.', code: 'Period', location: 0, windowsVirtualKeyCode: 190, text: '.' }
 */
export function keyDefinition(key: string): KeyDefinition | undefined {
  return BY_KEY.get(key) ?? BY_CODE.get(key);
}
