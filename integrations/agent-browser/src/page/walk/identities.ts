import { tagName } from '../dom.js';
import type { ElementNow } from '../protocol.js';
import { ariaFlags } from '../role-and-name/control.js';
import { hasWidgetRole, isDeclaredClickable } from '../role-and-name/interactive.js';
import { nameOf } from '../role-and-name/name.js';
import { roleOf } from '../role-and-name/role.js';
import { NAMELESS_ROLES } from '../role-and-name/role-table.js';
import { identityOf, toldOf } from './identity.js';
import type { Reactions } from './reactions.js';
import type { Rows } from './row.js';
import type { Stillness } from './stillness.js';

/** What an element is, as long as the document stands still. */
export interface Identity {
  generation: number;
  role: string;
  /** It is a widget by its role or by what its attributes declare. */
  isWidget: boolean;
  /** Its computed style, which stays up to date; undefined until somebody asked. */
  style: CSSStyleDeclaration | undefined;
  /** Name of a structure; undefined until somebody asked. */
  name: string | undefined;
  told: ElementNow | undefined;
  /** States that stand in attributes. */
  ariaFlags: number;
}

/** Remembers roles, names and rows of elements while their document stands still. */
export class Identities {
  #known = new WeakMap<Element, Identity>();

  constructor(
    readonly stillness: Stillness,
    readonly reactions: Reactions,
  ) {}

  of(element: Element, tag: string): Identity {
    const { generation } = this.stillness;
    const known = this.#known.get(element);
    if (known !== undefined && known.generation === generation) return known;
    this.reactions.begin(generation);
    const role = roleOf(element);
    const isWidget = hasWidgetRole(element, tag, role) || isDeclaredClickable(element);
    const identity = {
      generation,
      role,
      isWidget,
      style: undefined,
      name: undefined,
      told: undefined,
      ariaFlags: ariaFlags(element),
    };
    this.#known.set(element, identity);
    return identity;
  }

  toldOf(element: Element, identity: Identity, rows: Rows): ElementNow {
    if (identity.told !== undefined) return identity.told;
    const told = toldOf(element, identityOf(element, identity.role), rows);
    // Whether a label stands for its control is a matter of style, which can change without the document.
    if (tagName(element) !== 'LABEL') identity.told = told;
    return told;
  }

  nameOf(element: Element, identity: Identity): string {
    // What may not be named is named all the same by authors who know no better, for people who see no more than that.
    identity.name ??= nameOf(element, NAMELESS_ROLES.has(identity.role) ? '' : identity.role);
    return identity.name;
  }

  styleOf(element: Element, identity: Identity): CSSStyleDeclaration {
    identity.style ??= getComputedStyle(element);
    return identity.style;
  }
}
