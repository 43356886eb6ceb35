import { keyDefinition } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { z } from 'zod/v4';
import { type ClipboardCommand, clipboardCommand, MODIFIER_BITS, NO_EDITING } from '#live/input/clipboard-keys.js';
import { Flag } from '#page-engine/protocol.js';
import { actOn } from '../actions/act-on.js';
import { withCdp } from '../browser/chromium/cdp.js';
import type { Session } from '../browser/session.js';
import { type Action, untilPainted, untilQuiet, withTimeout } from '../call/action.js';
import { defineTool, onDialogField, refField } from '../call/define.js';
import { NO_RISK, type Risk, riskOfPress } from '../call/risk.js';
import { type ActionClass, classesOfSending } from '../policy/approval.js';
import { ToolError } from '../results/errors.js';

/** Keys by their UI Events names (KeyboardEvent key and code values), as far as Playwright supports them. */
export const NAMED_KEYS =
  `Escape F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 Backspace Tab Enter Space CapsLock NumLock ScrollLock Pause
  PrintScreen ContextMenu PageUp PageDown Insert Delete Home End ArrowLeft ArrowUp ArrowRight ArrowDown Shift Control
  Alt Meta AltGraph ControlOrMeta ShiftLeft ShiftRight ControlLeft ControlRight AltLeft AltRight MetaLeft MetaRight
  Backquote Minus Equal Backslash BracketLeft BracketRight Semicolon Quote Comma Period Slash NumpadDivide
  NumpadMultiply NumpadSubtract NumpadAdd NumpadDecimal NumpadEnter AudioVolumeMute AudioVolumeDown AudioVolumeUp
  MediaTrackNext MediaTrackPrevious MediaPlayPause`.split(/\s+/);

/** Common names that people and models use for keys. */
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

const KNOWN = new Map([...NAMED_KEYS.map(name => [name.toLowerCase(), name] as const), ...Object.entries(ALIASES)]);

const CODES = /^(Key[A-Z]|Digit\d|Numpad\d)$/;
const ASCII_CHARACTER = /^[ -~]$/;
/** Characters that are pressed as keys, because Chromium presses Enter when it is asked to insert a line break. */
const WRITTEN: Record<string, string> = { ' ': 'Space', '\n': 'Enter', '\r': 'Enter', '\t': 'Tab' };
/** No keyboard has keys for these, and no field shows them. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** A key with its modifiers, or a character that a US keyboard does not have, with the modifiers that are held. */
type KeyStroke = { press: string } | { character: string; held: Modifier[] };

/**
 * Parses keys such as `Enter`, `ctrl+a` or `Control++` into Playwright's notation; undefined if there is no such key.
 * Playwright itself rejects a key only after it has pressed the modifiers.
 */
export function keyStroke(text: string): KeyStroke | undefined {
  const trimmed = text.trim() || text.slice(0, 1);
  const parts = trimmed.split(/(?<=[^+])\+(?=.)/);
  const names = parts.map(keyName);
  if (names.every(name => name !== undefined)) return { press: meant(names).join('+') };
  const held = names.slice(0, -1).map(name => modifierOf(name ?? ''));
  const [character, ...others] = new Intl.Segmenter().segment(parts.at(-1) ?? '');
  if (character === undefined || others.length > 0 || CONTROL_CHARACTER.test(character.segment)) return undefined;
  return held.some(modifier => modifier.length === 0) ? undefined : { character: character.segment, held: held.flat() };
}

/** Lower-cases the letter in chords such as `Control+K`: it is upper case only while Shift is pressed. */
function meant(names: readonly string[]): readonly string[] {
  const [key = '', ...held] = names.toReversed();
  if (held.length === 0 || held.some(name => name.startsWith('Shift'))) return names;
  return /^[A-Z]$/.test(key) ? [...held.toReversed(), key.toLowerCase()] : names;
}

function keyName(text: string): string | undefined {
  if (text in WRITTEN) return WRITTEN[text];
  if (ASCII_CHARACTER.test(text)) return text;
  return KNOWN.get(text.toLowerCase()) ?? (CODES.test(text) ? text : undefined);
}

/** Milliseconds that a busy page may take to draw the frame between two presses of one key. */
const LONGEST_FRAME_MS = 2_000;

const KEYS_EXPECTED = 'expected a key such as Enter, or a list of keys';

