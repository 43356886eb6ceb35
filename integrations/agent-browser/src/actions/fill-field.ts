import { setTimeout as delay } from 'node:timers/promises';
import type { ElementFacts } from '#page-engine/protocol.js';
import { type Action, untilPainted, untilQuiet, withTimeout } from '../call/action.js';
import { numberIn, rangeWords } from '../call/field-values.js';
import { listOptions } from '../call/refusals.js';
import { describeRef, type RefEntry } from '../refs/registry.js';
import { ToolError } from '../results/errors.js';
import type { SnapshotNode } from '../snapshot/tree.js';
import { actOn } from './act-on.js';
import { asOption, chooseOption, chooseSuggested, chosenNow, type Suggested } from './choose-option.js';
import { enterText, HANDED_ON, isHandedOn, mismatch } from './enter-text.js';
import { clickElement, untilEnabled } from './press.js';

/** Most key presses; a slider with more steps jumps by pages. */
const MOST_KEYS = 300;
/** Pairs of keys that raise and lower a value (ARIA Authoring Practices, slider and spinbutton), the finest last. */
const WAYS = [
  ['PageUp', 'PageDown'],
  ['ArrowUp', 'ArrowDown'],
  ['ArrowRight', 'ArrowLeft'],
] as const;
/** Values of a spin button that an error names. */
const WORDS_SHOWN = 31;
/** Floating-point fractions are not exact. */
const SLIDER_TOLERANCE = 1e-6;

/**
 * Sets a custom slider or spin button by its keys. Returns its facts then; their value is the nearest below or above
 * where it has no step at the wanted one.
 * @throws ToolError `invalid_input` for what is not a number within its limits, `not_editable` when no key moves it.
 */
async function setSlider(action: Action, ref: string, text: string): Promise<ElementFacts> {
  const { facts } = await action.factsOf(ref);
  const wanted = Number(numberIn(text));
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = facts.limits ?? {};
  const what = `${ref} (${describeRef(facts)})`;
  if (isInWords(facts) && numberIn(text) === undefined) return setByWords(action, ref, facts, text);
  if (numberIn(text) === undefined || wanted < Number(min) || wanted > Number(max))
    throw new ToolError('invalid_input', `value: ${what} expects a number${rangeWords(facts)}.`);
  if (isSliderAt(facts, wanted)) return facts;
  await actOn(action, ref, (locator, limits) => locator.focus(limits), { to: 'focus' });
  let now = facts;
  let isMoved = false;
  for (const keys of WAYS) {
    if (isSliderAt(now, wanted)) break;
    const moved = await moveSlider(action, { now, wanted, keys });
    isMoved ||= sliderNumber(moved) !== sliderNumber(now);
    now = moved;
  }
  if (!isMoved)
    throw new ToolError(
      'not_editable',
      `${what} does not respond to the keyboard. Drag its handle with browser_drag instead.`,
    );
  return now;
}

/** Whether a slider or spin button shows words, such as the name of a month, in the place of its number. */
function isInWords({ value }: ElementFacts): boolean {
  return numberIn(value) === undefined && /\p{L}/u.test(value);
}

/** Sets a slider or spin button by its keys to the value that contains a text, or leaves it as it was. */
async function setByWords(action: Action, ref: string, facts: ElementFacts, text: string): Promise<ElementFacts> {
  const values = new Set<string>();
  const isWanted = (value: string): boolean => {
    values.add(value);
    return wordsOf(value).includes(wordsOf(text));
  };
  if (isWanted(facts.value)) return facts;
  await actOn(action, ref, (locator, limits) => locator.focus(limits), { to: 'focus' });
  for (const [up, down] of WAYS.slice(1)) {
    let now = facts;
    for (const key of [up, down]) {
      const from = now.value;
      now = await pressUntil(action, key, value => isWanted(value) || value === from);
      if (isWanted(now.value)) return now;
    }
    if (now.value !== facts.value) await pressUntil(action, up, value => value === facts.value);
    if (values.size > 1) break;
  }
  const others = [...values].slice(0, WORDS_SHOWN).map(value => JSON.stringify(value));
  throw new ToolError(
    'invalid_input',
    `value: ${ref} (${describeRef(facts)}) has no value ${JSON.stringify(text)}; it has ${others.join(', ')}.`,
  );
}

/** Presses a key until the value is wanted, or stays as it is. */
async function pressUntil(action: Action, key: string, isWanted: (value: string) => boolean): Promise<ElementFacts> {
  let last: string | undefined;
  for (let pressed = 1; ; pressed++) {
    const now = await pressSliderKey(action, key, 1);
    if (isWanted(now.value) || now.value === last || pressed === MOST_KEYS) return now;
    last = now.value;
  }
}

function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

interface Moving {
  now: ElementFacts;
  wanted: number;
  keys: readonly [up: string, down: string];
}

