import { getAttribute, getAttributeNames, hasAttribute, matches } from '../dom.js';
import { flatParentOf, tagOf, tokensOf } from '../visibility/tree-scope.js';
import { isBlank } from './name-text.js';
import { childOf } from '../visibility/tree-scope.js';
import { hasAriaName, hasAuthorName } from './references.js';
import { headerCellRole, isInSection, isInSectionOrMain, listItemRole, tableAround } from './role-context.js';
import { GLOBAL_ATTRIBUTES, NAMELESS_ROLES, ROLE_OF_INPUT_TYPE, ROLE_OF_TAG, ROLE_OF_TOKEN } from './role-table.js';

/** The WAI-ARIA role of an element, `'none'` for a presentational one, `''` for one without a role. */
export function roleOf(element: Element): string {
  const attribute = getAttribute(element, 'role');
  if (attribute !== null && attribute !== '') {
    const explicit = explicitRole(element, attribute);
    if (explicit !== undefined) return explicit;
  }
  return implicitRole(element);
}

function implicitRole(element: Element): string {
  const tag = tagOf(element);
  return ROLE_OF_TAG.get(tag) ?? ROLE_IN_CONTEXT.get(tag)?.(element) ?? '';
}

/** The first token that applies; undefined when none does (WAI-ARIA 1.2, 9.1; CORE-AAM 1.2, role mapping). */
function explicitRole(element: Element, attribute: string): string | undefined {
  const single = ROLE_OF_TOKEN.get(attribute);
  if (single !== undefined) return roleIfFit(element, single);
  for (const token of tokensOf(attribute)) {
    const role = ROLE_OF_TOKEN.get(token.toLowerCase());
    const fit = role === undefined ? undefined : roleIfFit(element, role);
    if (fit !== undefined) return fit;
  }
  return undefined;
}

function roleIfFit(element: Element, role: string): string | undefined {
  switch (role) {
    case 'none': {
      const implicit = implicitRole(element);
      return resistsPresentation(element, implicit) ? implicit : 'none';
    }
    case 'form':
    case 'region':
      return hasAuthorName(element) ? role : undefined;
    case 'listitem':
      return listItemRole(element, roleOf) === '' ? undefined : role;
    default:
      return role;
  }
}

/** Presentational roles conflict resolution (WAI-ARIA 1.2, 5.3.3). */
function resistsPresentation(element: Element, implicit: string): boolean {
  for (const name of getAttributeNames(element)) {
    if (!name.startsWith('aria-') || !GLOBAL_ATTRIBUTES.has(name)) continue;
    if (name === 'aria-label' || name === 'aria-labelledby') {
      if (implicit !== '' && !NAMELESS_ROLES.has(implicit) && hasAriaName(element)) return true;
    } else if (!isBlank(getAttribute(element, name))) return true;
  }
  return isFocusable(element);
}

const FOCUSABLE_TAGS = new Set(['button', 'input', 'select', 'textarea', 'summary', 'iframe']);
const INTEGER = /^[\t\n\f\r ]*[+-]?\d/;

function isFocusable(element: Element): boolean {
  if (matches(element, ':disabled')) return false;
  const tag = tagOf(element);
  if (FOCUSABLE_TAGS.has(tag)) return tag !== 'input' || (element as HTMLInputElement).type !== 'hidden';
  if (tag === 'a' || tag === 'area' || tag === 'svg:a') return isLink(element);
  if ((tag === 'audio' || tag === 'video') && hasAttribute(element, 'controls')) return true;
  const editable = getAttribute(element, 'contenteditable');
  return INTEGER.test(getAttribute(element, 'tabindex') ?? '') || (editable !== null && editable !== 'false');
}

const isLink = (element: Element) => hasAttribute(element, 'href') || hasAttribute(element, 'xlink:href');

function cellRole(cell: Element, role: (cell: Element) => string): string {
  const kind = tableAround(cell, roleOf);
  if (kind === 'none' || kind === '') return kind;
  const own = role(cell);
  return own === 'cell' && kind === 'grid' ? 'gridcell' : own;
}

function rowRole(part: Element, role: string): string {
  const kind = tableAround(part, roleOf);
  return kind === 'none' || kind === '' ? kind : role;
}

function inputRole(element: Element): string {
  const { type, list } = element as HTMLInputElement;
  const role = ROLE_OF_INPUT_TYPE.get(type);
  if (role !== undefined) return role;
  if (SUGGESTING_TYPES.has(type) && hasAttribute(element, 'list') && list !== null) return 'combobox';
  return type === 'search' ? 'searchbox' : 'textbox';
}

const SUGGESTING_TYPES = new Set(['email', 'search', 'tel', 'text', 'url']);

/** An image that its author declared empty is decoration, unless something else says otherwise. */
function imageRole(element: Element): string {
  if (getAttribute(element, 'alt') !== '') return 'img';
  return hasAuthorName(element) || resistsPresentation(element, 'img') ? 'img' : 'none';
}

function selectRole(element: Element): string {
  const select = element as HTMLSelectElement;
  return select.multiple || select.size > 1 ? 'listbox' : 'combobox';
}

/** HTML-AAM gives the summary of a details no ARIA role; what every platform shows is a button that expands. */
function summaryRole(element: Element): string {
  const parent = flatParentOf(element);
  return parent !== null && tagOf(parent) === 'details' && matches(element, ':first-of-type') ? 'button' : '';
}

const asLink = (element: Element) => (isLink(element) ? 'link' : '');
/** SVG-AAM 5.1.2: shapes and groups are exposed only when somebody described them. */
const ifNamed = (role: string) => (element: Element) =>
  hasAriaName(element) || childOf(element, 'svg:title') !== undefined ? role : '';
const symbolIfNamed = ifNamed('graphics-symbol');
const groupIfNamed = ifNamed('group');

/** Roles that depend on attributes or surroundings (HTML-AAM 3.5, SVG-AAM 6.2). */
const ROLE_IN_CONTEXT: ReadonlyMap<string, (element: Element) => string> = new Map([
  ['a', asLink],
  ['area', asLink],
  ['aside', element => (isInSection(element) && !hasAuthorName(element) ? '' : 'complementary')],
  ['footer', element => (isInSectionOrMain(element) ? '' : 'contentinfo')],
  ['form', element => (hasAuthorName(element) ? 'form' : '')],
  ['header', element => (isInSectionOrMain(element) ? '' : 'banner')],
  ['img', imageRole],
  ['input', inputRole],
  ['li', element => listItemRole(element, roleOf)],
  ['section', element => (hasAuthorName(element) ? 'region' : '')],
  ['select', selectRole],
  ['summary', summaryRole],
  ['tbody', element => rowRole(element, 'rowgroup')],
  ['td', element => cellRole(element, () => 'cell')],
  ['tfoot', element => rowRole(element, 'rowgroup')],
  ['th', element => cellRole(element, headerCellRole)],
  ['thead', element => rowRole(element, 'rowgroup')],
  ['tr', element => rowRole(element, 'row')],
  ['svg:a', asLink],
  ['svg:circle', symbolIfNamed],
  ['svg:ellipse', symbolIfNamed],
  ['svg:foreignObject', groupIfNamed],
  ['svg:g', groupIfNamed],
  ['svg:line', symbolIfNamed],
  ['svg:path', symbolIfNamed],
  ['svg:polygon', symbolIfNamed],
  ['svg:polyline', symbolIfNamed],
  ['svg:rect', symbolIfNamed],
  ['svg:use', symbolIfNamed],
]);
