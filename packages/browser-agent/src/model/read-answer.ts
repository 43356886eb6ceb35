import { z } from 'zod/v4';
import { type ActionDefinition, inputText, type JsonSchema, jsonSchemaOf } from '../actions/action.js';
import type { AgentAction, AgentOutput, OutputMode } from '../agent-output.js';
import { shortened } from '../messages/frame.js';
import { fitted, isRecord } from './fit-input.js';
import { InvalidAnswer } from './invalid-answer.js';
import { ACTION_NAME_KEY } from './output-schema.js';
import { parseJson } from './parse-json.js';
import { isOpen } from './schema-dialects.js';

/** Actions of one answer that are looked at: the rest is dropped. */
const MOST_ACTIONS = 50;
const QUOTED_ANSWER = 1_500;
/** Characters of memory, of a plan, and of each other text. */
const MOST_TEXT = 20_000;
const TEXTS = ['thinking', 'evaluation', 'memory', 'progress', 'plan', 'nextGoal'] as const;
const FIELDS: ReadonlySet<string> = new Set([...TEXTS, 'actions', 'action']);
/** Where models write the name of an action, if it is not the key of its input, and where they write the input then. */
const NAME_KEYS = [ACTION_NAME_KEY, 'action', 'name', 'tool', 'type'];
const INPUT_KEYS = ['input', 'params', 'parameters', 'args', 'arguments'];

interface Reading {
  mode: OutputMode;
  actions: readonly ActionDefinition[];
}

interface ReadAnswer {
  output: AgentOutput;
  /** Fields that nobody knows, by their path. */
  ignored: string[];
}

/**
 * Reads what a model answered, as text or as an object. Another form of the same is taken, whatever can mean two things is not.
 *
 * @throws {InvalidAnswer} With what the answer says beside its actions.
 */
export function readAnswer(given: unknown, { mode, actions }: Reading): ReadAnswer {
  const data = unwrapped(typeof given === 'string' ? answerIn(given) : given);
  if (!isRecord(data))
    throw invalid(`expected object, not ${Array.isArray(data) ? 'a list' : typeof data}`, FRAMES[mode]);
  const kept = textsOf(data, mode);
  try {
    const read = listOf(data.actions ?? data.action, mode)
      .slice(0, MOST_ACTIONS)
      .map(action => checkedAction(action, actions));
    const unknown = Object.entries(data).flatMap(([key, value]) => (FIELDS.has(key) || value === null ? [] : key));
    return {
      output: { ...kept, actions: read.map(({ action }) => action) },
      ignored: [...unknown, ...read.flatMap(({ ignored }) => ignored)],
    };
  } catch (error) {
    if (!(error instanceof InvalidAnswer)) throw error;
    throw new InvalidAnswer(error.message, { kept });
  }
}

function answerIn(text: string): unknown {
  try {
    return parseJson(text, value => FIELDS_OF_ANSWER.some(field => field in (unwrapped(value) as object)));
  } catch (error) {
    throw invalid((error as Error).message, 'one JSON object and nothing else');
  }
}

const FIELDS_OF_ANSWER = [...FIELDS];

/** Some models put the answer into a list, or below a name of their own. */
function unwrapped(data: unknown): unknown {
  const only = Array.isArray(data) && data.length === 1 ? data[0] : data;
  if (!isRecord(only) || 'actions' in only) return only;
  const values = Object.values(only);
  const inner = values.length === 1 ? values[0] : undefined;
  return isRecord(inner) && 'actions' in inner ? inner : only;
}

function textsOf(data: Record<string, unknown>, mode: OutputMode): Omit<AgentOutput, 'actions'> {
  const [thinking, evaluation = '', memory = '', progress, plan, nextGoal = ''] = TEXTS.map(field =>
    textOf(data[field]),
  );
  if (mode === 'flash') return { evaluation: '', memory, nextGoal: '' };
  return {
    ...(thinking !== undefined && { thinking }),
    evaluation,
    memory,
    ...(progress !== undefined && { progress }),
    ...(plan !== undefined && { plan }),
    nextGoal,
  };
}

/** A list has a line for each of its parts. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return shortened(value, MOST_TEXT);
  const parts = Array.isArray(value) ? value : [value];
  return shortened(parts.map(each => (isRecord(each) ? JSON.stringify(each) : String(each))).join('\n'), MOST_TEXT);
}

function listOf(given: unknown, mode: OutputMode): Record<string, unknown>[] {
  const value = fromText(given);
  const list = (Array.isArray(value) ? value : [value ?? []].flat()).map(fromText);
  if (list.length === 0) throw invalid('expected at least one action', FRAMES[mode]);
  return list.map(action => {
    if (!isRecord(action)) throw invalid(`${shortened(JSON.stringify(action), 80)} is no action`, FRAMES[mode]);
    return action;
  });
}

function fromText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return answerIn(value);
}

/**
 * An action by its name, with an input that fits, and the fields that nobody knows.
 *
 * @throws {InvalidAnswer}
 */
