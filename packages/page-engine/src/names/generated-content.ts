import {
  assignedSlot,
  attributeTokens,
  getAttribute,
  hasAttribute,
  localName,
  nodeType,
  queryAll,
  shadowRootOf,
} from '../dom/dom.js';
import { getOrInsert } from '../dom/get-or-insert.js';

/** The minimum that an element needs to match a selector, from the last compound of it. */
interface SelectorSubject {
  tag?: string;
  id?: string;
  className?: string;
  attribute?: string;
  /** Contains `&`: the element also matches the outer rule. */
  nested?: boolean;
  /** The pseudo-element of the element that the rule is for. */
  part?: 'before' | 'after';
}

const ESCAPE_OR_STRING = /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;
const INNERMOST_PARENTHESES = /(?<!\\)\((?:[^()\\]|\\.)*\)/gs;
const IDENTIFIER = String.raw`(?:[-\w\u0080-\uffff]|\\[0-9a-f]{1,6}[\t\n\f\r ]?|\\[^\n])+`;
/** A part of a compound selector, or what stands between two. */
const SELECTOR_PART = new RegExp(
  String.raw`\[\s*(?<attribute>${IDENTIFIER})?[^\]]*\]|(?<sign>[.#]|:+)?(?<name>${IDENTIFIER})|[&,>+~\s]`,
  'gi',
);

const MOST_PARSED_SELECTORS = 10_000;
const parsedSelectors = new Map<string, readonly SelectorSubject[]>();

/** The subjects of a serialised selector list. Names are folded to lower case, which can only match too much. */
function subjectsOf(selectors: string): readonly SelectorSubject[] {
  let subjects = parsedSelectors.get(selectors);
  if (subjects === undefined) {
    subjects = readSubjects(selectors);
    if (parsedSelectors.size < MOST_PARSED_SELECTORS) parsedSelectors.set(selectors, subjects);
  }
  return subjects;
}

function readSubjects(selectors: string): SelectorSubject[] {
  let flat = selectors.replace(ESCAPE_OR_STRING, found => (found.startsWith('\\') ? found : ''));
  for (let outer = ''; outer !== flat; ) {
    outer = flat;
    flat = flat.replace(INNERMOST_PARENTHESES, '');
  }
  const subjects: SelectorSubject[] = [];
  let subject: SelectorSubject = {};
  for (const { 0: part, groups: { attribute, sign, name } = {} } of flat.matchAll(SELECTOR_PART)) {
    const word = unescapeCss(attribute ?? name ?? '').toLowerCase();
    if (part.startsWith('[')) subject.attribute = word;
    else if (sign === '.') subject.className = word;
    else if (sign === '#') subject.id = word;
    else if (sign !== undefined) subject.part = word === 'before' || word === 'after' ? word : subject.part;
    else if (name !== undefined) subject.tag = word;
    else if (part === '&') subject.nested = true;
    else {
      if (part === ',') subjects.push(subject);
      subject = {};
    }
  }
  return [...subjects, subject];
}

const ESCAPE = /\\([0-9a-f]{1,6})[\t\n\f\r ]?|\\(.)/gis;
const LAST_CODE_POINT = 0x10ffff;

/** The text of a CSS identifier or of the inside of a string (CSS Syntax 3, 4.3.7). */
export function unescapeCss(source: string): string {
  if (!source.includes('\\')) return source;
  return source.replace(ESCAPE, (_match, hex: string | undefined, char: string | undefined) => {
    if (hex === undefined) return char ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > LAST_CODE_POINT ? '\ufffd' : String.fromCodePoint(code);
  });
}

/** Values of `content` that never produce text, as CSSOM serialises them. */
const NO_OWN_TEXT = new Set(['none', 'normal', '""', 'inherit', 'initial', 'unset', 'revert', 'revert-layer']);

/** The rules of a sheet; undefined for a cross-origin sheet, which scripts cannot read. */
export function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** A filter of rules. */
interface Meant {
  isMeant(rule: CSSRule): boolean;
  /** Whether a rule that cannot be read passes the filter. */
  areUnreadable: boolean;
}

const MAKING_TEXT: Meant = { isMeant: rule => makesText((rule as Partial<CSSStyleRule>).style), areUnreadable: true };

