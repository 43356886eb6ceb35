import type { AgentHistory } from '../history/history.js';
import { maskedPaths, type RecordedAction, recordedActions, valueAt } from './recorded-actions.js';

export type VariableKind = 'email' | 'phone' | 'date' | 'number' | 'url' | 'origin' | 'name' | 'text';

/** A value of a recorded run that another run can have another for. */
export interface Variable {
  name: string;
  /** Left out for what was put into a field that masks its value: the record does not hold it, and another run needs it. */
  value?: string;
  kind: VariableKind;
  /** Where it was put in: the number of the recorded action, and the field of its input (for an option that was clicked, its ref). */
  places: VariablePlace[];
}

export interface VariablePlace {
  action: number;
  path: string;
}

const KINDS: [VariableKind, RegExp][] = [
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['url', /^https?:\/\//],
  ['date', /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})$/],
  ['phone', /^\+?[\d\s()/-]{7,20}$/],
  ['number', /^[\d.,]+$/],
];
/** Values of fewer characters stand in other texts by chance. */
const SHORTEST = 3;

/**
 * The values that a person would want to change: what was typed, chosen and searched for, by the names of their fields. Two
 * fields with the same value are two variables; a field that got its value twice is one.
 */
export function detectVariables(history: AgentHistory): Record<string, Variable> {
  const variables: Record<string, Variable> = {};
  const byField = new Map<string, Variable>();
  for (const [action, recorded] of fieldsOfOptions(recordedActions(history)).entries()) {
    for (const { path, value, field, among = '' } of typedIn(recorded)) {
      if (value !== undefined && isSecret(value)) continue;
      const key = JSON.stringify([value, field || path, among]);
      const known = byField.get(key);
      if (known !== undefined) {
        known.places.push({ action, path });
        continue;
      }
      const kind = field === 'origin' ? 'origin' : kindOf(value ?? '', field);
      const wanted = identifier(field) || kind;
      let name = wanted;
      for (let n = 2; name in variables; n++) name = `${wanted}_${n}`;
      const variable: Variable = { name, ...(value !== undefined && { value }), kind, places: [{ action, path }] };
      variables[name] = variable;
      byField.set(key, variable);
    }
  }
  return variables;
}

interface Typed {
  path: string;
  /** Undefined for a value that is not recorded. */
  value: string | undefined;
  /** The name of the field. */
  field: string;
  /** What tells it from fields of the same name. */
  among?: string;
}

type RecordedOption = RecordedAction & { optionOf?: string };

/** An option that is clicked belongs to the drop-down that was used before it. */
function fieldsOfOptions(recorded: readonly RecordedAction[]): RecordedOption[] {
  let list = '';
  return recorded.map(each => {
    const { role, name = '' } = each.elements?.ref ?? {};
    if (role === 'option' && each.action === 'click') return { ...each, optionOf: list };
    if (role === 'combobox' || role === 'listbox' || role === 'button') list = name;
    return each;
  });
}

function* typedIn({ action, input, elements = {}, optionOf }: RecordedOption): Generator<Typed> {
  const masked = new Set(maskedPaths({ input, elements }));
  const put = (path: string, ref = 'ref'): Typed[] => {
    const value = valueAt(input, path);
    const { name = '', row = '', index = 0 } = elements[ref] ?? {};
    // Each key is a value of its own.
    const among = `${index} ${row} ${action === 'press' ? path : ''}`;
    if (masked.has(path)) return [{ path, value: undefined, field: name, among }];
    return typeof value === 'string' ? [{ path, value, field: name, among }] : [];
  };
  if (action === 'navigate' && typeof input.url === 'string' && URL.canParse(input.url))
    yield { path: 'url', value: new URL(input.url).origin, field: 'origin' };
  if (action === 'search' && typeof input.query === 'string')
    yield { path: 'query', value: input.query, field: 'query' };
  if (action === 'type' || (masked.has('text') && action !== 'fill_form')) yield* put('text');
  if (action === 'press') for (const path of pathsOf(input, 'keys')) if (masked.has(path)) yield* put(path);
  const option = elements.ref?.name;
  if (optionOf !== undefined && option !== undefined)
    yield { path: 'ref', value: option, field: `${optionOf} option`.trim() };
  if (action === 'select')
    for (const list of ['labels', 'values']) for (const path of pathsOf(input, list)) yield* put(path);
  if (action !== 'fill_form' || !Array.isArray(input.fields)) return;
  for (const [i] of input.fields.entries())
    for (const path of pathsOf(input, `fields.${i}.value`)) yield* put(path, `fields.${i}.ref`);
}

/** The paths of the entries of a list, or that of what is none. */
function pathsOf(input: unknown, path: string): string[] {
  const value = valueAt(input, path);
  return Array.isArray(value) ? value.map((_, i) => `${path}.${i}`) : [path];
}

