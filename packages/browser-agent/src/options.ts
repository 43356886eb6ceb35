import { z } from 'zod/v4';
import { modelPrice } from './model/token-usage.js';

const positive = z.number().int().min(1);

/** Options that are plain values. Their descriptions are the table of the README. */
export const agentOptions = z.strictObject({
  mode: z
    .enum(['full', 'flash'])
    .default('full')
    .describe('What the model writes at each step: `flash` asks for memory and actions alone.'),
  instructions: z.string().max(20_000).optional().describe('Your own instructions, at the end of the system prompt.'),
  vision: z
    .union([z.boolean(), z.literal('auto')])
    .default('auto')
    .describe(
      'Whether the model sees pictures. `auto`: where the page has little text, and when the model asks by `screenshot`.',
    ),
  visionLabels: z
    .boolean()
    .default(false)
    .describe('Draws refs on the pictures, which takes about 200 ms more for each.'),
  maxSteps: positive.max(10_000).default(50).describe('Steps of a run; in the last one only `done` is offered.'),
  maxActionsPerStep: positive.max(50).default(5).describe('Actions that the model may put into one step.'),
  maxFailures: positive.max(100).default(3).describe('Failures in a row after which a run ends.'),
  maxDuration: z
    .number()
    .positive()
    .optional()
    .describe('Seconds after which a run ends. What it waits for a person, or is paused, does not count.'),
  maxTokens: positive.optional().describe('Tokens, of questions and answers together, after which a run ends.'),
  snapshotTokens: positive
    .min(200)
    .max(1_000_000)
    .optional()
    .describe('Tokens of the page at each step; else as the toolset says.'),
  modelTimeout: z.number().positive().default(120).describe('Seconds until an answer of the model is given up.'),
  modelRetries: z
    .number()
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe('Tries after a failed one before the next model is asked.'),
  modelBackoff: z
    .number()
    .min(0)
    .default(1_000)
    .describe(
      'Milliseconds until the first of these tries, twice as long before each further one. A `retry-after` of the server takes precedence; if it asks for more than a minute, the next model is asked at once.',
    ),
  prices: z
    .record(z.string(), modelPrice)
    .optional()
    .describe(
      'US dollars for a million tokens of models, by their ids, such as `{ "openai/gpt-5-mini": { input: 0.25, output: 2, cached: 0.025 } }`: the history then has the `cost`.',
    ),
  searchUrl: z
    .string()
    .regex(/^https?:\/\/.*%s/, 'expected an address with %s where the query stands')
    .default('https://duckduckgo.com/?q=%s')
    .describe('Where `search` searches; `%s` stands for the query.'),
  folder: z
    .string()
    .optional()
    .describe('Where runs keep their files, each in a folder of its own; else in the folder for temporary files.'),
  only: z
    .array(z.string())
    .optional()
    .describe('Names of the only actions that the model has; `done` is always there.'),
  except: z.array(z.string()).optional().describe('Names of actions that the model does not have.'),
});

export type AgentOptions = z.output<typeof agentOptions>;
export type AgentOptionsInput = z.input<typeof agentOptions>;

/** @throws With the name of the option that is wrong. */
export function parseOptions(given: AgentOptionsInput): AgentOptions {
  return checked(agentOptions, given);
}

/** @throws {TypeError} For what no Mastra agent takes as its model. */
export function checkModel(option: string, model: unknown): void {
  const some = "what a Mastra agent takes, such as 'openai/gpt-5-mini', or a list of such";
  if (model === undefined || (Array.isArray(model) && model.length === 0))
    throw new TypeError(`BrowserAgent: ${option} is missing; give ${some}`);
  if (![model].flat().every(isModel)) throw new TypeError(`BrowserAgent: ${option} must be ${some}`);
}

function isModel(model: unknown): boolean {
  if (typeof model === 'string') return model.includes('/');
  if (typeof model !== 'object' || model === null) return typeof model === 'function';
  const { modelId, id } = model as { modelId?: unknown; id?: unknown };
  return typeof (modelId ?? id) === 'string';
}

export const calledBack = z.custom<(...given: never[]) => unknown>(
  value => typeof value === 'function',
  'expected a function',
);
export const zodSchema = z.custom<z.ZodType>(
  value => typeof value === 'object' && value !== null && '_zod' in value,
  'expected a schema of zod 4, such as z.object({ … })',
);

const ownActions = z.array(
  z.object({ name: z.string(), description: z.string(), input: zodSchema, run: calledBack }),
  'expected a list',
);

/** @throws {TypeError} For what `defineAction` does not make. */
export function checkActions(actions: unknown): void {
  checked(z.object({ actions: ownActions }), { actions });
}

export function checked<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new TypeError(`BrowserAgent: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