/** Elements by the minimum that selectors require. */
class SubjectSet {
  any = false;
  readonly #tags = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #classes = new Set<string>();
  readonly #attributes = new Set<string>();
  readonly #classAnswers = new Map<string, boolean>();

  match(element: Element): boolean {
    if (this.any || this.#tags.has(localName(element).toLowerCase())) return true;
    if (this.#ids.size > 0 && this.#ids.has((getAttribute(element, 'id') ?? '').toLowerCase())) return true;
    if (this.#classes.size > 0 && this.#matchesClass(getAttribute(element, 'class'))) return true;
    for (const attribute of this.#attributes) if (hasAttribute(element, attribute)) return true;
    return false;
  }

  add(subject: SelectorSubject): void {
    if (subject.id) this.#ids.add(subject.id);
    else if (subject.className) this.#classes.add(subject.className);
    else if (subject.attribute) this.#attributes.add(subject.attribute);
    else if (subject.tag) this.#tags.add(subject.tag);
    else this.any = true;
  }

  #matchesClass(value: string | null): boolean {
    if (value === null) return false;
    return getOrInsert(this.#classAnswers, value, () =>
      attributeTokens(value.toLowerCase()).some(name => this.#classes.has(name)),
    );
  }
}

/** The elements that filtered rules may apply to, and the pseudo-elements of elements. */
export class Subjects {
  readonly #sets = { own: new SubjectSet(), before: new SubjectSet(), after: new SubjectSet() };

  constructor(readonly meant = MAKING_TEXT) {}

  /** Whether a rule may apply to the element itself or to a pseudo-element of it; by default, to any of them. */
  match(element: Element, part?: 'own' | 'before' | 'after'): boolean {
    if (part !== undefined) return this.#sets[part].match(element);
    return Object.values(this.#sets).some(set => set.match(element));
  }

  /** `around` are the subjects of the outer rule. Unreadable rules may apply to any element. */
  addRules(rules: CSSRuleList | undefined, around: readonly SelectorSubject[]): void {
    if (rules === undefined) {
      if (this.meant.areUnreadable) this.#addAll();
      return;
    }
    for (let i = 0; i < rules.length; i++) this.#addRule(rules[i] as CSSRule, around);
  }

  #addRule(rule: CSSRule, around: readonly SelectorSubject[]): void {
    if (rule instanceof CSSStyleRule) {
      this.#addStyleRule(rule, around);
    } else if (rule instanceof CSSImportRule) {
      // A sheet that is still loading may apply to any element.
      this.addRules(rule.styleSheet === null ? undefined : rulesOf(rule.styleSheet), around);
    } else if (rule instanceof CSSGroupingRule) {
      // In a scope, `&` is its root.
      this.addRules(rule.cssRules, rule instanceof CSSScopeRule ? [] : around);
    } else if (rule instanceof CSSKeyframesRule) {
      if ([...rule.cssRules].some(frame => this.meant.isMeant(frame))) this.#addAll();
    } else if (this.meant.isMeant(rule)) {
      this.#addAll();
    }
  }

  #addAll(): void {
    for (const set of Object.values(this.#sets)) set.any = true;
  }

  #addStyleRule(rule: CSSStyleRule, around: readonly SelectorSubject[]): void {
    const hasNested = rule.cssRules.length > 0;
    const isMeant = this.meant.isMeant(rule);
    if (!hasNested && !isMeant) return;
    const subjects = subjectsOf(rule.selectorText).flatMap(subject => resolve(subject, around));
    if (isMeant) for (const subject of subjects) this.#sets[subject.part ?? 'own'].add(subject);
    if (hasNested) this.addRules(rule.cssRules, subjects);
  }
}

function makesText(style: CSSStyleDeclaration | undefined): boolean {
  const content = style?.content ?? '';
  return content !== '' && !NO_OWN_TEXT.has(content);
}

/** Resolves a bare `&` to the outer subjects; a compound with more than `&` has subjects of its own. */
function resolve(subject: SelectorSubject, around: readonly SelectorSubject[]): readonly SelectorSubject[] {
  const isBare = !subject.id && !subject.className && !subject.attribute && !subject.tag;
  if (!subject.nested || !isBare || around.length === 0) return [subject];
  const { part } = subject;
  return part === undefined ? around : around.map(outer => ({ ...outer, part }));
}

type Sheets = Iterable<CSSStyleSheet>;
const sheetsOfDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'styleSheets')?.get as () => Sheets;
const adoptedByDocument = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets')
  ?.get as () => Sheets;

/** Number of direct reads that cost less than checking whether the style sheets are cheaper. */
const CHEAP_READS = 40;
/** Fewer rules are read at negligible cost. */
const SCANNED_RULES = 200;
/** Rules that are read in the time that the pseudo-elements of one element take to be read for names. */
const RULES_PER_ELEMENT = 1;

/**
 * Determines which elements of a tree scope can have generated content (`::before { content: "New" }`). Each costs
 * three computed styles, so on pages with many names the style sheets are read instead.
 * Invariant: it may accept an element without such text, but never rejects one that has it.
 */
class GeneratedIndex {
  #reads = 0;
  #subjects: Subjects | undefined;
  /** A cross-origin sheet, which cannot be read, may apply to any element. */
  isBlind = false;

  constructor(readonly scope: Node) {}

  /** Called for each element before {@link mayHave}. */
  count(): void {
    this.#reads++;
    if (this.#reads === 1) this.#readIf(rules => rules < SCANNED_RULES);
    else if (this.#reads === CHEAP_READS && this.#subjects === undefined)
      this.#readIf(rules => rules < queryAll(this.scope, '*').length * RULES_PER_ELEMENT);
  }

  mayHave(element: Element, part: 'own' | 'before' | 'after'): boolean {
    return this.#subjects === undefined || this.#subjects.match(element, part);
  }

  #readIf(isWorthIt: (rules: number) => boolean): void {
    const rules = ruleCountIn(this.scope);
    this.isBlind = rules === Number.POSITIVE_INFINITY;
    if (isWorthIt(rules)) this.#subjects = readSheets(this.scope);
  }
}

/** The enabled style sheets of a tree scope. */
export function sheetsOf(scope: Node): CSSStyleSheet[] {
  if (nodeType(scope) === Node.DOCUMENT_NODE) {
    return [...sheetsOfDocument.call(scope), ...adoptedByDocument.call(scope)].filter(isSheetEnabled);
  }
  if (!(scope instanceof ShadowRoot)) return [];
  return [...scope.styleSheets, ...scope.adoptedStyleSheets].filter(isSheetEnabled);
}

const isSheetEnabled = (sheet: CSSStyleSheet) => !sheet.disabled;

/** Infinite when a cross-origin sheet cannot be read, so that it never pays to try. */
function ruleCountIn(scope: Node): number {
  let rules = 0;
  for (const sheet of sheetsOf(scope)) rules += rulesOf(sheet)?.length ?? Number.POSITIVE_INFINITY;
  return rules;
}

function readSheets(scope: Node): Subjects {
  const subjects = new Subjects();
  for (const sheet of sheetsOf(scope)) subjects.addRules(rulesOf(sheet), []);
  return subjects;
}

/** The caches of one walk over a page. Invariant: none outlives the pass, since the page may change afterwards. */
export interface Pass {
  /** Element visits left for names, so that widgets nested a thousand deep do not cost quadratic time. */
  visits: number;
  /** The labels of each control, by tree scope. */
  readonly labels: Map<Node, Map<Element | null | undefined, Element[]>>;
  /** The element that owns an id by aria-owns, by tree scope. */
  readonly owners: Map<Node, Map<string, Element>>;
  readonly generated: Map<Node, GeneratedIndex>;
  /** Names from content, by element: a row is read before its cells, and a cell before the link in it. */
  readonly contents: Map<Element, string>;
  /** Whether a landmark or image has a name from its author. */
  readonly named: Map<Element, boolean>;
  /** The kind of items or cells by their parent, since they come in long runs. */
  readonly listContext: Map<Element, string>;
  readonly tableContext: Map<Element, string>;
}

const FIRST_VISITS = 40_000;
/** On ordinary pages an element is part of only a few names: its row, cell and link. */
const VISITS_PER_NAME = 8;

let current: Pass | undefined;

function newPass(): Pass {
  return {
    visits: FIRST_VISITS,
    labels: new Map(),
    owners: new Map(),
    generated: new Map(),
    contents: new Map(),
    named: new Map(),
    listContext: new Map(),
    tableContext: new Map(),
  };
}

/** Starts a pass: what is read is cached until `endPass`. */
export function beginPass(): void {
  current = newPass();
}

export function endPass(): void {
  current = undefined;
}

/** The current pass, or a new one for its caller only. */
export function currentPass(): Pass {
  return current ?? newPass();
}

/** The pass for one more name during a walk. */
export function passForName(): Pass {
  const pass = currentPass();
  pass.visits += VISITS_PER_NAME;
  return pass;
}

/** Text before or after an element's content; `apart` when it is not inline. */
export interface PseudoText {
  text: string;
  apart: boolean;
}

/** Text that CSS adds to an element, or shows in its place. */
export interface GeneratedText {
  before: PseudoText | undefined;
  after: PseudoText | undefined;
  replacement: string | undefined;
}

/** Undefined when CSS adds nothing. `scope` is the tree scope of the element. */
export function generatedTextOf(element: Element, scope: Node, pass: Pass): GeneratedText | undefined {
  const index = getOrInsert(pass.generated, scope, () => new GeneratedIndex(scope));
  index.count();
  const isOpen = isStyledFromElsewhere(element, scope);
  const before =
    isOpen || index.mayHave(element, 'before') ? pseudoText(element, getComputedStyle(element, '::before')) : undefined;
  const after =
    isOpen || index.mayHave(element, 'after') ? pseudoText(element, getComputedStyle(element, '::after')) : undefined;
  // Too rare for a third computed style of every element on pages whose style sheets cannot be read.
  const hasOwn = !index.isBlind && (isOpen || index.mayHave(element, 'own'));
  const replacement = hasOwn ? replacementText(element, getComputedStyle(element)) : undefined;
  if (before === undefined && after === undefined && replacement === undefined) return undefined;
  return { before, after, replacement };
}

/** Whether sheets of another tree may style the element, by :host, ::slotted or ::part. */
function isStyledFromElsewhere(element: Element, scope: Node): boolean {
  if (shadowRootOf(element) || assignedSlot(element) !== null) return true;
  return nodeType(scope) === Node.DOCUMENT_FRAGMENT_NODE && hasAttribute(element, 'part');
}

function pseudoText(element: Element, style: CSSStyleDeclaration): PseudoText | undefined {
  const { content } = style;
  if (NO_TEXT.has(content)) return undefined;
  const { text } = textOfContent(element, content);
  if (text === '' || style.display === 'none' || style.visibility !== 'visible') return undefined;
  return { text, apart: style.display !== 'inline' };
}

/** The alternative text of an element that CSS replaces: `content: url(star.svg) / "Favourite"`. */
function replacementText(element: Element, { content }: CSSStyleDeclaration): string | undefined {
  if (NO_TEXT.has(content)) return undefined;
  const { text, isAlternative } = textOfContent(element, content);
  return isAlternative ? text : undefined;
}

const NO_TEXT = new Set(['', 'none', 'normal', '""']);
const LONGEST_CONTENT = 20_000;
/** Strings, the slash before the alternative, and functions, whose own strings are not text (CSS Content 3). */
const CONTENT_PART = /"((?:[^"\\]|\\.)*)"|(\/)|([\w-]+)\(((?:"(?:[^"\\]|\\.)*"|\([^()]*\)|[^()"])*)\)/gs;

function textOfContent(element: Element, content: string): { text: string; isAlternative: boolean } {
  let text = '';
  let isAlternative = false;
  for (const [, string, slash, name, argument] of content.slice(0, LONGEST_CONTENT).matchAll(CONTENT_PART)) {
    if (slash !== undefined) {
      text = '';
      isAlternative = true;
    } else if (string !== undefined) {
      text += unescapeCss(string);
    } else if (name === 'attr') {
      text += getAttribute(element, /[^\s,]+/.exec(argument ?? '')?.[0] ?? '') ?? '';
    }
  }
  return { text, isAlternative };
}
