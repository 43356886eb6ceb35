import { getAttribute, textContent } from '../dom.js';
import { elementById, queryAll, tokensOf, treeScopeOf } from '../visibility/tree-scope.js';
import { isBlank } from './name-text.js';
import { currentPass, type Pass } from './pass.js';

const NO_ELEMENTS: readonly Element[] = [];
/** Newer than the oldest browser that this runs in. */
const labelElements = Object.getOwnPropertyDescriptor(Element.prototype, 'ariaLabelledByElements')?.get;

/** The elements that aria-labelledby names, in its order. Browsers read the misspelt attribute too. */
export function labellersOf(element: Element): readonly Element[] {
  const ids = getAttribute(element, 'aria-labelledby') ?? getAttribute(element, 'aria-labeledby');
  if (ids === null) return NO_ELEMENTS;
  // Elements set by script (ARIA reflection) leave an empty attribute.
  if (ids === '') return (labelElements?.call(element) as readonly Element[] | null | undefined) ?? NO_ELEMENTS;
  return elementsOf(element, ids);
}

function elementsOf(element: Element, ids: string): readonly Element[] {
  const scope = treeScopeOf(element);
  const elements: Element[] = [];
  for (const id of tokensOf(ids)) {
    const target = elementById(scope, id);
    if (target !== null) elements.push(target);
  }
  return elements;
}

export function ownedBy(element: Element): readonly Element[] {
  const ids = getAttribute(element, 'aria-owns');
  return ids === null ? NO_ELEMENTS : elementsOf(element, ids);
}

/** The element that says by aria-owns that this one is its child. */
export function ownerOf(element: Element, pass: Pass): Element | undefined {
  const id = getAttribute(element, 'id');
  if (id === null || id === '') return undefined;
  const scope = treeScopeOf(element);
  let owners = pass.owners.get(scope);
  if (owners === undefined) {
    owners = new Map();
    for (const owner of queryAll(scope, '[aria-owns]')) {
      for (const owned of tokensOf(getAttribute(owner, 'aria-owns') ?? ''))
        if (!owners.has(owned)) owners.set(owned, owner);
    }
    pass.owners.set(scope, owners);
  }
  return owners.get(id);
}

/** Whether aria-labelledby or aria-label really gives a name: an empty one counts as absent (WAI-ARIA 1.2, 8.6). */
export function hasAriaName(element: Element): boolean {
  if (!isBlank(getAttribute(element, 'aria-label'))) return true;
  for (const labeller of labellersOf(element)) if (saysSomething(labeller)) return true;
  return false;
}

/** Whether the author named the element, so that it can be a landmark. */
export function hasAuthorName(element: Element): boolean {
  const { named } = currentPass();
  let answer = named.get(element);
  if (answer === undefined) {
    answer = hasAriaName(element) || !isBlank(getAttribute(element, 'title'));
    named.set(element, answer);
  }
  return answer;
}

const SPEAKING_ATTRIBUTES = ['aria-label', 'alt', 'title', 'value', 'placeholder'];

function saysSomething(element: Element): boolean {
  return !isBlank(textContent(element)) || SPEAKING_ATTRIBUTES.some(name => !isBlank(getAttribute(element, name)));
}
