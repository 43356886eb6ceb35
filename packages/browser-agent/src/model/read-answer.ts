import { z } from 'zod/v4';
import { type ActionDefinition, inputText } from '../actions/action.js';
import { type AgentAction, type AgentOutput, OUTPUT_FRAMES, type OutputMode } from '../agent-output.js';
import { parseJson } from './parse-json.js';

/** An answer that does not fit, with what was expected in words for the model. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
}

/** Actions of one answer that are looked at: the rest is dropped. */
const MOST_ACTIONS = 50;
const QUOTED_ANSWER = 1_500;

/**
 * Reads what a model answered, as text or as an object.
 *
 * @throws {InvalidAnswer}
 */
export function readAnswer(
  given: unknown,
  { mode, actions }: { mode: OutputMode; actions: readonly ActionDefinition[] },
): AgentOutput {
  const data = unwrapped(typeof given === 'string' ? json(given) : given);
  const check = (given: readonly Record<string, unknown>[]): AgentAction[] =>
    given.slice(0, MOST_ACTIONS).map(action => checkedAction(action, actions));
  if (mode === 'flash') {
    const { memory, actions: given } = framed(OUTPUT_FRAMES.flash, data, mode);
    return { evaluation: '', memory, nextGoal: '', actions: check(given) };
  }
  const answer = framed(OUTPUT_FRAMES.full, data, mode);
  const { thinking, evaluation, memory, progress, plan, nextGoal } = answer;
  return {
    ...(thinking != null && { thinking }),
    evaluation,
    memory,
    ...(progress != null && { progress }),
    ...(plan != null && { plan }),
    nextGoal,
    actions: check(answer.actions),
  };
}

function framed<Frame extends z.ZodType>(frame: Frame, data: unknown, mode: OutputMode): z.output<Frame> {
  const parsed = frame.safeParse(data);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error), expectedFrame(mode));
  return parsed.data;
}

function json(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw invalid((error as Error).message, 'one JSON object and nothing else');
  }
}

/** Some models put the answer into a list, or below a name of their own. */
function unwrapped(data: unknown): unknown {
  const only = Array.isArray(data) && data.length === 1 ? data[0] : data;
  if (typeof only !== 'object' || only === null || 'actions' in only) return only;
  const values = Object.values(only);
  const inner = values.length === 1 ? values[0] : undefined;
  return typeof inner === 'object' && inner !== null && 'actions' in inner ? inner : only;
}

/**
 * An action by its name, with an input that fits.
 *
 * @throws {InvalidAnswer}
 */
export function checkedAction(action: Record<string, unknown>, actions: readonly ActionDefinition[]): AgentAction {
  // Strict schemas make models list all actions, with null for those that they do not mean.
  const named = Object.entries(action).filter(([, input]) => input !== null && input !== undefined);
  const [entry] = named;
  if (entry === undefined || named.length > 1)
    throw invalid(`an action has ${named.length} names`, 'each action as { "name": { its input } }');
  const [name, given] = entry;
  const definition = actions.find(each => each.name === name);
  if (definition === undefined)
    throw invalid(
      `there is no action ${JSON.stringify(name.slice(0, 80))}`,
      `one of: ${actions.map(each => each.name).join(', ')}`,
    );
  const bare = withoutNulls(given);
  const { data } = given as { data?: unknown };
  const readings = [given, ...(name === 'done' && data != null ? [{ ...(bare as object), data }] : []), bare];
  const input = readings.find(each => definition.input.safeParse(each).success);
  if (input === undefined) {
    const { error } = definition.input.safeParse(bare);
    throw invalid(`${name}: ${error && z.prettifyError(error)}`, `${name} ${inputText(definition.input)}`);
  }
  return { [name]: input as Record<string, unknown> };
}

/** Strict schemas make models write null for a field that they leave out. Where it is a value, the input fits as it is. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function expectedFrame(mode: OutputMode): string {
  return mode === 'flash'
    ? '{ "memory": string, "actions": [{ "name": { input } }] }'
    : '{ "thinking"?: string, "evaluation": string, "memory": string, "progress"?: string, "plan"?: string, "nextGoal": string, "actions": [{ "name": { input } }] }';
}

function invalid(what: string, expected: string): InvalidAnswer {
  const said = `${what}. Expected: ${expected}`;
  return new InvalidAnswer(said.length > QUOTED_ANSWER ? `${said.slice(0, QUOTED_ANSWER)}…` : said);
}
