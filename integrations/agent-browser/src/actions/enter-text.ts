import type { ElementFacts, EntryAnswer, TypePurpose } from '#page-engine/protocol.js';
import { inOneLine, linesOf } from '#page-engine/text/line-breaks.js';
import { onEmptyStack } from '../browser/tab/engine-line.js';
import { type Action, withTimeout } from '../call/action.js';
import { isWhole, numberIn, wholeValue } from '../call/field-values.js';
import { focusLost } from '../call/refusals.js';
import { describeEntry, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import { sharedLength } from '../snapshot/prune.js';
import { actOn } from './act-on.js';

const MISMATCH_LIMIT = 1000;
/** Characters of equal text before the first difference. */
const LEAD = 20;

/** How the value of a field differs from the typed text; undefined when it does not, or is a secret. */
export function mismatch(facts: ElementFacts, typed: string): { expected: string; actual: string } | undefined {
  if (facts.holdsPart) return { expected: typed, actual: 'something else, which is not shown' };
  if (facts.masked) return undefined;
  const expected = asHeld(facts, typed);
  const actual = asHeld(facts, facts.value);
  if (expected === actual || expected === asHeld(facts, facts.value + (facts.elsewhere ?? ''))) return undefined;
  const from = Math.max(0, sharedLength(expected, actual) - LEAD);
  const start = Math.max(expected.length, actual.length) > MISMATCH_LIMIT ? from : 0;
  return {
    expected: expected.slice(start, start + MISMATCH_LIMIT),
    actual: actual.slice(start, start + MISMATCH_LIMIT),
  };
}

/** What masks put into a number, a date or a code. */
const MASK_CHARACTERS = /[\s()\p{Sc}]|(?<=[\p{L}\p{N})])[-/:](?=[\p{L}\p{N}\s])|,(?=\d{3}(?!\d))/gu;

/** Whether a value only differs from the typed text by what the mask of its field has put in. */
export function isFormatted({ expected, actual }: { expected: string; actual: string }): boolean {
  const typed = expected.replace(/\s/g, '');
  let at = 0;
  for (const character of actual) if (typed.startsWith(character, at)) at += character.length;
  return at === typed.length && withoutMask(actual) === withoutMask(typed);
}

/** Zeros that a mask puts behind the digits of an amount, as in 12.50. */
const FILLED_UP = /^(-?\d+)(?:[.,]0+|([.,]\d*[1-9])0+)$/;

function withoutMask(text: string): string {
  return text.replace(MASK_CHARACTERS, '').replace(FILLED_UP, '$1$2');
}

export const FORMATTED = 'the field formats its value';

/** Why the value of a field cannot be read from the field. */
export const HANDED_ON = 'the field passes its text on, and the page shows it elsewhere';

/** Whether the page consumes the text of a field, whose remaining value then does not show what the page holds. */
export function isHandedOn(facts: ElementFacts, typed: string | undefined): boolean {
  if (!facts.sink) return false;
  return facts.heedsInput !== undefined || (typed !== undefined && mismatch(facts, typed) !== undefined);
}

/** Ignores changes that a field makes to any text by itself (HTML, value sanitization). */
function asHeld({ tag, inputType }: ElementFacts, text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (tag === 'textarea') return lines;
  // Editable elements hold paragraphs, which have no single form as text.
  if (tag !== 'input') return lines.replace(/\s+/g, ' ').trim();
  if (inputType === 'color') return lines.trim().toLowerCase();
  return inputType === 'text' || inputType === 'search' || inputType === 'tel' ? lines : lines.trim();
}

interface TextEntry {
  text: string;
  /** Replaces the content of the field; otherwise the text is appended. */
  clear?: boolean;
  /** Key by key. */
  slowly?: boolean;
}

interface Entered {
  entry: RefEntry;
  /** The expected value of the field; undefined where it cannot be known. */
  expected?: string;
}

/** Milliseconds that a page may take for one key. */
const KEY_MS = 20;

