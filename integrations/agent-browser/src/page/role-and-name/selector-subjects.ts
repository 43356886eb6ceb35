/** The least that an element needs to match a selector, read off its last compound. */
export interface Subject {
  tag?: string;
  id?: string;
  className?: string;
  attribute?: string;
  /** Contains `&`: the element also matches the rule around it. */
  nested?: boolean;
}

const IDENTIFIER = /(?:[-\w\u0080-\uffff]|\\[0-9a-f]{1,6}[\t\n\f\r ]?|\\[^\n])+/iy;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;

/** Selectors that are remembered. */
const MOST_KNOWN = 10_000;
const known = new Map<string, readonly Subject[]>();

/** The subjects of a serialised selector list. Names are folded to lower case, which can only match too much. */
export function subjectsOf(selectors: string): readonly Subject[] {
  let subjects = known.get(selectors);
  if (subjects === undefined) {
    subjects = new SubjectReader(selectors).read();
    if (known.size < MOST_KNOWN) known.set(selectors, subjects);
  }
  return subjects;
}

class SubjectReader {
  readonly #source: string;
  #at = 0;
  #subject: Subject = {};
  #subjects: Subject[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  read(): Subject[] {
    while (this.#at < this.#source.length) this.#step(this.#source.charAt(this.#at));
    this.#subjects.push(this.#subject);
    return this.#subjects;
  }

  #step(char: string): void {
    if (/[-\w\\\u0080-\uffff]/.test(char)) {
      this.#subject.tag = this.#identifier();
      return;
    }
    this.#at++;
    if (char === '.') this.#subject.className = this.#identifier();
    else if (char === '#') this.#subject.id = this.#identifier();
    else if (char === '[') this.#attribute();
    else if (char === '(') this.#skipTo(')');
    else if (char === ':') this.#pseudo();
    else if (char === '&') this.#subject.nested = true;
    else if (char === ',') this.#next();
    else if (/[\s>+~]/.test(char)) this.#subject = {};
  }

  #next(): void {
    this.#subjects.push(this.#subject);
    this.#subject = {};
  }

  #pseudo(): void {
    while (this.#source.charAt(this.#at) === ':') this.#at++;
    this.#identifier();
  }

  #attribute(): void {
    this.#subject.attribute = this.#identifier();
    this.#skipTo(']');
  }

  #identifier(): string {
    IDENTIFIER.lastIndex = this.#at;
    const raw = IDENTIFIER.exec(this.#source)?.[0] ?? '';
    this.#at += raw.length;
    return unescapeCss(raw).toLowerCase();
  }

  /** Past the closing bracket, over strings and inner brackets. */
  #skipTo(close: string): void {
    while (this.#at < this.#source.length) {
      STRING.lastIndex = this.#at;
      const string = STRING.exec(this.#source);
      if (string !== null) {
        this.#at += string[0].length;
        continue;
      }
      const char = this.#source.charAt(this.#at++);
      if (char === close) return;
      if (char === '\\') this.#at++;
      else if (char === '(') this.#skipTo(')');
      else if (char === '[') this.#skipTo(']');
    }
  }
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
