import { z } from 'zod/v4';
import type { BrowserState } from '../browser/browser-state.js';
import type { BrowserTools, Suspended } from '../browser/browser-tools.js';
import type { ActionResult } from './action-result.js';
import type { RunFiles } from './run-files.js';

/** The parts of the run that an action can use. */
export interface ActionContext {
  tools: BrowserTools;
  /** The page as the model was told of it. */
  state: BrowserState;
  /** The run's own folder. */
  files: RunFiles;
  /** Asks the model that extracts; resolves to its text. */
  ask(question: string): Promise<string>;
  /** Names this call; the same when it is resumed. */
  callId: string;
  signal: AbortSignal;
  /** The answer of a person to a call that had to wait for them. */
  resumeData?: unknown;
}

/** The outcome of an action, as far as its own code says it. */
export type ActionOutcome = Partial<Omit<ActionResult, 'action' | 'input' | 'usage' | 'duration'>> & {
  /** Later actions of the step were meant for another page. */
  endsStep?: string;
  /** It waits for a person. */
  suspended?: Suspended;
};

/** One thing that the model can do. */
export interface ActionDefinition<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** The text that the model reads to choose it. */
  readonly description: string;
  readonly input: Input;
  /** Hosts on whose pages it exists, such as `example.com` or `*.example.com`; everywhere when left out. */
  readonly domains?: readonly string[];
  /** Its error is told to the model as its failure. A returned text describes the success. */
  run(input: z.output<Input>, context: ActionContext): Promise<ActionOutcome | string>;
}

const ACTION_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Defines an action of your own.
 *
 * @throws When the name is not in lower case with underscores.
 * @example
 * ```ts
 * const readCode = defineAction({
 *   name: 'read_code',
 *   description: 'Read the code that was sent to the phone',
 *   input: z.object({}),
 *   domains: ['login.example.com'],
 *   run: async () => ({ extractedContent: await phone.latestCode() }),
 * });
 * ```
 */
export function defineAction<Input extends z.ZodType>(definition: ActionDefinition<Input>): ActionDefinition<Input> {
  if (!ACTION_NAME.test(definition.name))
    throw new Error(
      `defineAction: name must be in lower case with underscores, not ${JSON.stringify(definition.name)}`,
    );
  return definition;
}

/** Whether an action exists on a page. */
export function existsOn({ domains }: Pick<ActionDefinition, 'domains'>, url: string): boolean {
  if (domains === undefined) return true;
  if (!URL.canParse(url)) return false;
  const { hostname, host } = new URL(url);
  return domains.some(domain => {
    const pattern = domain.toLowerCase();
    if (pattern.startsWith('*.')) return hostname.endsWith(pattern.slice(1));
    return pattern === hostname || pattern === host || hostname.endsWith(`.${pattern}`);
  });
}

/** What a model reads of an action beside its name and input. */
export function toldDescription({ description, domains }: ActionDefinition): string {
  return domains === undefined ? description : `${description} (only on ${domains.join(', ')})`;
}

/** The input of an action as a model reads it: `{ ref: string, text: string, submit?: boolean }`. */
export function inputText(input: z.ZodType): string {
  return typeText(jsonSchemaOf(input));
}

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema | JsonSchema[];
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  additionalProperties?: boolean | JsonSchema;
  /** Of OpenAPI. */
  nullable?: boolean;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
};

export function jsonSchemaOf(input: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
  return schema as JsonSchema;
}

function typeText(schema: JsonSchema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' | ');
  if (schema.enum !== undefined) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `(${[schema.items ?? {}].flat().map(typeText).join(' | ')})[]`;
  if (schema.properties !== undefined) {
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const isPlain = field.description === undefined || field.description.startsWith('Ref from the snapshot');
      const note = isPlain ? '' : ` /* ${field.description} */`;
      return `${name}${required.has(name) ? '' : '?'}: ${typeText(field)}${note}`;
    });
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  if (schema.type === 'object') return 'object';
  return [schema.type ?? 'unknown'].flat().join(' | ');
}
