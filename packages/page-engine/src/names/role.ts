import {
  attributeTokens,
  childOf,
  closest,
  closestAcrossShadows,
  firstElementChild,
  flatParentOf,
  getAttribute,
  getAttributeNames,
  hasAttribute,
  isBlank,
  matches,
  nextElementSibling,
  previousElementSibling,
  queryAll,
  referencedElements,
  tagOf,
  textContent,
  treeScopeOf,
} from '../dom/dom.js';
import { getOrInsert } from '../dom/get-or-insert.js';
import { currentPass, type Pass } from './generated-content.js';
import { GLOBAL_ATTRIBUTES, NAMELESS_ROLES, ROLE_OF_INPUT_TYPE, ROLE_OF_TAG, ROLE_OF_TOKEN } from './roles.js';

const NO_ELEMENTS: readonly Element[] = [];
/** The getter of a property that the oldest supported browser lacks. */
const labelElements = Object.getOwnPropertyDescriptor(Element.prototype, 'ariaLabelledByElements')?.get;

/** The elements that aria-labelledby references, in its order. Browsers read the misspelt attribute too. */
export function labellersOf(element: Element): readonly Element[] {
  const ids = getAttribute(element, 'aria-labelledby') ?? getAttribute(element, 'aria-labeledby');
  if (ids === null) return NO_ELEMENTS;
  // Elements set by script (ARIA reflection) leave an empty attribute.
  if (ids === '') return (labelElements?.call(element) as readonly Element[] | null | undefined) ?? NO_ELEMENTS;
  return referencedElements(element, ids);
}

export function ownedBy(element: Element): readonly Element[] {
  const ids = getAttribute(element, 'aria-owns');
  return ids === null ? NO_ELEMENTS : referencedElements(element, ids);
}

/** The element that owns this one by aria-owns. */
function ownerOf(element: Element, pass: Pass): Element | undefined {
  const id = getAttribute(element, 'id');
  if (id === null || id === '') return undefined;
  const scope = treeScopeOf(element);
  return getOrInsert(pass.owners, scope, ownersIn).get(id);
}

function ownersIn(scope: Node): Map<string, Element> {
  const owners = new Map<string, Element>();
  for (const owner of queryAll(scope, '[aria-owns]')) {
    for (const owned of attributeTokens(getAttribute(owner, 'aria-owns') ?? ''))
      getOrInsert(owners, owned, () => owner);
  }
  return owners;
}

/** Whether aria-labelledby or aria-label gives a name: an empty one counts as absent (WAI-ARIA 1.2, 8.6). */
function hasAriaName(element: Element): boolean {
  if (!isBlank(getAttribute(element, 'aria-label'))) return true;
  for (const labeller of labellersOf(element)) if (givesName(labeller)) return true;
  return false;
}

/** Whether the author named the element, so that it can be a landmark. */
function hasAuthorName(element: Element): boolean {
  const { named } = currentPass();
  return getOrInsert(named, element, () => hasAriaName(element) || !isBlank(getAttribute(element, 'title')));
}

const SPEAKING_ATTRIBUTES = ['aria-label', 'alt', 'title', 'value', 'placeholder'];

function givesName(element: Element): boolean {
  return !isBlank(textContent(element)) || SPEAKING_ATTRIBUTES.some(name => !isBlank(getAttribute(element, name)));
}

const LIST_TAGS = new Set(['ul', 'ol', 'menu', 'dir']);
/** Frameworks put a few wrappers between a list and its items, not dozens. */
const MOST_PRESENTATIONAL_ANCESTORS = 20;

const isListRole = (role: string) => role === 'list' || role === 'directory';

/** The role of a list item: `listitem` in a list, `none` in a presentational one, otherwise no role (HTML-AAM, li). */
function listItemRole(item: Element): string {
  const pass = currentPass();
  const parent = flatParentOf(item);
  const role = parent === null ? '' : getOrInsert(pass.listContext, parent, itemRoleBelow);
  if (role !== '') return role;
  const owner = ownerOf(item, pass);
  return owner !== undefined && !isItem(owner) && isListRole(roleOf(owner)) ? 'listitem' : '';
}

function itemRoleBelow(parent: Element): string {
  let ancestor: Element | null = parent;
  for (let wrappers = 0; ancestor !== null && wrappers < MOST_PRESENTATIONAL_ANCESTORS; wrappers++) {
    // Computing an item's own role would inspect its surroundings in turn.
    if (isItem(ancestor)) return '';
    const role = roleOf(ancestor);
    if (isListRole(role)) return 'listitem';
    if (role === 'none' && LIST_TAGS.has(tagOf(ancestor))) return 'none';
    // A link around whole items is invalid and common.
    if (role !== '' && role !== 'none' && role !== 'link') return '';
    ancestor = flatParentOf(ancestor);
  }
  return '';
}

function isItem(element: Element): boolean {
  return tagOf(element) === 'li' || /listitem/i.test(getAttribute(element, 'role') ?? '');
}

