import type { AgentHistory } from '../history/history.js';
import type { RecordedAction } from '../rerun/recorded-actions.js';
import { detectVariables, type Variable } from '../rerun/variables.js';

/** Writes values as expressions of TypeScript, with the variables of a history in their places. */
export class Source {
  readonly variables: Variable[];
  readonly #byValue: Variable[];

  /** Where something stands for a value in a text. */
  readonly #places: RegExp;

  /** @param secretOf Writes the expression for a secret; left out, the toolset puts it in the place of its name. */
  constructor(
    history: AgentHistory,
    readonly secretOf?: (name: string) => string,
  ) {
    this.variables = Object.values(detectVariables(history));
    // The longest first: one value may stand in another.
    this.#byValue = this.variables
      .filter(({ value }) => value.length > 2)
      .sort((a, b) => b.value.length - a.value.length);
    const values = this.#byValue.map(({ value }) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.#places = new RegExp([...(secretOf === undefined ? [] : [SECRET_MARK]), ...values].join('|') || '(?!)', 'g');
  }

  /** A text: in quotes, or as a template with variables in it. */
  text(value: string): string {
    const whole = this.variables.find(variable => variable.value === value);
    if (whole !== undefined) return `input.${whole.name}`;
    const found = [...value.matchAll(this.#places)];
    const [only] = found;
    if (only === undefined) return quoted(value);
    if (only[0] === value) return this.#expression(only);
    let at = 0;
    let template = '';
    for (const place of found) {
      template += `${inTemplate(value.slice(at, place.index))}\${${this.#expression(place)}}`;
      at = place.index + place[0].length;
    }
    return `\`${template}${inTemplate(value.slice(at))}\``;
  }

  #expression([text, secret]: RegExpExecArray): string {
    if (secret !== undefined && this.secretOf !== undefined) return this.secretOf(secret);
    return `input.${this.#byValue.find(({ value }) => value === text)?.name}`;
  }

  /** Any plain value. */
  value(value: unknown): string {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return `[${value.map(each => this.value(each)).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
    const fields = Object.entries(value).map(
      ([key, each]) => `${/^[a-z_]\w*$/i.test(key) ? key : quoted(key)}: ${this.value(each)}`,
    );
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
}

/** Has the name in a group of its own, the only one. */
const SECRET_MARK = '<secret>([^<]*)</secret>';

function inTemplate(text: string): string {
  return text.replace(/[\\`]|\$\{/g, '\\$&');
}

/** The address of a recorded search, as an expression. @throws For records that do not have it. */
export function searchAddress({ step, input, searchUrl }: RecordedAction, source: Source): string {
  if (searchUrl === undefined) throw new Error(`Step ${step}: where search searched is not recorded`);
  return `${quoted(searchUrl)}.replace('%s', encodeURIComponent(${source.value(input.query)}))`;
}

export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A text that cannot end the comment that it stands in. */
export function comment(text: string): string {
  return text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();
}
