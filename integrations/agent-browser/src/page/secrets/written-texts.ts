import { getAttribute, getAttributeNames, hasAttributes } from '../dom.js';
import { sheetsOf } from '../role-and-name/generated-index.js';
import { rulesOf, Subjects } from '../role-and-name/generated-subjects.js';
import { unescapeCss } from '../role-and-name/selector-subjects.js';

/** Of a value, in characters; the pictures that are longer hold no text. */
const LONGEST = 50_000;
/** More style sheets are read again only when a rule came or went. */
const FEW_RULES = 100;
/** Attributes that nothing shows. */
const NAMES_ONLY = new Set(['class', 'id', 'for', 'type']);

/** Whether a text has what somebody looks for. */
type IsIn = (text: string) => boolean;

/**
 * Whether an element has a text in its attributes: style sheets, pictures in urls and the browser itself draw what stands
 * there, each somewhere of its own.
 */
export function isInAttributes(element: Element, isIn: IsIn): boolean {
  if (!hasAttributes(element)) return false;
  return getAttributeNames(element).some(
    name => !NAMES_ONLY.has(name) && formsOf(getAttribute(element, name) ?? '').some(isIn),
  );
}

/** A value as it stands, and what it says where it is a url or a picture made of text. */
function formsOf(value: string): string[] {
  const text = value.slice(0, LONGEST);
  const decoded = text.includes('%') ? percentDecoded(text) : text;
  const forms = decoded === text ? [text] : [text, decoded];
  if (!text.includes('data:')) return forms;
  const inside = [...decoded.matchAll(/;base64,([\w+/]+)/g)].map(([, base64 = '']) => base64Decoded(base64));
  return [...forms, ...inside, ...[decoded, ...inside].map(markup => markup.replace(/<[^>]*>/g, ''))];
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, run => {
    const bytes = Uint8Array.from(run.match(/[\da-f]{2}/gi) ?? [], byte => Number.parseInt(byte, 16));
    return new TextDecoder().decode(bytes);
  });
}

function base64Decoded(text: string): string {
  const bytes = atob(text.slice(0, text.length - (text.length % 4)));
  return new TextDecoder().decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)));
}

/** Finds the elements that style sheets give a text to: as their content, their marker, or in a picture. */
export class StyledTexts {
  readonly #isIn: IsIn;
  readonly #known = new WeakMap<Node, { count: number; subjects: Subjects }>();

  constructor(isIn: IsIn) {
    this.#isIn = isIn;
  }

  /** Those of a document or shadow root. */
  in(scope: Node): Subjects {
    const sheets = sheetsOf(scope).map(rulesOf);
    const count = sheets.reduce((sum, rules) => sum + (rules?.length ?? 0), 0);
    const known = this.#known.get(scope);
    if (known !== undefined && known.count === count && count > FEW_RULES) return known.subjects;
    // A sheet of another site was there before anybody typed.
    const subjects = new Subjects({ isMeant: rule => this.#isInRule(rule), areUnreadable: false });
    for (const rules of sheets) subjects.addRules(rules, []);
    this.#known.set(scope, { count, subjects });
    return subjects;
  }

  #isInRule(rule: CSSRule): boolean {
    const text = (rule as Partial<CSSStyleRule>).style?.cssText ?? rule.cssText;
    return formsOf(unescapeCss(text)).some(this.#isIn);
  }
}
