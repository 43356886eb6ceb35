import type { AgentHistory } from '../history/history.js';
import { detectVariables, type Variable } from '../rerun/variables.js';

/** Writes values as expressions of TypeScript, with the variables of a history in their places. */
export class Source {
  readonly variables: Variable[];
  readonly #byValue: Variable[];

  constructor(history: AgentHistory) {
    this.variables = Object.values(detectVariables(history));
    // The longest first: one value may stand in another.
    this.#byValue = this.variables
      .filter(({ value }) => value.length > 2)
      .sort((a, b) => b.value.length - a.value.length);
  }

  /** A text: in quotes, or as a template with variables in it. */
  text(value: string): string {
    const whole = this.variables.find(variable => variable.value === value);
    if (whole !== undefined) return `input.${whole.name}`;
    const [part] = this.#byValue.filter(variable => value.includes(variable.value));
    if (part === undefined) return quoted(value);
    const pieces = value.split(part.value).map(piece => piece.replace(/[\\`]|\$\{/g, '\\$&'));
    return `\`${pieces.join(`\${input.${part.name}}`)}\``;
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

export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A text that cannot end the comment that it stands in. */
export function comment(text: string): string {
  return text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();
}
