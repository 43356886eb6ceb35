import type { z } from 'zod/v4';
import { ELEMENT_FIELDS } from '../actions/elements.js';
import { parseJson } from './parse-json.js';

type Path = readonly PropertyKey[];

export type Fitted =
  | { input: unknown /** Unknown fields that were left out, by their path. */; ignored: string[] }
  | { error: z.ZodError };

/** Repairs of one input: more than that is no slip of the pen. */
const MOST_REPAIRS = 100;

/**
 * An input as its action takes it, where only its form is another one: null for what is left out, fields that nobody knows, a
 * number for a text and the other way round, JSON as text, one value for a list. Whatever else does not fit is refused.
 */
export function fitted(schema: z.ZodType, given: unknown): Fitted {
  const root = { input: structuredClone(given) };
  const ignored: string[] = [];
  for (let n = 0; ; n++) {
    const { error } = schema.safeParse(root.input);
    if (error === undefined) return { input: root.input, ignored };
    const isRepaired =
      n < MOST_REPAIRS && error.issues.map(issue => repair(issue, { schema, root, ignored })).some(Boolean);
    if (!isRepaired) return { error };
  }
}

interface Repairing {
  schema: z.ZodType;
  root: { input: unknown };
  ignored: string[];
}

function repair(issue: z.core.$ZodIssue, { schema, root, ignored }: Repairing): boolean {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const holder = at(root, path);
    if (!isRecord(holder)) return false;
    for (const key of issue.keys) {
      // Null says that nothing is meant.
      if (holder[key] !== null) ignored.push([...path, key].map(String).join('.'));
      delete holder[key];
    }
    return true;
  }
  const value = at(root, path);
  const key = path.at(-1);
  const holder = at(root, path.slice(0, -1));
  if (value === null && key !== undefined && isRecord(holder)) return delete holder[key as string];
  for (const other of readings(value, path)) {
    set(root, path, other);
    const left = schema.safeParse(root.input).error?.issues ?? [];
    if (!left.some(each => isSame(each.path, path))) return true;
  }
  set(root, path, value);
  return false;
}

/** What else a value can mean. */
function* readings(value: unknown, path: Path): Generator<unknown> {
  if (value === undefined || value === null) return;
  const field = path.findLast(key => typeof key === 'string');
  // A number names no element: nobody knows how it was counted.
  const isRef = typeof field === 'string' && ELEMENT_FIELDS.has(field);
  if ((typeof value === 'number' && !isRef) || typeof value === 'boolean') yield String(value);
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) yield Number(text);
    if (/^(?:true|false)$/i.test(text)) yield text.toLowerCase() === 'true';
    if (/^[[{]/.test(text)) yield* json(text);
  }
  if (typeof value === 'object') yield withoutNulls(value);
  if (path.length > 0 && !Array.isArray(value)) yield [value];
}

function* json(text: string): Generator<unknown> {
  try {
    yield parseJson(text);
  } catch {
    // It is text that only begins like JSON.
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function at(root: { input: unknown }, path: Path): unknown {
  let value = root.input;
  for (const key of path) value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
  return value;
}

function set(root: { input: unknown }, path: Path, value: unknown): void {
  const key = path.at(-1);
  if (key === undefined) root.input = value;
  else Reflect.set(at(root, path.slice(0, -1)) as object, key, value);
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, i) => key === other[i]);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