export function checkedAction(
  action: Record<string, unknown>,
  actions: readonly ActionDefinition[],
): { action: AgentAction; ignored: string[] } {
  const { definition, given, besides } = namedIn(action, actions);
  const { name, input: schema } = definition;
  const written = jsonSchemaOf(schema);
  const read = fitted(schema, withoutText(given, written));
  if ('error' in read) throw invalid(`${name}: ${z.prettifyError(read.error)}`, `${name} ${inputText(schema)}`);
  const input = read.input as Record<string, unknown>;
  // A schema that is not strict passes over what it does not know.
  const unknown = isOpen(written) ? [] : Object.keys(input).filter(key => !(key in (written.properties ?? input)));
  for (const key of unknown) delete input[key];
  const ignored = [...besides, ...read.ignored, ...unknown].map(field => `${name}.${field}`);
  return { action: { [name]: input }, ignored };
}

interface Named {
  definition: ActionDefinition;
  given: unknown;
  /** Fields that belong to nothing. */
  besides: string[];
}

function namedIn(action: Record<string, unknown>, actions: readonly ActionDefinition[]): Named {
  // Strict schemas make models list all actions, with null for those that they do not mean.
  const meant = Object.entries(action).filter(([, input]) => input !== null && input !== undefined);
  const called = (name: unknown): ActionDefinition | undefined => actions.find(each => each.name === name);
  const asKeys = meant.filter(([key, input]) => called(key) !== undefined && typeof input !== 'string');
  const nameKey = NAME_KEYS.find(key => typeof action[key] === 'string' && called(action[key]) !== undefined);
  const definition = nameKey === undefined ? undefined : called(action[nameKey]);
  if (nameKey !== undefined && definition !== undefined && asKeys.length === 0) {
    const rest = Object.fromEntries(Object.entries(action).filter(([key]) => key !== nameKey));
    const { properties = {} } = jsonSchemaOf(definition.input);
    const inputKey = INPUT_KEYS.find(key => key in rest && !(key in properties));
    if (inputKey === undefined) return { definition, given: rest, besides: [] };
    const besides = Object.keys(rest).filter(key => key !== inputKey && rest[key] !== null);
    return { definition, given: rest[inputKey] ?? {}, besides };
  }
  const { action: inner } = action;
  if (meant.length === 1 && isRecord(inner) && called('action') === undefined) return namedIn(inner, actions);
  const names = meant.filter(([key]) => called(key) !== undefined);
  const [first, second] = names;
  if (first !== undefined && second === undefined) {
    const [name, given] = first;
    const besides = meant.flatMap(([key]) => (key === name ? [] : key));
    return { definition: called(name) as ActionDefinition, given, besides };
  }
  const [only] = Object.keys(action);
  const alone = Object.keys(action).length === 1 ? called(only) : undefined;
  if (alone !== undefined) return { definition: alone, given: {}, besides: [] };
  const [unknown] = nameKey === undefined ? NAME_KEYS.flatMap(key => textAt(action, key)) : [];
  const wrong = unknown ?? (meant.length === 1 ? meant[0]?.[0] : undefined);
  if (names.length === 0 && wrong !== undefined)
    throw invalid(
      `there is no action ${JSON.stringify(wrong.slice(0, 80))}`,
      `one of: ${actions.map(each => each.name).join(', ')}`,
    );
  throw invalid(`an action has ${names.length || meant.length} names`, 'each action as { "name": { its input } }');
}

function textAt(action: Record<string, unknown>, key: string): string[] {
  const value = action[key];
  return typeof value === 'string' ? [value] : [];
}

/** A field that takes any JSON is asked for as text where a schema has no words for that: an object in it is meant as one. */
function withoutText(given: unknown, { properties = {} }: JsonSchema): unknown {
  if (!isRecord(given)) return given;
  const entries = Object.entries(given).map(([key, value]) => {
    const { description: _, ...field } = properties[key] ?? { type: 'unknown' };
    const isAny = Object.keys(field).length === 0;
    if (!isAny || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return [key, value];
    try {
      return [key, JSON.parse(value)];
    } catch {
      // It is text that only begins like JSON.
      return [key, value];
    }
  });
  return Object.fromEntries(entries);
}

const FRAMES: Record<OutputMode, string> = {
  flash: '{ "memory": string, "actions": [{ "name": { input } }] }',
  full: '{ "thinking"?: string, "evaluation": string, "memory": string, "progress"?: string, "plan"?: string, "nextGoal": string, "actions": [{ "name": { input } }] }',
};

function invalid(what: string, expected: string): InvalidAnswer {
  const said = `${what}. Expected: ${expected}`;
  return new InvalidAnswer(said.length > QUOTED_ANSWER ? `${said.slice(0, QUOTED_ANSWER)}…` : said);
}
