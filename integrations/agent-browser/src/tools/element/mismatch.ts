import type { ElementFacts } from '../../page/protocol.js';

const SHOWN = 1000;
/** How much of what is alike stands before the first difference. */
const LEAD = 20;

/** How what a field holds differs from what was typed; undefined when it does not, or is a secret. */
export function mismatch(facts: ElementFacts, typed: string): { expected: string; actual: string } | undefined {
  if (facts.holdsPart) return { expected: typed, actual: 'something else, which is not told' };
  if (facts.masked) return undefined;
  const expected = asHeld(facts, typed);
  const actual = asHeld(facts, facts.value);
  if (expected === actual || expected === asHeld(facts, facts.value + (facts.elsewhere ?? ''))) return undefined;
  const from = Math.max(0, firstDifference(expected, actual) - LEAD);
  const start = Math.max(expected.length, actual.length) > SHOWN ? from : 0;
  return { expected: expected.slice(start, start + SHOWN), actual: actual.slice(start, start + SHOWN) };
}

/** Why nobody can tell what a field holds from itself. */
export const HANDED_ON = 'the field hands its text on, and the page shows it elsewhere';

/** Whether a page takes the text of a field away: what is left in it, or still is, says nothing of what the page holds. */
export function isHandedOn(facts: ElementFacts, typed: string | undefined): boolean {
  if (!facts.sink) return false;
  return facts.heedsInput === true || (typed !== undefined && mismatch(facts, typed) !== undefined);
}

/** Changes that a field makes to any text by itself (HTML, value sanitization) are no difference. */
function asHeld({ tag, inputType }: ElementFacts, text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (tag === 'textarea') return lines;
  // Editable elements hold paragraphs, which have no one way to be written as text.
  if (tag !== 'input') return lines.replace(/\s+/g, ' ').trim();
  if (inputType === 'color') return lines.trim().toLowerCase();
  return inputType === 'text' || inputType === 'search' || inputType === 'tel' ? lines : lines.trim();
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
