import { firstElementChild, getAttribute, nextElementSibling, previousElementSibling, tagName } from '../dom.js';
import { shadowRootOf } from '../visibility/tree-scope.js';

const ROW_TAGS = new Set(['LI', 'TR', 'ARTICLE', 'OPTION', 'DT', 'DD']);
const ROW_ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'menuitem']);
/** Elements that stand beside others of their kind without being a row. */
const NEVER_ROWS = new Set(['TD', 'TH', 'TBODY', 'BODY', 'HEAD', 'SLOT']);

/** An element that says itself that it is a row. */
export function isDeclaredRow(element: Element): boolean {
  if (ROW_TAGS.has(tagName(element))) return true;
  const role = getAttribute(element, 'role');
  return role !== null && ROW_ROLES.has(role);
}

/** Pages use one dialog for many questions. */
export function isDialog(element: Element): boolean {
  if (tagName(element) === 'DIALOG') return true;
  const role = getAttribute(element, 'role');
  return role === 'dialog' || role === 'alertdialog';
}

/** A card: it looks like a sibling, or like the next but one, for rules and advertisements stand between cards. */
export function looksLikeRow(element: Element): boolean {
  if (NEVER_ROWS.has(tagName(element)) || (firstElementChild(element) === null && shadowRootOf(element) == null)) {
    return false;
  }
  return twinOf(element) !== undefined;
}

/** A neighbour that looks like the element. */
export function twinOf(element: Element): Element | undefined {
  return twinBeside(element, nextElementSibling) ?? twinBeside(element, previousElementSibling);
}

function twinBeside(element: Element, step: (from: Element) => Element | null): Element | undefined {
  const beside = step(element);
  if (beside === null) return undefined;
  if (areAlike(element, beside)) return beside;
  const behind = step(beside);
  return behind !== null && areAlike(element, behind) ? behind : undefined;
}

/** Alike in tag and class, or in what they begin with where the class tells rows apart (odd, even, active). */
function areAlike(a: Element, b: Element): boolean {
  const tag = tagName(a);
  if (tagName(b) !== tag) return false;
  const names = getAttribute(a, 'class');
  if (names !== null && names !== '' && names === getAttribute(b, 'class')) return true;
  if (tag.includes('-')) return true;
  const first = firstElementChild(a);
  const other = firstElementChild(b);
  return (
    first !== null &&
    other !== null &&
    tagName(first) === tagName(other) &&
    getAttribute(first, 'class') === getAttribute(other, 'class')
  );
}
