import { ariaFlags } from '../role-and-name/control.js';
import { hasWidgetRole, isDeclaredClickable } from '../role-and-name/interactive.js';
import { roleOf } from '../role-and-name/role.js';

/** An element on its way through a walk, with what several steps of the walk ask for. */
export class SeenElement {
  readonly role: string;
  /** It is a widget by its role or by what its attributes declare. */
  readonly isWidget: boolean;
  #style: CSSStyleDeclaration | undefined;
  #ariaFlags: number | undefined;

  constructor(
    readonly element: Element,
    readonly tag: string,
  ) {
    this.role = roleOf(element);
    this.isWidget = hasWidgetRole(element, tag, this.role) || isDeclaredClickable(element);
  }

  get style(): CSSStyleDeclaration {
    this.#style ??= getComputedStyle(this.element);
    return this.#style;
  }

  /** States that stand in attributes. */
  get ariaFlags(): number {
    this.#ariaFlags ??= ariaFlags(this.element);
    return this.#ariaFlags;
  }
}
