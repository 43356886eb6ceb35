import type { AgentHistory } from '../history/history.js';
import { type RecordedAction, recordedActions } from './recorded-actions.js';

export type VariableKind = 'email' | 'phone' | 'date' | 'number' | 'url' | 'origin' | 'name' | 'text';

/** A value of a recorded run that another run can have another for. */
export interface Variable {
  name: string;
  value: string;
  kind: VariableKind;
  /** Where it was put in: the number of the recorded action, and the field of its input. */
  places: { action: number; path: string }[];
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

/** The values that a person would want to change: what was typed, chosen and searched for, by the names of their fields. */
export function detectVariables(history: AgentHistory): Record<string, Variable> {
  const variables: Record<string, Variable> = {};
  const add = (
    wanted: string,
    value: string,
    place: Variable['places'][number],
    kind = kindOf(value, wanted),
  ): void => {
    const same = Object.values(variables).find(each => each.value === value && each.kind === kind);
    if (same !== undefined) {
      same.places.push(place);
      return;
    }
    let name = wanted;
    for (let n = 2; name in variables; n++) name = `${wanted}_${n}`;
    variables[name] = { name, value, kind, places: [place] };
  };
  for (const [index, recorded] of recordedActions(history).entries()) {
    for (const { path, value, field } of typedIn(recorded)) {
      if (isSecret(value)) continue;
      if (field === 'origin') add('origin', value, { action: index, path }, 'origin');
      else add(identifier(field) || kindOf(value, field), value, { action: index, path });
    }
  }
  return variables;
}

interface Typed {
  path: string;
  value: string;
  /** The name of the field. */
  field: string;
}

function* typedIn({ action, input, elements = {} }: RecordedAction): Generator<Typed> {
  if (action === 'navigate' && typeof input.url === 'string' && URL.canParse(input.url))
    yield { path: 'url', value: new URL(input.url).origin, field: 'origin' };
  if (action === 'search' && typeof input.query === 'string')
    yield { path: 'query', value: input.query, field: 'query' };
  if (action === 'type' && typeof input.text === 'string')
    yield { path: 'text', value: input.text, field: elements.ref?.name ?? '' };
  if (action === 'select')
    for (const path of ['labels.0', 'values.0']) {
      const value = valueAt(input, path);
      if (typeof value === 'string') yield { path, value, field: elements.ref?.name ?? '' };
    }
  if (action !== 'fill_form' || !Array.isArray(input.fields)) return;
  for (const [i] of input.fields.entries()) {
    const value = valueAt(input, `fields.${i}.value`);
    if (typeof value === 'string')
      yield { path: `fields.${i}.value`, value, field: elements[`fields.${i}.ref`]?.name ?? '' };
  }
}

/** The given values, checked against what was recorded. @throws For names that the history does not have. */
export function replacements(history: AgentHistory, given: Record<string, string> = {}): [was: string, now: string][] {
  const variables = detectVariables(history);
  return Object.entries(given).map(([name, now]) => {
    const variable = variables[name];
    if (variable === undefined)
      throw new Error(`There is no variable ${name}; the history has ${Object.keys(variables).join(', ') || 'none'}`);
    return [variable.value, now];
  });
}

/** Puts new values in the place of recorded ones, in all texts: what was searched for is found by its name too. */
export function replaceIn<T>(value: T, changes: readonly [was: string, now: string][]): T {
  if (typeof value === 'string') return replaceInText(value, changes) as T;
  if (Array.isArray(value)) return value.map(each => replaceIn(each, changes)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceIn(each, changes)])) as T;
}

function replaceInText(text: string, changes: readonly [was: string, now: string][]): string {
  const whole = changes.find(([was]) => was === text);
  if (whole !== undefined) return whole[1];
  const parts = changes.filter(([was]) => was.length >= SHORTEST && text.includes(was));
  if (parts.length === 0) return text;
  const any = new RegExp(parts.map(([was]) => was.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
  return text.replace(any, was => parts.find(([each]) => each === was)?.[1] ?? was);
}

function valueAt(input: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], input);
}

/** A copy with another value at a path. */
export function withValueAt<T>(input: T, path: string, value: unknown): T {
  const copy = structuredClone(input);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const holder = valueAt(copy, keys.join('.') || '') ?? copy;
  (keys.length === 0 ? (copy as Record<string, unknown>) : (holder as Record<string, unknown>))[last] = value;
  return copy;
}

function kindOf(value: string, field: string): VariableKind {
  const found = KINDS.find(([, pattern]) => pattern.test(value));
  if (found !== undefined) return found[0];
  return /(?:^|[\s_])name$/i.test(field) ? 'name' : 'text';
}

/** Such as `full_name`. */
function identifier(field: string): string {
  return field
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 40);
}

function isSecret(value: string): boolean {
  return /<secret>/.test(value);
}
