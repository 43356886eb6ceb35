import { z } from 'zod/v4';
import { modelPrice } from './model/token-usage.js';

const positive = z.number().int().min(1);

/** Options that are plain values. Their descriptions are a table of the documentation. */
export const agentOptions = z.strictObject({
  mode: z
    .enum(['full', 'flash'])
    .default('full')
    .describe('What the model writes at each step: `flash` asks only for memory and actions.'),
  instructions: z
    .string()
    .max(20_000)
    .optional()
    .describe('Your own instructions, added at the end of the system prompt.'),
  vision: z
    .union([z.boolean(), z.literal('auto')])
    .default('auto')
    .describe(
      'Whether the model sees screenshots. `auto`: when the page has little text, and when the model asks with `screenshot`.',
    ),
  visionLabels: z
    .boolean()
    .default(false)
    .describe('Draws refs on the screenshots, which takes about 200 ms more for each.'),
  maxSteps: positive
    .max(10_000)
    .default(50)
    .describe('Maximum number of steps in a run; the last one offers only `done`.'),
  maxActionsPerStep: positive.max(50).default(5).describe('Maximum number of actions in one step.'),
  maxFailures: positive.max(100).default(3).describe('Number of consecutive failures after which a run ends.'),
  maxUnchangedSteps: positive
    .min(3)
    .max(10_000)
    .default(6)
    .describe(
      'Number of consecutive steps that change nothing on the page (address, content, scroll position) and read nothing new, after which a run ends as `stuck`. The model is warned after half of them.',
    ),
  maxDuration: z
    .number()
    .positive()
    .optional()
    .describe('Seconds after which a run ends. Time spent waiting for a person or paused does not count.'),
  maxTokens: positive
    .optional()
    .describe(
      'Tokens, input and output together, after which a run ends; checked after each action and each part of a page that `extract` reads.',
    ),
  snapshotTokens: positive
    .min(200)
    .max(1_000_000)
    .optional()
    .describe('Token budget for the page snapshot at each step. Default: `snapshot.maxTokens` of the toolset.'),
  fullText: z
    .enum(['small', 'always', 'never'])
    .default('small')
    .describe(
      'Whether each step shows the text of the page beside its controls, headings and short texts: of a small page (`small`), of every page (`always`), or of none (`never`). The model reads the rest with `read` and `find`.',
    ),
  modelTimeout: z.number().positive().default(120).describe('Seconds to wait for an answer of the model.'),
  modelRetries: z
    .number()
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe('Number of retries after a failed call before the next model is tried.'),
  modelBackoff: z
    .number()
    .min(0)
    .default(1_000)
    .describe(
      'Milliseconds before the first of these retries, doubled before each further one. A `retry-after` from the server takes precedence; if it asks for more than a minute, the next model is tried at once.',
    ),
  prices: z
    .record(z.string(), modelPrice)
    .optional()
    .describe(
      'US dollars per million tokens, by model id, such as `{ "openai/gpt-5-mini": { input: 0.25, output: 2, cached: 0.025 } }`: the history then has the `cost`.',
    ),
  searchUrl: z
    .string()
    .regex(/^https?:\/\/.*%s/, 'expected a URL with %s in place of the query')
    .default('https://duckduckgo.com/?q=%s')
    .describe('URL that `search` opens; `%s` stands for the query.'),
  folder: z
    .string()
    .optional()
    .describe('Folder in which each run gets its own folder for files. Default: the temporary folder of the system.'),
  only: z
    .array(z.string())
    .optional()
    .describe('Names of the only actions available to the model; `done` is always available.'),
  except: z.array(z.string()).optional().describe('Names of actions that are not available to the model.'),
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
