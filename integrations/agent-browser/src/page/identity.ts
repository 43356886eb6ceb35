import { getAttribute, tagName, textContent } from './dom.js';
import { hiddenControl } from './interactive.js';
import { nameOf } from './name.js';
import type { ElementNow } from './protocol.js';
import { roleOf } from './role.js';
import { Rows } from './row.js';

/** The role that the snapshot gives to what reacts to clicks but has no role of its own. */
const CLICKABLE = 'clickable';
const TEXT_LIMIT = 400;

/** Adds a text to a running 32-bit hash (FNV-1a over UTF-16 code units). */
export function hash(text: string, seed = 0x811c9dc5): number {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

export function fingerprintOf(role: string, name: string, row: string): number {
  // Never 0, which stands for "any".
  return hash(row, hash('\0', hash(name, hash('\0', hash(role))))) || 1;
}

/** Role and name of an element that can be acted on, as the snapshot tells them. `role` is what `roleOf` says. */
export function identityOf(element: Element, role = roleOf(element)): { role: string; name: string } {
  const tag = tagName(element);
  if (tag === 'LABEL') {
    const control = hiddenControl(element);
    if (control !== undefined) return { role: roleOf(control) || 'button', name: textOf(element) };
  } else if (tag === 'IFRAME' || tag === 'FRAME') {
    return { role: 'iframe', name: nameOf(element, role) || (getAttribute(element, 'name') ?? '') };
  }
  if (role === '' || role === 'none') return { role: CLICKABLE, name: textOf(element) };
  return { role, name: nameOf(element, role) };
}

/** What the element is at this moment. */
export function describeNow(element: Element, rows = new Rows()): ElementNow {
  const { role, name } = identityOf(element);
  const row = rows.textFor(element, name);
  return { role, name, row, fingerprint: fingerprintOf(role, name, row) };
}

/** Text of an element that has no accessible name, white space collapsed and cut. */
function textOf(element: Element): string {
  const label = getAttribute(element, 'aria-label')?.trim() || getAttribute(element, 'title')?.trim();
  return (label || (textContent(element) ?? '').slice(0, 4 * TEXT_LIMIT))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, TEXT_LIMIT);
}
