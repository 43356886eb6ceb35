import type { Subjects } from '../role-and-name/generated-subjects.js';

/** A list of rules, with enough of it to tell whether rules have come or gone. */
interface SeenRules {
  rules: CSSRuleList;
  length: number;
  first: CSSRule | null;
  last: CSSRule | null;
}

interface KeptSheets {
  sheets: readonly CSSStyleSheet[];
  seen: readonly SeenRules[];
  subjects: Subjects;
}

/**
 * What the style sheets of a tree scope say of generated text, kept from look to look: pages have thousands of rules.
 *
 * Invariant: as long as the same sheets are on, with as many rules as before between the same first and last ones, nothing
 * else is read off them. Text that a script gives to a rule that stands in place already is the one thing that is missed.
 */
const kept = new WeakMap<Node, KeptSheets>();

/** @param read Reads the sheets anew, and tells of each list of rules that it comes to. */
export function keptSubjects(
  scope: Node,
  sheets: readonly CSSStyleSheet[],
  read: (note: (rules: CSSRuleList) => void) => Subjects,
): Subjects {
  const known = kept.get(scope);
  if (known !== undefined && areSame(known.sheets, sheets) && known.seen.every(isAsSeen)) return known.subjects;
  const seen: SeenRules[] = [];
  const subjects = read(rules => seen.push({ rules, ...endsOf(rules) }));
  kept.set(scope, { sheets, seen, subjects });
  return subjects;
}

function areSame(some: readonly CSSStyleSheet[], others: readonly CSSStyleSheet[]): boolean {
  return some.length === others.length && some.every((sheet, at) => sheet === others[at]);
}

function isAsSeen({ rules, length, first, last }: SeenRules): boolean {
  const now = endsOf(rules);
  return now.length === length && now.first === first && now.last === last;
}

function endsOf(rules: CSSRuleList): Omit<SeenRules, 'rules'> {
  const { length } = rules;
  return { length, first: rules.item(0), last: rules.item(length - 1) };
}
