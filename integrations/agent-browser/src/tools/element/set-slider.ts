import { ToolError } from '../../outcome/errors.js';
import type { ElementFacts } from '../../page/protocol.js';
import { describeTold } from '../../refs/told.js';
import type { Action } from '../call/action.js';
import { actOn } from '../call/attempt.js';
import { drawn, taken } from '../call/page-waits.js';
import { limitsOf, numberIn } from './whole-value.js';

/** Keys at most: a slider of more steps jumps by pages. */
const MOST_KEYS = 300;
/** Pairs of keys that raise and lower a value (ARIA Authoring Practices, slider and spinbutton), the finest last. */
const WAYS = [
  ['PageUp', 'PageDown'],
  ['ArrowUp', 'ArrowDown'],
  ['ArrowRight', 'ArrowLeft'],
] as const;
/** Fractions of numbers are no exact ones. */
const NEAR = 1e-6;

/**
 * Sets a slider or spin button that is made of other elements, by its keys. Answers with the value that it shows then, which
 * is the nearest below or above where it has no step there.
 * @throws ToolError `invalid_input` for what is no number within its limits, `not_editable` when no key moves it.
 */
export async function setSlider(action: Action, ref: string, text: string): Promise<ElementFacts> {
  const { facts } = await action.factsOf(ref);
  const wanted = Number(numberIn(text));
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = facts.limits ?? {};
  const what = `${ref} (${describeTold(facts)})`;
  if (numberIn(text) === undefined || wanted < Number(min) || wanted > Number(max))
    throw new ToolError('invalid_input', `value: ${what} needs a number${limitsOf(facts)}.`);
  if (isAt(facts, wanted)) return facts;
  await actOn(action, ref, (locator, limits) => locator.focus(limits), { to: 'focus' });
  let now = facts;
  let isMoved = false;
  for (const keys of WAYS) {
    if (isAt(now, wanted)) break;
    const moved = await move(action, { now, wanted, keys });
    isMoved ||= numberOf(moved) !== numberOf(now);
    now = moved;
  }
  if (!isMoved)
    throw new ToolError('not_editable', `${what} is moved by none of the keys that sliders know: drag its handle.`);
  return now;
}

interface Moving {
  now: ElementFacts;
  wanted: number;
  keys: readonly [up: string, down: string];
}

/** Presses one pair of keys as long as it brings the value nearer. */
async function move(action: Action, { now, wanted, keys: [up, down] }: Moving): Promise<ElementFacts> {
  let [facts, pressed] = [now, 0];
  while (!isAt(facts, wanted) && pressed < MOST_KEYS) {
    const before = numberOf(facts);
    const isBelow = before < wanted;
    const next = await press(action, isBelow ? up : down, 1);
    const step = numberOf(next) - before;
    pressed++;
    // A step too far: finer keys go on from here, or from where it came from.
    if (Math.abs(wanted - numberOf(next)) >= Math.abs(wanted - before) - NEAR) {
      return step === 0 || up !== 'PageUp' ? back(action, { facts, next, key: isBelow ? down : up }) : next;
    }
    const count = Math.min(MOST_KEYS - pressed, Math.floor(Math.abs((wanted - numberOf(next)) / step) + NEAR));
    facts = count > 0 ? await press(action, isBelow ? up : down, count) : next;
    pressed += count;
  }
  return facts;
}

/** Undoes a step that led away from the value. */
async function back(
  action: Action,
  { facts, next, key }: { facts: ElementFacts; next: ElementFacts; key: string },
): Promise<ElementFacts> {
  return numberOf(next) === numberOf(facts) ? next : press(action, key, 1);
}

async function press(action: Action, key: string, count: number): Promise<ElementFacts> {
  for (let index = 0; index < count; index++) await taken(action, action.tab.page.keyboard.press(key));
  action.hasBegun = true;
  await drawn(action);
  const facts = await action.readBack();
  if (facts === undefined) throw new ToolError('stale_ref', 'The slider is gone: a key took it away.');
  return facts;
}

function numberOf({ limits, value }: ElementFacts): number {
  return Number(limits?.now ?? value);
}

function isAt(facts: ElementFacts, wanted: number): boolean {
  return Math.abs(numberOf(facts) - wanted) < NEAR;
}
