import { type ActionDefinition, type JsonSchema, jsonSchemaOf, toldDescription } from '../actions/action.js';
import type { OutputMode } from '../agent-output.js';
import { inDialect, isOpen } from './schema-dialects.js';

/** Names the action where it stands beside its input: `{ "do": "click", "ref": "@e4" }`, which takes fewer words to describe. */
export const ACTION_NAME_KEY = 'do';

/** The JSON Schema of an answer, with all that there is to know of the actions. */
export function outputSchema(mode: OutputMode, actions: readonly ActionDefinition[]): JsonSchema {
  return frame(mode, { anyOf: actions.map(actionSchema) });
}

/** Characters of a schema with all actions, strictly written, up to which it is sent: a prompt says more of them in fewer words. */
const LONGEST_SCHEMA = 8_000;

/** Whether the actions stand better in the prompt. It is the same for all steps of a run, as its prompt is. */
export function isLongSchema(mode: OutputMode, actions: readonly ActionDefinition[]): boolean {
  return JSON.stringify(inDialect(outputSchema(mode, actions), 'strict')).length > LONGEST_SCHEMA;
}

/** The JSON Schema of an answer without the actions, which stand in the system prompt then. */
export function outlineSchema(mode: OutputMode): JsonSchema {
  return frame(mode, { type: 'object', additionalProperties: true });
}

function frame(mode: OutputMode, action: JsonSchema): JsonSchema {
  const text: JsonSchema = { type: 'string' };
  const said: Record<string, JsonSchema> =
    mode === 'flash'
      ? { memory: text }
      : { thinking: text, evaluation: text, memory: text, progress: text, plan: text, nextGoal: text };
  return {
    type: 'object',
    properties: { ...said, actions: { type: 'array', items: action } },
    required: mode === 'flash' ? ['memory', 'actions'] : ['evaluation', 'memory', 'nextGoal', 'actions'],
    additionalProperties: false,
  };
}

function actionSchema(definition: ActionDefinition): JsonSchema {
  const { name, input } = definition;
  const schema = jsonSchemaOf(input);
  const { properties = {}, required = [] } = schema;
  const description = toldDescription(definition);
  if (schema.type !== 'object' || ACTION_NAME_KEY in properties || isOpen(schema))
    return closed({ [name]: schema }, [name], description);
  const named = { [ACTION_NAME_KEY]: { type: 'string', enum: [name] }, ...properties };
  return closed(plainRefs(named), [ACTION_NAME_KEY, ...required], description);
}

function closed(properties: Record<string, JsonSchema>, required: string[], description: string): JsonSchema {
  return { type: 'object', description, properties, required, additionalProperties: false };
}

/** The prompt says what a ref is. */
function plainRefs(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return JSON.parse(
    JSON.stringify(properties, (key, value) =>
      key === 'description' && typeof value === 'string' && value.startsWith('Ref from the snapshot')
        ? undefined
        : value,
    ),
  );
}