/** A text in pieces, some of which are variables. */
export type TextPiece = string | Variable;

/** Knows which texts of a history are variables. */
export class VariableTexts {
  readonly byName: Readonly<Record<string, Variable>>;

  constructor(history: AgentHistory) {
    this.byName = detectVariables(history);
  }

  /** @throws For names that the history does not have. */
  check(names: readonly string[]): void {
    const unknown = names.find(name => !Object.hasOwn(this.byName, name));
    if (unknown === undefined) return;
    const known = Object.keys(this.byName).join(', ') || 'none';
    throw new Error(`There is no variable ${unknown}; the history has ${known}`);
  }

  /** @throws For a value that is not recorded and not given. */
  checkWhole(given: Readonly<Record<string, string>>): void {
    const missing = Object.values(this.byName).filter(({ name, value }) => value === undefined && !given[name]);
    if (missing.length === 0) return;
    const names = missing.map(({ name }) => name).join(', ');
    throw new Error(`The history does not hold ${names}: the field masks its value. Give it in variables`);
  }

  /**
   * A text of the recorded action of a number: the value of a field is the variable of that field. Other texts follow what
   * was put in before, as whole words: what was searched for is found by its name. Of variables with the same value they
   * follow the first.
   */
  piecesOf(text: string, { action, path }: VariablePlace): TextPiece[] {
    const all = Object.values(this.byName);
    const own = all.find(({ places }) => places.some(each => each.action === action && each.path === path));
    if (own !== undefined && (own.value === undefined || text === own.value)) return [own];
    const before = all.filter(
      ({ places: [first], value = '' }) =>
        value.length >= SHORTEST && (first?.action ?? 0) < action && text.includes(value),
    );
    const candidates = own === undefined ? before : [own, ...before];
    if (candidates.length === 0) return text === '' ? [] : [text];
    // The longest first: one value may stand in another.
    const values = candidates.map(({ value = '' }) => value).sort((a, b) => b.length - a.length);
    const pieces = text.split(new RegExp(`(${values.map(wordPattern).join('|')})`, 'u'));
    // Every second piece is what was split at.
    return pieces.flatMap((piece, i) =>
      piece === '' ? [] : ((i % 2 === 1 ? candidates.find(({ value }) => value === piece) : undefined) ?? piece),
    );
  }

  /** A recorded action with other values in the places of its variables. */
  replaceIn(recorded: RecordedAction, action: number, given: Readonly<Record<string, string>>): RecordedAction {
    const text = (was: string, path: string): string =>
      this.piecesOf(was, { action, path })
        .map(piece => (typeof piece === 'string' ? piece : (given[piece.name] ?? piece.value ?? '')))
        .join('');
    const { input, elements, goal } = recorded;
    return {
      ...recorded,
      input: mapTexts(input, text) as Record<string, unknown>,
      goal: text(goal, 'goal'),
      ...(elements && {
        elements: Object.fromEntries(
          Object.entries(elements).map(([path, element]) => [
            path,
            {
              ...element,
              ...(element.name !== undefined && { name: text(element.name, path) }),
              ...(element.row !== undefined && { row: text(element.row, `${path}.row`) }),
            },
          ]),
        ),
      }),
    };
  }
}

/** Matches a value where it is no part of a longer word. */
export function wordPattern(value: string): string {
  const begins = /^[\p{L}\p{N}]/u.test(value) ? '(?<![\\p{L}\\p{N}])' : '';
  const ends = /[\p{L}\p{N}]$/u.test(value) ? '(?![\\p{L}\\p{N}])' : '';
  return `${begins}${value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}${ends}`;
}

/** A copy of plain data with other texts, each of which is told with its path. */
export function mapTexts(value: unknown, text: (was: string, path: string) => string, path = ''): unknown {
  const at = (key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`);
  if (typeof value === 'string') return text(value, path);
  if (Array.isArray(value)) return value.map((each, i) => mapTexts(each, text, at(i)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, text, at(key))]));
}

/** A copy with another value at a path. */
export function withValueAt<T>(input: T, path: string, value: unknown): T {
  const copy = structuredClone(input);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.length === 0 ? copy : valueAt(copy, keys.join('.'));
  (holder as Record<string, unknown>)[last] = value;
  return copy;
}

function kindOf(value: string, field: string): VariableKind {
  const found = KINDS.find(([, pattern]) => pattern.test(value));
  if (found !== undefined) return found[0];
  return /(?:^|[\s_])name$/i.test(field) ? 'name' : 'text';
}

/** Such as `full_name`. */
function identifier(field: string): string {
  const name = field
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 40);
  return /^\p{N}/u.test(name) ? `field_${name}` : name;
}

function isSecret(value: string): boolean {
  return /<secret>/.test(value);
}