/** Presses one pair of keys as long as the value gets nearer. */
async function moveSlider(action: Action, { now, wanted, keys: [up, down] }: Moving): Promise<ElementFacts> {
  let [facts, pressed] = [now, 0];
  while (!isSliderAt(facts, wanted) && pressed < MOST_KEYS) {
    const before = sliderNumber(facts);
    const isBelow = before < wanted;
    const next = await pressSliderKey(action, isBelow ? up : down, 1);
    const step = sliderNumber(next) - before;
    pressed++;
    // The step overshot: finer keys go on from here, or from the value before it.
    if (Math.abs(wanted - sliderNumber(next)) >= Math.abs(wanted - before) - SLIDER_TOLERANCE) {
      return step === 0 || up === 'PageUp' ? next : pressSliderKey(action, isBelow ? down : up, 1);
    }
    const count = Math.min(
      MOST_KEYS - pressed,
      Math.floor(Math.abs((wanted - sliderNumber(next)) / step) + SLIDER_TOLERANCE),
    );
    facts = count > 0 ? await pressSliderKey(action, isBelow ? up : down, count) : next;
    pressed += count;
  }
  return facts;
}

async function pressSliderKey(action: Action, key: string, count: number): Promise<ElementFacts> {
  for (let index = 0; index < count; index++) await withTimeout(action, action.tab.page.keyboard.press(key));
  action.hasBegun = true;
  await untilPainted(action);
  const facts = await action.readBack();
  if (facts === undefined) throw new ToolError('stale_ref', 'The slider disappeared when a key was pressed.');
  return facts;
}

function sliderNumber({ limits, value }: ElementFacts): number {
  return Number(limits?.now ?? value);
}

function isSliderAt(facts: ElementFacts, wanted: number): boolean {
  return Math.abs(sliderNumber(facts) - wanted) < SLIDER_TOLERANCE;
}

/** A text, a checked state, or labels of options. */
export type FieldValue = string | boolean | string[];

/** The value of a field after it was filled, or why it is unknown. */
export interface FieldContent {
  value?: FieldValue;
  valueUnknown?: string;
  mismatch?: { expected: string; actual: string };
  /** The value to expect at a later read; left out where it cannot be derived from the given one. */
  expected?: string;
  /** It was chosen from a list, and may be shown beside the field, which is empty then. */
  isChosen?: boolean;
}

export async function fillField(action: Action, ref: string, value: FieldValue): Promise<FieldContent> {
  let { entry, facts } = await action.factsOf(ref);
  // A field before it in the form may be what enables it.
  if (facts.disabled && action.hasBegun) {
    await untilEnabled(action, ref);
    ({ entry, facts } = await action.factsOf(ref));
    if (facts.disabled) throw new ToolError('element_disabled', `${ref} (${describeRef(entry.shown)}) is disabled.`);
  }
  const secrets = action.session.owner.secrets.asked([value].flat().join());
  if (secrets.length > 0 && facts.kind !== 'text')
    throw new ToolError(
      'secret_not_allowed',
      `${ref} does not accept text: secrets can only be typed into text fields.`,
    );
  if (facts.kind === 'toggle') return { value: await setToggle(action, ref, facts, asBoolean(value)) };
  if (facts.kind === 'select') return { value: await setSelect(action, ref, facts, value) };
  if (Array.isArray(value) || isDropDownField(entry, facts)) {
    const { selected, mismatch: differs } = await chooseOption(action, ref, { labels: [value].flat().map(String) });
    const held = Array.isArray(value) ? selected : selected.join(', ');
    return { value: held, isChosen: true, ...(differs && { mismatch: differs }) };
  }
  if (typeof value !== 'string') throw new ToolError('invalid_input', `value: ${ref} expects text.`);
  if (facts.tag !== 'input' && isMoved(facts.role) && (facts.kind === 'other' || facts.limits?.now !== undefined))
    return slide(action, ref, value);
  return enterInto(action, { ref, entry, facts }, value);
}

/** The value of a field, in the form in which it was filled. */
export function heldBy(facts: ElementFacts, value: FieldValue): FieldValue {
  if (facts.kind === 'text') return facts.value;
  if (facts.kind === 'toggle') return facts.checked;
  if (facts.limits !== undefined) return facts.value;
  if (facts.kind !== 'select') return value;
  const labels = facts.options.filter(option => option.selected).map(option => option.label);
  return Array.isArray(value) ? labels : labels.join(', ');
}

const LIST_POPUPS = new Set<SnapshotNode['popup']>(['listbox', 'menu', 'tree']);

/** Whether a field takes only options, as a read-only text field with a popup does as well. */
function isDropDownField({ node, shown }: RefEntry, { kind, readOnly }: ElementFacts): boolean {
  const isList = shown.role === 'combobox' || shown.role === 'listbox';
  if (kind === 'other') return isList;
  return kind === 'text' && readOnly && (node.popup === undefined ? isList : LIST_POPUPS.has(node.popup));
}

