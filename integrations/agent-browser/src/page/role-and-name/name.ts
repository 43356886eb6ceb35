import { firstChild, getAttribute, hasAttribute, nextSibling, nodeType } from '../dom.js';
import { renderingOf } from '../visibility/rendering.js';
import { hasAria, tagOf, treeScopeOf } from '../visibility/tree-scope.js';
import { generatedTextOf } from './generated-text.js';
import { labelsOf } from './labels.js';
import { isBlank, tidy } from './name-text.js';
import { FROM_CONTENT, NameWalk } from './name-walk.js';
import { nativeNameOf, placeholderOf } from './native-name.js';
import { currentPass } from './pass.js';
import { NAMELESS_ROLES } from './role-table.js';

export { beginPass, endPass } from './pass.js';

/** Roles named by what is in them (WAI-ARIA 1.2, 5.2.8.5; DPUB-ARIA 1.1). */
const NAMED_BY_CONTENT = new Set(
  `button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
  rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle`.split(/\s+/),
);

/** Roles that, before they stay nameless, are named by all of their content, as AccName 1.2 has it (2H). */
const NAMED_BY_ALL_CONTENT = new Set(['button', 'checkbox', 'heading', 'link', 'option', 'radio', 'switch', 'tab']);

/**
 * The accessible name of an element, `''` when it has none or its role prohibits one. `role` is what `roleOf` returned.
 * An element without a role has only the name that its author gave it.
 */
export function nameOf(element: Element, role: string): string {
  if (NAMELESS_ROLES.has(role)) return '';
  const tag = tagOf(element);
  return plainName(element, role, tag) ?? fullName(element, role, tag);
}

/** What an element without a text field in it shows as its value: the option chosen in it, or its own text. */
export function shownValue(element: Element, role: string): string {
  const walk = new NameWalk(element);
  walk.start(FROM_CONTENT);
  walk.addEmbedded(tagOf(element), role);
  return walk.result();
}

/** Most elements have no name or are named by the one text inside them; undefined for the others. */
function plainName(element: Element, role: string, tag: string): string | undefined {
  if (hasAria(element) && hasAriaLabelling(element)) return undefined;
  if (hasNativeName(element, tag)) return undefined;
  return NAMED_BY_CONTENT.has(role) ? onlyText(element) : lastResort(element, role, tag);
}

function hasAriaLabelling(element: Element): boolean {
  return (
    hasAttribute(element, 'aria-label') ||
    hasAttribute(element, 'aria-labelledby') ||
    hasAttribute(element, 'aria-labeledby')
  );
}

function hasNativeName(element: Element, tag: string): boolean {
  if (tag === 'button') return labelsOf(element, currentPass()).length > 0;
  return nativeNameOf(tag) !== undefined;
}

function onlyText(element: Element): string | undefined {
  const child = firstChild(element);
  if (child === null || nodeType(child) !== Node.TEXT_NODE || nextSibling(child) !== null) return undefined;
  const { data } = child as Text;
  if (isBlank(data) || hasAttribute(element, 'aria-owns')) return undefined;
  return generatedTextOf(element, treeScopeOf(element), currentPass()) === undefined ? tidy(data) : undefined;
}

function fullName(element: Element, role: string, tag: string): string {
  const walk = new NameWalk(element);
  if (hasAria(element)) {
    if (walk.addLabellers(element) && walk.result() !== '') return walk.result();
    const label = getAttribute(element, 'aria-label');
    if (!isBlank(label)) return tidy(label);
  }
  walk.start(FROM_CONTENT);
  nativeNameOf(tag)?.(element, walk);
  return walk.result() || contentName(walk, element, role, tag);
}

function contentName(walk: NameWalk, element: Element, role: string, tag: string): string {
  const byContent = NAMED_BY_CONTENT.has(role);
  if (byContent) {
    const content = contentOf(walk, element, tag);
    if (content !== '') return content;
  }
  const title = lastResort(element, role, tag);
  if (title !== '' || !byContent) return title;
  // An element that is not rendered keeps the name that it would have.
  const includeHidden = renderingOf(element) === 'none';
  if (!includeHidden && !NAMED_BY_ALL_CONTENT.has(role)) return '';
  walk.start({ includeHidden, byReference: false, everything: true });
  walk.addContent(element, tag);
  return walk.result();
}

function contentOf(walk: NameWalk, element: Element, tag: string): string {
  const known = currentPass().contents.get(element);
  if (known !== undefined) return isBlank(known) ? '' : known;
  walk.start(FROM_CONTENT);
  walk.addContent(element, tag);
  return walk.result();
}

/** 2I: the tooltip, and what a field shows while it is empty. */
function lastResort(element: Element, role: string, tag: string): string {
  const title = getAttribute(element, 'title');
  return tidy(isBlank(title) ? (placeholderOf(element, tag, role) ?? '') : title);
}
