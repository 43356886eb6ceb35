import { getAttribute, hasAttribute, localName } from '../dom.js';
import { tokensOf } from '../visibility/tree-scope.js';
import { type Subject, subjectsOf } from './selector-subjects.js';

/** Values of `content` that never make text, as the CSSOM serialises them. */
const NO_OWN_TEXT = new Set(['none', 'normal', '""', 'inherit', 'initial', 'unset', 'revert', 'revert-layer']);

/** The rules of a sheet; undefined for one of another origin, which may not be read. */
export function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Which rules are looked for. */
export interface Meant {
  isMeant(rule: CSSRule): boolean;
  /** Whether one that may not be read is taken for such a one. */
  areUnreadable: boolean;
}

const MAKING_TEXT: Meant = { isMeant: rule => makesText((rule as Partial<CSSStyleRule>).style), areUnreadable: true };

/** The elements that rules are for, such as those that give them text, by what their selectors ask of them at least. */
export class Subjects {
  readonly #meant: Meant;
  #any = false;
  readonly #tags = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #classes = new Set<string>();
  readonly #attributes = new Set<string>();
  readonly #classAnswers = new Map<string, boolean>();

  constructor(meant = MAKING_TEXT) {
    this.#meant = meant;
  }

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
      this.#any ||= this.#meant.areUnreadable;
      return;
    }
    for (let i = 0; i < rules.length; i++) this.#addRule(rules[i] as CSSRule, around);
  }

  #addRule(rule: CSSRule, around: readonly Subject[]): void {
    if (rule instanceof CSSStyleRule) {
      this.#addStyleRule(rule, around);
    } else if (rule instanceof CSSImportRule) {
      // One that is on its way may be about anything.
      this.addRules(rule.styleSheet === null ? undefined : rulesOf(rule.styleSheet), around);
    } else if (rule instanceof CSSGroupingRule) {
      this.addRules(rule.cssRules, around);
    } else if (this.#meant.isMeant(rule)) {
      this.#any = true;
    }
  }

  #addStyleRule(rule: CSSStyleRule, around: readonly Subject[]): void {
    const hasNested = rule.cssRules.length > 0;
    const isMeant = this.#meant.isMeant(rule);
    if (!hasNested && !isMeant) return;
    const subjects = subjectsOf(rule.selectorText).flatMap(subject => resolve(subject, around));
    if (isMeant) for (const subject of subjects) this.#add(subject);
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
  return content !== '' && !NO_OWN_TEXT.has(content);
}

/** `&` alone is the element of the rule around it; with more beside it, that is enough to go by. */
function resolve(subject: Subject, around: readonly Subject[]): readonly Subject[] {
  const isBare = !subject.id && !subject.className && !subject.attribute && !subject.tag;
  return subject.nested && isBare && around.length > 0 ? around : [subject];
}