/** A text with a list in it is a list of keys. */
const keysField = z
  .string()
  .min(1)
  .max(60)
  .refine(text => !text.trimStart().startsWith('[') || keyStroke(text) !== undefined, KEYS_EXPECTED);

export const press = defineTool({
  id: 'browser_press',
  description: 'Press one or more keys, on an element (ref) or on whatever has focus. To enter text, use browser_type.',
  input: z.strictObject({
    keys: z
      .union([keysField, z.array(keysField).min(1).max(100)], { error: KEYS_EXPECTED })
      .describe('Such as Enter or Control+A; or a list of keys'),
    ref: refField.optional(),
    onDialog: onDialogField,
  }),
  output: {
    pressed: z.number().optional(),
    /** Why a copy, cut or paste shortcut did nothing. */
    clipboard: z.enum(['empty', 'hidden']).optional(),
  },
  policy: { changesPage: true, sendsInput: true },
  risk: (session, { keys, ref }) => riskOfKeys(session, [keys].flat().map(String), ref),
  enters: ({ keys }) => (keys === undefined ? [] : [{ kind: 'keys', texts: [keys].flat().map(String) }]),
  async run(action, { keys, ref }) {
    // All keys are parsed first, so that nothing is pressed if one of them is invalid.
    const strokes = [keys].flat().map(toStroke);
    if (ref !== undefined) await actOn(action, ref, (locator, limits) => locator.focus(limits), { to: 'focus' });
    action.mayHaveSent = true;
    for (const [index, stroke] of strokes.entries()) {
      // Nobody presses a key twice within a frame, and many widgets take one step in each.
      if (isSameKey(stroke, strokes[index - 1] ?? strokes[1])) await untilPainted(action, LONGEST_FRAME_MS);
      await withTimeout(action, sendStroke(action, stroke));
      action.hasBegun = true;
      action.facts.pressed = Number(action.facts.pressed ?? 0) + 1;
    }
    if (strokes.every(isFocusMove)) {
      // The focus has moved by now: if that shows, it is the effect.
      action.waitsFor = 'evidence';
      action.rest = untilQuiet(action);
      // The error goes to the caller that awaits `action.rest`.
      action.rest.catch(() => undefined);
      return {};
    }
    await untilPainted(action);
    action.rest = 'over';
    return {};
  },
  headline: ({ pressed, clipboard }) =>
    [
      pressed === 1 ? 'Pressed 1 key.' : `Pressed ${pressed ?? 0} keys.`,
      ...(clipboard === 'empty' ? ['Nothing was selected to copy, or nothing had been copied to paste.'] : []),
      ...(clipboard === 'hidden' ? ['Passwords and other hidden text are not copied.'] : []),
    ].join(' '),
});

function isSameKey(stroke: KeyStroke, before: KeyStroke | undefined): boolean {
  return 'press' in stroke && before !== undefined && 'press' in before && stroke.press === before.press;
}

/** A key that only moves the focus: the page need not show anything. */
function isFocusMove(stroke: KeyStroke): boolean {
  return 'press' in stroke && /^(?:Shift\+)?Tab$/.test(stroke.press);
}

function toStroke(keys: string): KeyStroke {
  const stroke = keyStroke(keys);
  if (stroke !== undefined) return stroke;
  throw new ToolError(
    'invalid_input',
    `keys: ${JSON.stringify(keys)} is not a key name. Valid examples: Enter, Escape, ArrowDown, Control+A. To type text, use browser_type.`,
  );
}

async function sendStroke(action: Action, stroke: KeyStroke): Promise<void> {
  const { page } = action.tab;
  if ('character' in stroke) return pressCharacter(page, stroke);
  const chord = clipboardChord(stroke.press);
  return chord === undefined ? page.keyboard.press(stroke.press) : useClipboard(action, chord);
}

/** In UTF-16 code units: the longest text of a key event in the DevTools protocol. */
const KEY_TEXT = 4;

/**
 * Presses a character that a US keyboard does not have. Text that is too long for a key event, such as a family emoji, is
 * inserted as from an input method.
 */
