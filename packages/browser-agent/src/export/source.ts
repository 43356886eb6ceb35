import type { AgentHistory } from '../history/history.js';
import type { RecordedAction } from '../rerun/recorded-actions.js';
import { type TextPiece, type Variable, type VariablePlace, VariableTexts } from '../rerun/variables.js';

/** Writes values as expressions of TypeScript, with the variables of a history in their places. */
export class Source {
  readonly variables: Variable[];
  readonly #texts: VariableTexts;

  /** @param secretOf Writes the expression for a secret; left out, the toolset puts it in the place of its name. */
  constructor(
    history: AgentHistory,
    readonly secretOf?: (name: string) => string,
  ) {
    this.#texts = new VariableTexts(history);
    this.variables = Object.values(this.#texts.byName);
  }

  /** A text: in quotes, or as a template with variables in it. */
  text(value: string, place: VariablePlace): string {
    const pieces = this.#texts.piecesOf(value, place).flatMap(piece => this.#codeOf(piece));
    const [only] = pieces;
    if (only === undefined) return quoted('');
    if (pieces.length === 1) return 'code' in only ? only.code : quoted(only.text);
    return `\`${pieces.map(piece => ('code' in piece ? `\${${piece.code}}` : inTemplate(piece.text))).join('')}\``;
  }

  /** Any plain value. `written` has the expressions of what stands at some paths already. */
  value(value: unknown, place: VariablePlace, written: ReadonlyMap<string, string> = new Map()): string {
    const { action, path } = place;
    const inner = (each: unknown, key: string | number): string =>
      this.value(each, { action, path: path === '' ? `${key}` : `${path}.${key}` }, written);
    const known = written.get(path);
    if (known !== undefined) return known;
    if (typeof value === 'string') return this.text(value, place);
    if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
    const fields = Object.entries(value).map(([key, each]) => `${propertyName(key)}: ${inner(each, key)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }

  #codeOf(piece: TextPiece): ({ text: string } | { code: string })[] {
    if (typeof piece !== 'string') return [{ code: `input.${piece.name}` }];
    const { secretOf } = this;
    if (secretOf === undefined) return [{ text: piece }];
    // Every second one is the name of a secret.
    const parts = piece.split(/<secret>([^<]*)<\/secret>/);
    return parts.flatMap((part, i) => (i % 2 === 1 ? { code: secretOf(part) } : part === '' ? [] : { text: part }));
  }
}

function propertyName(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? key : quoted(key);
}

function inTemplate(text: string): string {
  return text.replace(/[\\`]|\$\{/g, '\\$&');
}

/** The address of a recorded search, as an expression. @throws For records that do not have it. */
export function searchAddress({ step, searchUrl }: RecordedAction, query: string): string {
  if (searchUrl === undefined) throw new Error(`Step ${step}: where search searched is not recorded`);
  return `${quoted(searchUrl)}.replace('%s', encodeURIComponent(${query}))`;
}

export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A text that cannot end the comment that it stands in. */
export function comment(text: string): string {
  return text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();
}
