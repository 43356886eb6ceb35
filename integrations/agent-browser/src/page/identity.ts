import {
  firstElementChild,
  getAttribute,
  hasAttribute,
  nextElementSibling,
  objectDocument,
  tagName,
  textContent,
} from './dom.js';
import { hash, mix } from './element-record.js';
import { hiddenControl } from './interactive.js';
import { nameOf } from './name.js';
import { joinedText } from './name-text.js';
import type { ElementNow } from './protocol.js';
import { roleOf } from './role.js';
import { INLINE_TAGS } from './roles.js';
import { type RowIdentity, Rows } from './rows.js';

/** The low bits of a fingerprint are about all of an element, the high ones about what tells its row beside numbers. */
const ALL_BITS = 2 ** 32;

/** @param words Hash of role, name and what else tells the row; 0 when nothing does. */
function fingerprintFrom(all: number, words: number): number {
  // Never 0, which stands for "any".
  return (words >>> 12) * ALL_BITS + (all || 1);
}

function wordBits(fingerprint: number): number {
  return Math.floor(fingerprint / ALL_BITS);
}

export function isSameText(fingerprint: number, other: number): boolean {
  return fingerprint % ALL_BITS === other % ALL_BITS;
}

/** Whether two elements are called the same in rows that are told by the same words. */
export function hasSameWords(fingerprint: number, other: number): boolean {
  return wordBits(fingerprint) !== 0 && wordBits(fingerprint) === wordBits(other);
}

/** The role that the snapshot gives to what reacts to clicks but has no role of its own. */
export const CLICKABLE = 'clickable';
const IDENTITY_TEXT_LIMIT = 400;
const COMPARED_TEXT = 100_000;

function fingerprintOf(said: number, row: Pick<RowIdentity, 'hash' | 'words'>): number {
  return fingerprintFrom(mix(row.hash, said), row.words === 0 ? 0 : mix(row.words, said));
}

/** Hash of role and name. What is told of a text may be cut; what is compared is not. */
function wholeOf(element: Element, { role, name }: { role: string; name: string }): number {
  const said = saidHash({ role, name });
  return name.length < IDENTITY_TEXT_LIMIT ? said : hash((textContent(element) ?? '').slice(0, COMPARED_TEXT), said);
}

/** Hash of what an element says of itself, whatever its row. */
export function saidHash({ role, name }: { role: string; name: string }): number {
  return hash(name, hash('\0', hash(role)));
}

/** Role and name of an element that can be acted on, as the snapshot tells them. `role` is what `roleOf` says. */
export function identityOf(element: Element, role = roleOf(element)): { role: string; name: string } {
  const tag = tagName(element);
  if (tag === 'LABEL') {
    const control = hiddenControl(element);
    if (control !== undefined) return { role: roleOf(control) || 'button', name: labelOrText(element) };
  } else if (tag === 'IFRAME' || tag === 'FRAME' || objectDocument(element) !== null) {
    return { role: 'iframe', name: nameOf(element, role) || (getAttribute(element, 'name') ?? '') };
  }
  if (role === '' || role === 'none') return { role: CLICKABLE, name: labelOrText(element) };
  const name = nameOf(element, role);
  // Roles that take no name from their content, such as a list item, are told by their text when they can be clicked.
  return { role, name: name === '' && TOLD_BY_TEXT.has(role) ? labelOrText(element) : name };
}

const TOLD_BY_TEXT = new Set([
  'listitem',
  'article',
  'group',
  'paragraph',
  'definition',
  'term',
  'code',
  'figure',
  'row',
  'note',
]);

/** The present state of the element. */
export function describeNow(element: Element): ElementNow {
  const identity = identityOf(element);
  return elementNow(element, identity, new Rows().of(element, identity.name));
}

/** The description of an element with this role and name in this row. */
export function elementNow(
  element: Element,
  { role, name }: { role: string; name: string },
  row: RowIdentity,
): ElementNow {
  const fingerprint = fingerprintOf(wholeOf(element, { role, name }), row);
  return { role, name, row: row.text, fingerprint, ...(row.isBeside && { isBeside: true }) };
}

/**
 * Whether an element is called what it was called, and what is around it says what its row said: rows come and go around
 * the row, and a list of which one is left has no rows. An element that was in none is told by its role and name alone.
 */
export function isStillIn(element: Element, { role, name }: ElementNow, fingerprint: number): boolean {
  const said = wholeOf(element, { role, name });
  for (const row of new Rows().possible(element, name)) {
    if (isSameText(fingerprintOf(said, { hash: row, words: 0 }), fingerprint)) return true;
  }
  return false;
}

/** Whether what an element is called tells all that a person can read in it: a box that scrolls has more to read than its label. */
export function isNameOfWholeElement(element: Element, name: string): boolean {
  if (name.length >= IDENTITY_TEXT_LIMIT) return false;
  const isLabelled = hasAttribute(element, 'aria-label') || hasAttribute(element, 'title');
  return !isLabelled || !hasBlock(element);
}

function hasBlock(element: Element): boolean {
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child))
    if (!INLINE_TAGS.has(tagName(child)) && /\S/.test(textContent(child) ?? '')) return true;
  return false;
}

/** Text of an element that has no accessible name, white space collapsed and cut. */
function labelOrText(element: Element): string {
  const label = getAttribute(element, 'aria-label')?.trim() || getAttribute(element, 'title')?.trim();
  return (label || joinedText(element, 4 * IDENTITY_TEXT_LIMIT))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, IDENTITY_TEXT_LIMIT);
}
