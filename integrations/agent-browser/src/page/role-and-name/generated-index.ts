import { nodeType } from '../dom.js';
import { queryAll } from '../visibility/tree-scope.js';
import { rulesOf, Subjects } from './generated-subjects.js';

type Sheets = Iterable<CSSStyleSheet>;
const sheetsOfDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'styleSheets')?.get as () => Sheets;
const adoptedByDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets')
  ?.get as () => Sheets;

/** Direct lookups that cost less than finding out whether there is a better way. */
const CHEAP_LOOKUPS = 40;
/** So few rules are read in no time. */
const FEW_RULES = 200;
/** Rules that are read in the time that it takes to look up, for names, the pseudo-elements of one element of a page. */
const RULES_PER_ELEMENT = 1;

/**
 * Tells which elements of a tree scope can have text from CSS (`::before { content: "New" }`). To ask one element
 * costs three computed styles, so on pages with many names the style sheets are read instead.
 * Invariant: it may say yes to an element that has no such text, never no to one that has.
 */
export class GeneratedIndex {
  readonly #scope: Node;
  #lookups = 0;
  #subjects: Subjects | undefined;
  /** A sheet of another origin may say anything about any element, and none of it can be read. */
  isBlind = false;

  constructor(scope: Node) {
    this.#scope = scope;
  }

  mayHave(element: Element): boolean {
    this.#lookups++;
    if (this.#lookups === 1) this.#readIf(rules => rules < FEW_RULES);
    else if (this.#lookups === CHEAP_LOOKUPS && this.#subjects === undefined)
      this.#readIf(rules => rules < queryAll(this.#scope, '*').length * RULES_PER_ELEMENT);
    return this.#subjects === undefined || this.#subjects.match(element);
  }

  #readIf(isWorthIt: (rules: number) => boolean): void {
    const rules = rulesIn(this.#scope);
    this.isBlind = rules === Number.POSITIVE_INFINITY;
    if (isWorthIt(rules)) this.#subjects = readSheets(this.#scope);
  }
}

/** The style sheets that count in a tree scope. */
export function sheetsOf(scope: Node): CSSStyleSheet[] {
  if (nodeType(scope) === Node.DOCUMENT_NODE) {
    return [...sheetsOfDocument.call(scope), ...adoptedByDocument.call(scope)].filter(isOn);
  }
  if (!(scope instanceof ShadowRoot)) return [];
  return [...scope.styleSheets, ...scope.adoptedStyleSheets].filter(isOn);
}

const isOn = (sheet: CSSStyleSheet) => !sheet.disabled;

/** Infinite when a sheet of another origin may not be read, so that it never pays to try. */
function rulesIn(scope: Node): number {
  let rules = 0;
  for (const sheet of sheetsOf(scope)) rules += rulesOf(sheet)?.length ?? Number.POSITIVE_INFINITY;
  return rules;
}

function readSheets(scope: Node): Subjects {
  const subjects = new Subjects();
  for (const sheet of sheetsOf(scope)) subjects.addRules(rulesOf(sheet), []);
  return subjects;
}