export async function enterText(
  action: Action,
  ref: string,
  { text, clear = true, slowly = false }: TextEntry,
): Promise<Entered> {
  if (action.session.owner.secrets.asked(text).length > 0) return enterSecret(action, ref, { text, clear, slowly });
  if (clear && !slowly) return replaceText(action, ref, text);
  const { facts } = await action.factsOf(ref);
  if (isWhole(facts)) return replaceText(action, ref, text);
  const plain = fitting(facts, text);
  const purpose = purposeOf(plain, { append: !clear });
  const entry = clear
    ? await selectText(action, ref, purpose)
    : (await actOn(action, ref, (locator, limits) => locator.focus(limits), purpose)).entry;
  const byKey = facts.tag !== 'textarea';
  const keys = async () => {
    if (!clear && facts.sink === 'editor') await action.tab.page.keyboard.press('ControlOrMeta+End');
    if (slowly) await typeKeys(action, plain, () => breakLine(action, entry, byKey));
    else await handIn(action, entry, plain, facts.sink);
  };
  if (clear || plain !== '') await sendKeys(action, entry, { keys, extra: text.length * KEY_MS });
  const before = clear ? '' : facts.value;
  return { entry, ...(!facts.masked && { expected: before + plain }) };
}

function purposeOf(text: string, { append = false } = {}): TypePurpose {
  const numeric = text.trim() === '' || !Number.isNaN(Number(text));
  return { to: 'type', numeric, isEmpty: text === '', append };
}

async function replaceText(action: Action, ref: string, given: string): Promise<Entered> {
  const text = await fittingFor(action, ref, given);
  const purpose = purposeOf(text);
  const { entry, is } = await enterSeen(action, ref, purpose);
  if (isReady(is)) {
    const keys = () => handIn(action, entry, text, is);
    await sendKeys(action, entry, { keys, extra: text.length, isHeld: is === 'held' });
    return { entry, expected: text };
  }
  const { facts } = await action.factsOf(ref);
  const value = wholeValue(ref, facts, text);
  const filled = await actOn(action, ref, (locator, limits) => locator.fill(value, limits), purposeOf(value));
  action.hasBegun = true;
  return { entry: filled.entry, expected: value };
}

/** The text in the form that a field takes: a number in its notation, one line in a single-line field. */
function fitting({ tag, inputType }: ElementFacts, text: string): string {
  if (tag !== 'input') return text;
  const takesNumber = inputType === 'number' || inputType === 'range';
  return (takesNumber && Number.isNaN(Number(text)) && numberIn(text)) || inOneLine(text);
}

/** Asks the page about the field only when the text may have to change for it. */
async function fittingFor(action: Action, ref: string, text: string): Promise<string> {
  const mayDiffer = linesOf(text).length > 1 || (Number.isNaN(Number(text)) && numberIn(text) !== undefined);
  return mayDiffer ? fitting((await action.factsOf(ref)).facts, text) : text;
}

/** Makes a field ready for input once it is visible. */
async function enterSeen(action: Action, ref: string, purpose: TypePurpose): ReturnType<Action['enter']> {
  let entered = await action.enter(ref, purpose);
  if (entered.is === 'unseen') {
    await actOn(action, ref, (locator, limits) => locator.waitFor(limits), purpose);
    entered = await action.enter(ref, purpose);
  }
  if (entered.is !== 'editor') return entered;
  const { keyboard } = action.tab.page;
  await sendKeys(action, entered.entry, { keys: () => keyboard.press('ControlOrMeta+a'), extra: KEY_MS });
  return entered;
}

interface SentKeys {
  keys: () => Promise<void>;
  /** Milliseconds beyond the action's own timeout. */
  extra: number;
  /** The field had the focus before, so no focus handler can have moved it on. */
  isHeld?: boolean;
}

function isReady(is: EntryAnswer): boolean {
  return is !== 'whole' && is !== 'unseen';
}

/** Sends text and keys to a field, unless the page has moved the focus. */
async function sendKeys(action: Action, entry: RefEntry, { keys, extra, isHeld = false }: SentKeys): Promise<void> {
  const focus = isHeld ? undefined : await action.focusFrom(entry);
  if (focus !== undefined && focus.is !== 'here') throw focusLost(entry, focus.holder);
  action.hasBegun = true;
  await withTimeout(action, keys(), { extra });
}

