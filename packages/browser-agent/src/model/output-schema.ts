import { type ActionDefinition, type JsonSchema, jsonSchemaOf } from '../actions/action.js';
import type { OutputMode } from '../agent-output.js';

/** The JSON Schema of an answer, with the actions that there are. */
export function outputSchema(mode: OutputMode, actions: readonly ActionDefinition[]): JsonSchema {
  const text: JsonSchema = { type: 'string' };
  const said: Record<string, JsonSchema> =
    mode === 'flash'
      ? { memory: text }
      : { thinking: text, evaluation: text, memory: text, progress: text, plan: text, nextGoal: text };
  return {
    type: 'object',
    properties: { ...said, actions: { type: 'array', items: { anyOf: actions.map(actionSchema) } } },
    required: mode === 'flash' ? ['memory', 'actions'] : ['evaluation', 'memory', 'nextGoal', 'actions'],
    additionalProperties: false,
  };
}

/** Descriptions stand in the system prompt. */
function actionSchema({ name, input }: ActionDefinition): JsonSchema {
  return {
    type: 'object',
    properties: { [name]: bare(jsonSchemaOf(input)) },
    required: [name],
    additionalProperties: false,
  };
}

function bare(schema: unknown): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)),
  );
}