async function pressCharacter(page: Page, { character, held }: { character: string; held: Modifier[] }): Promise<void> {
  if (character.length > KEY_TEXT && held.length === 0) return page.keyboard.insertText(character);
  const isShortcut = held.some(name => name !== 'Shift');
  const key = held.includes('Shift') ? character.toLocaleUpperCase() : character;
  const typed = isShortcut
    ? { type: 'rawKeyDown' as const }
    : { type: 'keyDown' as const, text: key, unmodifiedText: key };
  const modifiers = modifierBits(held);
  for (const name of held) await page.keyboard.down(name);
  await withCdp(page, async session => {
    await session.send('Input.dispatchKeyEvent', { ...typed, key, modifiers });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers });
  });
  for (const name of held.toReversed()) await page.keyboard.up(name);
}

async function useClipboard(action: Action, chord: ClipboardChord): Promise<void> {
  const { session, tab, limits } = action;
  const way = { send: () => sendChord(tab.page, chord), options: limits };
  const outcome = await session.clipboard.press(tab, chord.command, way);
  if (outcome === 'empty' || outcome === 'hidden') action.facts.clipboard = outcome;
}

/** Keys that activate the focused element. */
const PRESSING_KEYS = /(?:^|\+)(?:Enter|NumpadEnter|Space)$/;
/** Keys that activate some element (HTML, `accesskey`). */
const ACCESS_KEYS = /(?:^|\+)Alt(?:Left|Right)?\+(?:.*\+)?(?:Key|Digit)?.$/;

function isPressing(stroke: KeyStroke | undefined): boolean {
  if (stroke === undefined) return false;
  if ('character' in stroke) return stroke.held.includes('Alt');
  return PRESSING_KEYS.test(stroke.press) || ACCESS_KEYS.test(stroke.press);
}

function riskOfKeys(session: Session, keys: readonly string[], ref: unknown): Risk {
  const at = keys.findIndex(key => isPressing(keyStroke(key)));
  if (at < 0) return NO_RISK;
  const risk = riskOfKey(session, ref);
  // Earlier keys may have moved the focus, and an access key is for another element.
  return at === 0 && !keys[0]?.includes('Alt') ? risk : { ...risk, isUncertain: true };
}

/** Enter in a field submits its form; on other elements it acts like a press. */
function riskOfKey(session: Session, ref: unknown): Risk {
  const focused = [...session.refs.live.values()].find(({ flags }) => (flags & Flag.Focused) !== 0);
  const named = ref ?? (focused && session.refs.refOf(focused));
  if (named === undefined) return { classes: classesOfSending(session.activeTab?.url), isUncertain: true };
  const pressed = riskOfPress(session, named);
  const classes = new Set<ActionClass>([...classesOfSending(session.activeTab?.url), ...pressed.classes]);
  // The focus is known only from the latest snapshot.
  return { ...pressed, classes: [...classes], isUncertain: ref === undefined };
}

/** A keyboard shortcut that copies, cuts or pastes. */
interface ClipboardChord {
  command: ClipboardCommand;
  key: string;
  held: Modifier[];
}

type Modifier = keyof typeof MODIFIER_BITS;

function modifierBits(held: readonly Modifier[]): number {
  return held.reduce((bits, name) => bits | MODIFIER_BITS[name], 0);
}

/** @param keys In Playwright's notation, such as `Control+C`. */
function clipboardChord(keys: string): ClipboardChord | undefined {
  const names = keys.split(/(?<=[^+])\+(?=.)/);
  const key = names.pop() ?? '';
  const held = [...new Set(names.flatMap(modifierOf))];
  const command = clipboardCommand(key, modifierBits(held));
  return command && { command, key, held };
}

/** Sends the key events to the page without Chromium's own editing command. */
async function sendChord(page: Page, { key, held }: ClipboardChord): Promise<void> {
  const { code = '', windowsVirtualKeyCode = 0 } = keyDefinition(key) ?? {};
  const modifiers = modifierBits(held);
  const event = { key: keyDefinition(key)?.key ?? key, code, windowsVirtualKeyCode, modifiers };
  for (const name of held) await page.keyboard.down(name);
  await withCdp(page, async session => {
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event, commands: NO_EDITING });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  });
  for (const name of held.toReversed()) await page.keyboard.up(name);
}

function modifierOf(name: string): Modifier[] {
  if (name === 'ControlOrMeta') return [process.platform === 'darwin' ? 'Meta' : 'Control'];
  const plain = name.replace(/(?:Left|Right)$/, '');
  return plain in MODIFIER_BITS ? [plain as Modifier] : [];
}