const TABLE_PARTS = new Set(['tr', 'tbody', 'thead', 'tfoot']);

/** The kind of table around a row group, row or cell: `table`, `grid`, `none`, or `''` for anything else. */
function tableAround(part: Element): string {
  const parent = flatParentOf(part);
  if (parent === null) return 'table';
  return getOrInsert(currentPass().tableContext, parent, tableFrom);
}

/** The required parts of a table inherit its presentational role (WAI-ARIA 1.2, presentational roles). */
function tableFrom(start: Element): string {
  for (let ancestor: Element | null = start; ancestor !== null; ancestor = flatParentOf(ancestor)) {
    const tag = tagOf(ancestor);
    if (tag === 'table') return kindOfTable(roleOf(ancestor));
    if (!TABLE_PARTS.has(tag)) return 'table';
    if (getAttribute(ancestor, 'role') !== null && roleOf(ancestor) === 'none') return 'none';
  }
  return 'table';
}

function kindOfTable(role: string): string {
  if (role === 'treegrid') return 'grid';
  return role === 'table' || role === 'grid' || role === 'none' ? role : '';
}

/** Whether a header cell heads its column, its row or nothing (HTML, assigning header cells, simplified). */
function headerCellRole(cell: Element): string {
  const scope = getAttribute(cell, 'scope')?.toLowerCase();
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  const next = nextElementSibling(cell);
  const previous = previousElementSibling(cell);
  if (next === null && previous === null) return isOnlyRow(cell) ? '' : 'columnheader';
  if (isTag(next, 'th') && isTag(previous, 'th')) return 'columnheader';
  return isFilledDataCell(next) || isFilledDataCell(previous) ? 'rowheader' : 'columnheader';
}

function isOnlyRow(cell: Element): boolean {
  const table = closest(cell, 'table');
  return table instanceof HTMLTableElement && table.rows.length <= 1;
}

const isTag = (element: Element | null, tag: string) => element !== null && tagOf(element) === tag;

function isFilledDataCell(element: Element | null): boolean {
  if (element === null || tagOf(element) !== 'td') return false;
  return firstElementChild(element) !== null || !isBlank(textContent(element));
}

const SECTIONS = `article:not([role]), aside:not([role]), nav:not([role]), section:not([role]), [role="article" i],
  [role="complementary" i], [role="navigation" i], [role="region" i]`;
const SECTIONS_AND_MAIN = `${SECTIONS}, main:not([role]), [role="main" i]`;

/** Headers and footers of a section are not landmarks of the page. */
function isBelow(sections: string, element: Element): boolean {
  return closestAcrossShadows(flatParentOf(element), sections) !== null;
}

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
  for (const token of attributeTokens(attribute)) {
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
      return listItemRole(element) === '' ? undefined : role;
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
  const kind = tableAround(cell);
  if (kind === 'none' || kind === '') return kind;
  const own = role(cell);
  return own === 'cell' && kind === 'grid' ? 'gridcell' : own;
}

function rowRole(part: Element, role: string): string {
  const kind = tableAround(part);
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

/** An image with an empty `alt` is decoration, unless something else exposes it. */
function imageRole(element: Element): string {
  if (getAttribute(element, 'alt') !== '') return 'img';
  return hasAuthorName(element) || resistsPresentation(element, 'img') ? 'img' : 'none';
}

function selectRole(element: Element): string {
  const select = element as HTMLSelectElement;
  return select.multiple || select.size > 1 ? 'listbox' : 'combobox';
}

/** HTML-AAM gives a `summary` no ARIA role; every platform exposes it as a button that expands. */
function summaryRole(element: Element): string {
  const parent = flatParentOf(element);
  return parent !== null && tagOf(parent) === 'details' && matches(element, ':first-of-type') ? 'button' : '';
}

const asLink = (element: Element) => (isLink(element) ? 'link' : '');
/** SVG-AAM 5.1.2: shapes and groups are exposed only when they are named. */
const ifNamed = (role: string) => (element: Element) =>
  hasAriaName(element) || childOf(element, 'svg:title') !== undefined ? role : '';
const symbolIfNamed = ifNamed('graphics-symbol');
const groupIfNamed = ifNamed('group');

/** Roles that depend on attributes or surroundings (HTML-AAM 3.5, SVG-AAM 6.2). */
const ROLE_IN_CONTEXT: ReadonlyMap<string, (element: Element) => string> = new Map([
  ['a', asLink],
  ['area', asLink],
  ['aside', element => (isBelow(SECTIONS, element) && !hasAuthorName(element) ? '' : 'complementary')],
  ['footer', element => (isBelow(SECTIONS_AND_MAIN, element) ? '' : 'contentinfo')],
  ['form', element => (hasAuthorName(element) ? 'form' : '')],
  ['header', element => (isBelow(SECTIONS_AND_MAIN, element) ? '' : 'banner')],
  ['img', imageRole],
  ['input', inputRole],
  ['li', listItemRole],
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