/** Selects the content of a field, so that the first key replaces it: clearing it would be an input of its own. */
async function selectText(action: Action, ref: string, purpose: TypePurpose): Promise<RefEntry> {
  const { entry, is } = await enterSeen(action, ref, purpose);
  if (isReady(is)) return entry;
  return (await actOn(action, ref, (locator, limits) => locator.selectText(limits), purpose)).entry;
}

/** Names of secrets are replaced by their values only in the document that holds the field. */
async function enterSecret(
  action: Action,
  ref: string,
  { text, clear, slowly }: Required<TextEntry>,
): Promise<Entered> {
  const { secrets } = action.session.owner;
  const { facts } = await action.factsOf(ref);
  const before = clear ? '' : facts.value;
  if (clear && facts.sink) await enterSeen(action, ref, purposeOf(text));
  const fill = (origin: string) => {
    const filled = secrets.fill(text, origin);
    if ('text' in filled) return { ...filled, purpose: purposeOf(filled.text, { append: !clear }) };
    throw new ToolError(filled.refused === 'unknown' ? 'invalid_input' : 'secret_not_allowed', filled.reason);
  };
  const { entry, isIn } = await action.insert(ref, fill, slowly);
  if (isIn) return { entry, expected: before + text };
  throw new ToolError('not_editable', `${describeEntry(entry)} did not accept the text.`);
}

/** Replaces the selection with text, or deletes it. */
async function putIn({ tab }: Action, text: string): Promise<void> {
  const { keyboard } = tab.page;
  await onEmptyStack(() => (text === '' ? keyboard.press('Delete') : keyboard.insertText(text)));
}

async function handIn(action: Action, entry: RefEntry, text: string, sink: EntryAnswer | undefined): Promise<void> {
  // There is no text to delete.
  if (text === '' && (sink === 'blank' || sink === 'console')) return;
  if (sink === 'editor' || sink === 'blank') await pasteIn(action, entry, text);
  else await (FORM_FIELDS.has(entry.node.tag ?? '') ? typeIn(action, text) : putIn(action, text));
}

/** Fields that pages read when a key comes up. */
const FORM_FIELDS = new Set(['input', 'textarea']);

/** What ends a text and has a key on every keyboard. */
const LAST_KEY = /[ -~]$/;

/**
 * Puts text in, and lets the key of its last character come up: many pages read a field then. No character is pressed
 * for it: by then the page may have moved the focus, or rendered another row where the field was.
 */
async function typeIn(action: Action, text: string): Promise<void> {
  await putIn(action, text);
  const last = LAST_KEY.exec(text)?.[0];
  // Not waited for: a page that hangs at the text takes it when it is free again. One that is gone needs no key up.
  if (last !== undefined) void action.tab.page.keyboard.up(last).catch(() => undefined);
}

/** Pastes the text, because editors keep a pasted text but indent a typed one and add closing brackets to it. */
async function pasteIn(action: Action, entry: RefEntry, text: string): Promise<void> {
  const isTaken = text !== '' && (await action.ask(entry.node.document.frame, 'paste', { text })).taken;
  if (!isTaken) await putIn(action, text);
}

async function typeKeys({ tab }: Action, text: string, breakLine: () => Promise<void>): Promise<void> {
  const { keyboard } = tab.page;
  const [first = '', ...others] = linesOf(text);
  await (first === '' && others.length === 0 ? keyboard.press('Delete') : keyboard.type(first));
  for (const line of others) {
    await breakLine();
    await keyboard.type(line);
  }
}

/**
 * Presses a key for a line break, because editors turn an inserted one into several. Enter without Shift would submit a
 * form or send a chat message, as would any line break in a single-line field that the page has moved the focus to.
 */
async function breakLine(action: Action, entry: RefEntry, byKey: boolean): Promise<void> {
  const focus = await action.focusFrom(entry);
  if (focus?.is !== 'here') return putIn(action, ' ');
  await (byKey ? action.tab.page.keyboard.press('Shift+Enter') : putIn(action, '\n'));
}
