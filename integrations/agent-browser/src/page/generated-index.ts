import { getAttribute, hasAttribute, localName, nodeType } from './dom.js';
import { type Subject, subjectsOf } from './selector-subjects.js';
import { tokensOf } from './tree-scope.js';

type Sheets = Iterable<CSSStyleSheet>;
const sheetsOfDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'styleSheets')?.get as () => Sheets;
const adoptedByDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets')
  ?.get as () => Sheets;

/** Values of `content` that never make text, as the CSSOM serialises them. */
const NO_TEXT = new Set(['', 'none', 'normal', '""', 'inherit', 'initial', 'unset', 'revert', 'revert-layer']);

/** Direct lookups that cost less than reading any style sheet. */
const CHEAP_LOOKUPS = 40;
/** Reading a rule costs about a tenth of looking up the pseudo-elements of one element. */
const RULES_PER_LOOKUP = 8;

/**
 * Tells which elements of a tree scope can have text from CSS (`::before { content: "New" }`). To ask an element
 * costs two computed styles, so once that adds up to more than reading the style sheets they are read instead.
 * Invariant: it may say yes to an element that has no such text, never no to one that has.
 */
export class GeneratedIndex {
  readonly #scope: Node;
  #lookups = 0;
  #worthReading: number | undefined;
  #subjects: Subjects | undefined;

  constructor(scope: Node) {
    this.#scope = scope;
  }

  mayHave(element: Element): boolean {
    if (this.#subjects !== undefined) return this.#subjects.match(element);
    if (++this.#lookups <= CHEAP_LOOKUPS) return true;
    this.#worthReading ??= rulesIn(this.#scope) / RULES_PER_LOOKUP;
    if (this.#lookups < this.#worthReading) return true;
    this.#subjects = readSheets(this.#scope);
    return this.#subjects.match(element);
  }
}

function sheetsOf(scope: Node): CSSStyleSheet[] {
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

function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

function readSheets(scope: Node): Subjects {
  const subjects = new Subjects();
  for (const sheet of sheetsOf(scope)) subjects.addRules(rulesOf(sheet), []);
  return subjects;
}

class Subjects {
  #any = false;
  readonly #tags = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #classes = new Set<string>();
  readonly #attributes = new Set<string>();
  readonly #classAnswers = new Map<string, boolean>();

  match(element: Element): boolean {
    if (this.#any || this.#tags.has(localName(element).toLowerCase())) return true;
    if (this.#ids.size > 0 && this.#ids.has((getAttribute(element, 'id') ?? '').toLowerCase())) return true;
    if (this.#classes.size > 0 && this.#matchesClass(getAttribute(element, 'class'))) return true;
    for (const attribute of this.#attributes) if (hasAttribute(element, attribute)) return true;
    return false;
  }

  /** `around` are the subjects of the rule that these are nested in. Unreadable rules may be about anything. */
  addRules(rules: CSSRuleList | undefined, around: readonly Subject[]): void {
    if (rules === undefined) this.#any = true;
    else for (const rule of rules) this.#addRule(rule, around);
  }

  #addRule(rule: CSSRule, around: readonly Subject[]): void {
    if (rule instanceof CSSStyleRule) {
      this.#addStyleRule(rule, around);
    } else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null) this.addRules(rulesOf(rule.styleSheet), around);
    } else if (rule instanceof CSSGroupingRule) {
      this.addRules(rule.cssRules, around);
    } else if (makesText((rule as Partial<CSSStyleRule>).style)) {
      this.#any = true;
    }
  }

  #addStyleRule(rule: CSSStyleRule, around: readonly Subject[]): void {
    const hasNested = rule.cssRules.length > 0;
    const hasText = makesText(rule.style);
    if (!hasNested && !hasText) return;
    const subjects = subjectsOf(rule.selectorText).flatMap(subject => resolve(subject, around));
    if (hasText) for (const subject of subjects) this.#add(subject);
    if (hasNested) this.addRules(rule.cssRules, subjects);
  }

  #add(subject: Subject): void {
    if (subject.id) this.#ids.add(subject.id);
    else if (subject.className) this.#classes.add(subject.className);
    else if (subject.attribute) this.#attributes.add(subject.attribute);
    else if (subject.tag) this.#tags.add(subject.tag);
    else this.#any = true;
  }

  #matchesClass(value: string | null): boolean {
    if (value === null) return false;
    let answer = this.#classAnswers.get(value);
    if (answer === undefined) {
      answer = tokensOf(value.toLowerCase()).some(name => this.#classes.has(name));
      this.#classAnswers.set(value, answer);
    }
    return answer;
  }
}

function makesText(style: CSSStyleDeclaration | undefined): boolean {
  return style !== undefined && !NO_TEXT.has(style.content);
}

/** `&` alone is the element of the rule around it; with more beside it, that is enough to go by. */
function resolve(subject: Subject, around: readonly Subject[]): readonly Subject[] {
  const isBare = !subject.id && !subject.className && !subject.attribute && !subject.tag;
  return subject.nested && isBare && around.length > 0 ? around : [subject];
}