function isMoved(role: string): boolean {
  return role === 'slider' || role === 'spinbutton' || role === 'scrollbar';
}

async function slide(action: Action, ref: string, text: string): Promise<FieldContent> {
  const { value, limits } = await setSlider(action, ref, text);
  const actual = limits?.now ?? value;
  if (numberIn(text) === undefined) return { value };
  return { value, ...(Number(actual) !== Number(text) && { mismatch: { expected: text, actual } }) };
}

interface FormField {
  ref: string;
  entry: RefEntry;
  facts: ElementFacts;
}

/** Enters text. A combobox offers options for it: the one that matches is chosen. */
async function enterInto(action: Action, field: FormField, text: string): Promise<FieldContent> {
  const { ref, entry, facts } = field;
  const isCombobox = entry.shown.role === 'combobox' && facts.hasPopup && text.trim() !== '';
  if (isCombobox) return suggested(action, field, text);
  const { expected } = await enterText(action, ref, { text });
  return holding(action, ref, text, expected);
}

async function holding(action: Action, ref: string, text: string, expected?: string): Promise<FieldContent> {
  const now = await action.readBack(action.entry(ref));
  if (now !== undefined && isHandedOn(now, expected)) return { valueUnknown: HANDED_ON };
  const differs = now && expected !== undefined ? mismatch(now, expected) : undefined;
  return {
    value: now?.value ?? text,
    ...(differs && { mismatch: differs }),
    ...(expected !== undefined && { expected }),
  };
}

async function suggested(action: Action, field: FormField, text: string): Promise<FieldContent> {
  const { ref } = field;
  const offered = await chooseSuggested(action, field, text);
  const { label, list } = offered;
  if (label === undefined) return leftAsTyped(action, field, text, offered);
  const now = await action.readBack(action.entry(ref));
  if (now?.value) return { value: now.value, isChosen: true };
  // A choice empties some fields, which show it beside themselves.
  const { selected, mismatch: differs } = await chosenNow(action, list, [label]);
  return { value: selected.join(', '), isChosen: true, ...(differs && { mismatch: differs }) };
}

/** A combobox that takes only its options discards the text that filters them when it loses the focus. */
async function leftAsTyped(
  action: Action,
  { ref, facts }: FormField,
  text: string,
  { list }: Suggested,
): Promise<FieldContent> {
  await actOn(action, ref, (locator, limits) => locator.blur(limits));
  await untilQuiet(action);
  const held = await holding(action, ref, text, text);
  const isForgotten = held.mismatch !== undefined && (held.value === '' || held.value === facts.value);
  if (!isForgotten) return held;
  const options = listOptions(list.options.map(asOption));
  const offers = options === '' ? '' : `; it offered ${options}`;
  throw new ToolError('invalid_input', `value: ${ref} has no option ${JSON.stringify(text)}${offers}`);
}

/** Models write booleans as strings as well. */
function asBoolean(value: FieldValue): FieldValue {
  return value === 'true' ? true : value === 'false' ? false : value;
}

async function setToggle(action: Action, ref: string, facts: ElementFacts, value: FieldValue): Promise<boolean> {
  if (typeof value !== 'boolean') throw new ToolError('invalid_input', `value: ${ref} expects true or false.`);
  const isRadio = facts.inputType === 'radio' || facts.role === 'radio' || facts.role === 'menuitemradio';
  if (isRadio && !value && facts.checked)
    throw new ToolError(
      'invalid_input',
      `value: ${ref} is a radio button and cannot be cleared: choose another one in its group instead.`,
    );
  if (facts.checked === value) return value;
  await clickElement(action, ref);
  let checked = (await action.readBack())?.checked ?? value;
  if (checked !== value) {
    // Components may render their new state some frames later.
    await delay(action.timings.toggle, undefined, { signal: action.signal });
    checked = (await action.readBack())?.checked ?? value;
  }
  if (checked !== value) throw new ToolError('browser_error', `${ref} is ${checked ? 'still' : 'not'} checked.`);
  return value;
}

/** Finds options by label, else by value, which models use as well. */
async function setSelect(action: Action, ref: string, facts: ElementFacts, value: FieldValue): Promise<FieldValue> {
  if (typeof value === 'boolean')
    throw new ToolError('invalid_input', `value: ${ref} expects one of these options: ${listOptions(facts.options)}`);
  const labels = [value].flat().map(text => {
    const byLabel = facts.options.find(option => option.label === text.trim());
    return (byLabel ?? facts.options.find(option => option.value === text))?.label ?? text;
  });
  await action.choose(ref, { labels });
  const now = await action.readBack();
  return now === undefined ? value : heldBy(now, value);
}
