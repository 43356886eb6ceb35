import {
  closest,
  firstChild,
  firstElementChild,
  getAttribute,
  nextElementSibling,
  nextSibling,
  nodeType,
  previousElementSibling,
} from '../dom.js';
import { closestAcrossShadows, flatParentOf, tagOf } from '../visibility/tree-scope.js';
import { isBlank } from './name-text.js';
import { currentPass } from './pass.js';
import { ownerOf } from './references.js';

/** Given by `role.ts`: what an element around the one in question is. */
export type RoleOf = (element: Element) => string;

const LIST_TAGS = new Set(['ul', 'ol', 'menu', 'dir']);
/** Frameworks put a few wrappers between a list and its items, not dozens. */
const MOST_WRAPPERS = 20;

const isList = (role: string) => role === 'list' || role === 'directory';

/** The role of a list item: itself in a list, none in one that is presentational, otherwise no role (HTML-AAM, li). */
export function listItemRole(item: Element, roleOf: RoleOf): string {
  const pass = currentPass();
  const parent = flatParentOf(item);
  let role = '';
  if (parent !== null) {
    role = pass.listContext.get(parent) ?? itemRoleBelow(parent, roleOf);
    pass.listContext.set(parent, role);
  }
  if (role !== '') return role;
  const owner = ownerOf(item, pass);
  return owner !== undefined && !isItem(owner) && isList(roleOf(owner)) ? 'listitem' : '';
}

function itemRoleBelow(parent: Element, roleOf: RoleOf): string {
  let ancestor: Element | null = parent;
  for (let wrappers = 0; ancestor !== null && wrappers < MOST_WRAPPERS; wrappers++) {
    // An item's own role would ask about its surroundings in turn.
    if (isItem(ancestor)) return '';
    const role = roleOf(ancestor);
    if (isList(role)) return 'listitem';
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

/** The kind of table around a row group, row or cell: `table`, `grid`, `none`, or '' when it is something else. */
export function tableAround(part: Element, roleOf: RoleOf): string {
  const parent = flatParentOf(part);
  if (parent === null) return 'table';
  const { tableContext } = currentPass();
  const known = tableContext.get(parent);
  if (known !== undefined) return known;
  const kind = tableFrom(parent, roleOf);
  tableContext.set(parent, kind);
  return kind;
}

/** Presentation is inherited by the parts that a table requires (WAI-ARIA 1.2, presentational roles). */
function tableFrom(start: Element, roleOf: RoleOf): string {
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

/** Whether a header cell heads its column, its row, or nothing (HTML, algorithm for assigning header cells, in short). */
export function headerCellRole(cell: Element): string {
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
  if (firstElementChild(element) !== null) return true;
  for (let child = firstChild(element); child !== null; child = nextSibling(child)) {
    if (nodeType(child) === Node.TEXT_NODE && !isBlank((child as Text).data)) return true;
  }
  return false;
}

const SECTIONS = `article:not([role]), aside:not([role]), nav:not([role]), section:not([role]), [role="article" i],
  [role="complementary" i], [role="navigation" i], [role="region" i]`;
const SECTIONS_AND_MAIN = `${SECTIONS}, main:not([role]), [role="main" i]`;

/** Headers and footers of a part of the page are no landmarks of the page. */
export function isInSectionOrMain(element: Element): boolean {
  return closestAcrossShadows(flatParentOf(element), SECTIONS_AND_MAIN) !== null;
}

export function isInSection(element: Element): boolean {
  return closestAcrossShadows(flatParentOf(element), SECTIONS) !== null;
}
