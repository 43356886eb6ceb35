import { getAttribute } from '../dom.js';
import { elementById, tokensOf, treeScopeOf } from '../visibility/tree-scope.js';

/** Fields that offer what one may type. */
const SUGGESTING = new Set(['combobox', 'searchbox', 'textbox']);

/** The lists that the fields of a document offer, as far as they say so (WAI-ARIA 1.2: aria-controls, aria-owns). */
export class Offers {
  readonly #offered = new Set<Element>();

  note(field: Element, role: string): void {
    if (SUGGESTING.has(role)) for (const element of controlledBy(field)) this.#offered.add(element);
  }

  has(element: Element): boolean {
    return this.#offered.size > 0 && this.#offered.has(element);
  }
}

/** The elements that an element says it opens or controls. */
export function controlledBy(element: Element): Element[] {
  const controls = getAttribute(element, 'aria-controls');
  const owns = getAttribute(element, 'aria-owns');
  if (controls === null && owns === null) return [];
  const scope = treeScopeOf(element);
  return tokensOf(`${controls ?? ''} ${owns ?? ''}`).flatMap(id => elementById(scope, id) ?? []);
}
