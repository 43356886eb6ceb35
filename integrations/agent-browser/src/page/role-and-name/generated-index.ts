import { getAttribute, hasAttribute, localName, nodeType } from '../dom.js';
import { queryAll, tokensOf } from '../visibility/tree-scope.js';
import { type Subject, subjectsOf } from './selector-subjects.js';

type Sheets = Iterable<CSSStyleSheet>;
const sheetsOfDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'styleSheets')?.get as () => Sheets;
const adoptedByDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets')
  ?.get as () => Sheets;

/** Values of `content` that never make text, as the CSSOM serialises them. */
const NO_TEXT = new Set(['none', 'normal', '""', 'inherit', 'initial', 'unset', 'revert', 'revert-layer']);

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
    if (++this.#lookups === CHEAP_LOOKUPS) this.#readIfWorthIt();
    return this.#subjects === undefined || this.#subjects.match(element);
  }

  #readIfWorthIt(): void {
    const rules = rulesIn(this.#scope);
    this.isBlind = rules === Number.POSITIVE_INFINITY;
    const isWorthIt = rules < FEW_RULES || rules < queryAll(this.#scope, '*').length * RULES_PER_ELEMENT;
    if (isWorthIt) this.#subjects = readSheets(this.#scope);
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
    if (rules === undefined) {
      this.#any = true;
      return;
    }
    for (let i = 0; i < rules.length; i++) this.#addRule(rules[i] as CSSRule, around);
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
  const content = style?.content ?? '';
  return content !== '' && !NO_TEXT.has(content);
}

/** `&` alone is the element of the rule around it; with more beside it, that is enough to go by. */
function resolve(subject: Subject, around: readonly Subject[]): readonly Subject[] {
  const isBare = !subject.id && !subject.className && !subject.attribute && !subject.tag;
  return subject.nested && isBare && around.length > 0 ? around : [subject];
}
