import { BrowserToolset } from '@browser-toolset/agent-browser';
import type { MastraModelConfig } from '@mastra/core/llm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import type { ActionDefinition } from '../src/actions/action.js';
import { doneAction } from '../src/actions/done.js';
import { BrowserAgent, defineAction } from '../src/index.js';
import { ModelClient, sourcesOf } from '../src/model/model-client.js';
import { isLongSchema, outlineSchema, outputSchema } from '../src/model/output-schema.js';
import { familyOf } from '../src/model/providers.js';
import { PROVIDER_RULES } from './provider-rules.js';
import { ProviderServer, type Sent } from './provider-server.js';

const server = new ProviderServer();
const browser = new BrowserToolset();
const GOOGLE_ADDRESS = 'https://generativelanguage.googleapis.com';
const answer = JSON.stringify({
  evaluation: '',
  memory: '',
  nextGoal: '',
  actions: [{ done: { text: '', success: true } }],
});
const realFetch = globalThis.fetch;
const before = { ...process.env };

beforeAll(async () => {
  await server.start();
  for (const name of ['OPENAI', 'ANTHROPIC', 'DEEPSEEK', 'LLAMA', 'GROQ', 'MISTRAL', 'OPENROUTER']) {
    process.env[`${name}_BASE_URL`] = `${server.url}/v1`;
    process.env[`${name}_API_KEY`] = 'none';
  }
  process.env.GOOGLE_GENERATIVE_AI_API_KEY = 'none';
  // Its address cannot be set for a model that is a string.
  globalThis.fetch = (input, init) => realFetch(String(input).replace(GOOGLE_ADDRESS, server.url), init);
});

afterAll(async () => {
  globalThis.fetch = realFetch;
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  await Promise.all([server.stop(), browser.close()]);
});

/** The agent's own actions, and others with all that a schema can hold. */
function allActions(): ActionDefinition[] {
  const agent = new BrowserAgent({ browser, model: 'openai/gpt-5-mini' });
  return [...agent.actions, ...hardActions(), doneAction(z.object({ prices: z.record(z.string(), z.number()) }))];
}

function fewActions(): ActionDefinition[] {
  const agent = new BrowserAgent({ browser, model: 'openai/gpt-5-mini' });
  const names = ['click', 'extract', 'drag', 'press', 'scroll', 'wait', 'screenshot'];
  return [...agent.actions.filter(({ name }) => names.includes(name)), ...hardActions(), doneAction(undefined)];
}

function hardActions(): ActionDefinition[] {
  interface Tree {
    children?: Tree[] | undefined;
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.strictObject({ children: z.array(tree).optional() }));
  const input = z.strictObject({
    any: z.unknown(),
    names: z.record(z.string(), z.string()).optional(),
    pair: z.tuple([z.string(), z.number()]).optional(),
    kind: z.discriminatedUnion('is', [
      z.strictObject({ is: z.literal('a'), n: z.number().int().min(1).default(1) }),
      z.strictObject({
        is: z.literal('b'),
        list: z
          .array(z.enum(['x', 'y']))
          .min(1)
          .max(3)
          .nullable(),
      }),
    ]),
    level: z.literal([1, 2, 3]).optional(),
    address: z.email().max(200).optional(),
    tree: tree.optional(),
  });
  const inputs = {
    hard: input,
    bare: z.object({}),
    strict: z.strictObject({}),
    loose: z.looseObject({ code: z.string() }),
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    taken: z.object({ do: z.string() }),
  };
  return Object.entries(inputs).map(
    ([name, given]) => defineAction({ name, description: name, input: given, run: async () => '' }) as ActionDefinition,
  );
}

/** Asks a model whose provider refuses the first ways, and answers with the last request. */
async function askedOf(model: MastraModelConfig, actions: readonly ActionDefinition[], refused: number): Promise<Sent> {
  server.sent.length = 0;
  server.replies = (_, n) => (n < refused ? { status: 400 } : { text: answer });
  const client = new ModelClient(sourcesOf(model), { maxRetries: 0, timeout: 20_000, backoff: 1 });
  const { given } = await client.ask({
    system: 'the form stands in the schema',
    text: 'page',
    schema: outputSchema('full', actions),
    inPrompt: {
      system: 'the form stands in the prompt',
      schema: outlineSchema('full'),
      isShorter: isLongSchema('full', actions),
    },
    signal: new AbortController().signal,
  });
  expect(JSON.parse(given)).toEqual(JSON.parse(answer));
  expect(server.sent).toHaveLength(refused + 1);
  return server.sent.at(-1) as Sent;
}

interface Form {
  way: 'strict' | 'schema' | 'json' | 'tool' | 'text';
  schema?: Record<string, unknown>;
  /** Whether the prompt lists the actions. */
  isListed: boolean;
}

/** The form in a request, wherever its protocol has it. */
function formIn({ body }: Sent): Form {
  const { text, response_format, generationConfig, tools } = body as {
    text?: { format?: { type: string; strict?: boolean; schema?: Record<string, unknown> } };
    response_format?: { type: string; json_schema?: { strict?: boolean; schema: Record<string, unknown> } };
    generationConfig?: { responseMimeType?: string; responseSchema?: Record<string, unknown> };
    tools?: Record<string, unknown>[];
  };
  const isListed = JSON.stringify(body).includes('the form stands in the prompt');
  if (tools !== undefined) {
    const [tool = {}] = tools;
    const { parameters, input_schema } = { ...tool, ...(tool.function as object) } as Record<
      string,
      Record<string, unknown>
    >;
    return { way: 'tool', schema: (parameters ?? input_schema) as Record<string, unknown>, isListed };
  }
  const schema = text?.format?.schema ?? response_format?.json_schema?.schema ?? generationConfig?.responseSchema;
  const isStrict = text?.format?.strict ?? response_format?.json_schema?.strict ?? false;
  if (schema !== undefined) return { way: isStrict ? 'strict' : 'schema', schema, isListed };
  const isJson = response_format?.type === 'json_object' || generationConfig?.responseMimeType !== undefined;
  return { way: isJson ? 'json' : 'text', isListed };
}

type Asked = [refused: number, way: Form['way'], isListed: boolean, rules?: keyof typeof PROVIDER_RULES];

/** With few actions these stand in the schema, where its provider heeds it. */
const WITH_FEW: [model: string, asked: Asked[]][] = [
  [
    'openai/gpt-5-mini',
    [
      [0, 'strict', false, 'openaiStrict'],
      [1, 'tool', false, 'openaiStrict'],
      [2, 'text', true],
    ],
  ],
  [
    'anthropic/claude-sonnet-4-5',
    [
      [0, 'tool', false, 'anthropicTool'],
      [1, 'text', true],
    ],
  ],
  [
    'google/gemini-2.5-flash',
    [
      [0, 'schema', false, 'google'],
      [1, 'json', true],
      [2, 'text', true],
    ],
  ],
  [
    'deepseek/deepseek-chat',
    [
      [0, 'json', true],
      [1, 'tool', true, 'jsonSchema'],
      [2, 'text', true],
    ],
  ],
  [
    'llama/llama-4-scout',
    [
      [0, 'schema', true, 'jsonSchema'],
      [1, 'tool', true, 'jsonSchema'],
      [2, 'text', true],
    ],
  ],
  [
    'groq/llama-3.3-70b-versatile',
    [
      [0, 'schema', true, 'jsonSchema'],
      [1, 'tool', true, 'jsonSchema'],
    ],
  ],
  [
    'mistral/mistral-large-latest',
    [
      [0, 'schema', true, 'jsonSchema'],
      [1, 'tool', true, 'jsonSchema'],
    ],
  ],
  [
    'openrouter/openai/gpt-5',
    [
      [0, 'json', true],
      [1, 'tool', true, 'jsonSchema'],
      [2, 'text', true],
    ],
  ],
];

/** All of them stand in the prompt, which says it shorter. */
const WITH_ALL: [model: string, asked: Asked[]][] = [
  [
    'openai/gpt-5-mini',
    [
      [0, 'schema', true, 'jsonSchema'],
      [1, 'tool', true, 'jsonSchema'],
      [2, 'text', true],
    ],
  ],
  [
    'anthropic/claude-sonnet-4-5',
    [
      [0, 'tool', true, 'anthropicTool'],
      [1, 'text', true],
    ],
  ],
  [
    'google/gemini-2.5-flash',
    [
      [0, 'json', true],
      [1, 'text', true],
    ],
  ],
  [
    'llama/llama-4-scout',
    [
      [0, 'schema', true, 'jsonSchema'],
      [1, 'tool', true, 'jsonSchema'],
      [2, 'text', true],
    ],
  ],
];

describe.each([
  ['few actions', WITH_FEW, fewActions],
  ['all actions', WITH_ALL, allActions],
])('a request with %s', (_, models, actions) => {
  test.each(models)('to %s keeps to the rules of its provider, whichever way it is asked', async (model, asked) => {
    for (const [refused, way, isListed, rules] of asked) {
      const form = formIn(await askedOf(model as MastraModelConfig, actions(), refused));
      expect([refused, form.way, form.isListed]).toEqual([refused, way, isListed]);
      expect(form.schema === undefined).toBe(rules === undefined);
      if (rules !== undefined && form.schema !== undefined)
        expect(PROVIDER_RULES[rules].check(form.schema), PROVIDER_RULES[rules].source).toEqual([]);
    }
  });
});

test.each([
  ['openai.chat', 'openai'],
  ['azure.responses', 'openai'],
  ['azure.deepseek', 'deepseek'],
  ['vertex.anthropic.messages', 'anthropic'],
  ['google.vertex.chat', 'google'],
  ['openai-compatible', 'any'],
  ['amazon-bedrock', 'any'],
])('%s is asked as %s is', (provider, family) => {
  expect(familyOf({ provider }).name).toBe(family);
});

test('a server that speaks OpenAI’s protocol may know no schemas: the prompt has the actions beside one', async () => {
  const model = { id: 'local/mind', url: `${server.url}/v1`, apiKey: 'none' } as const;
  const { way, isListed } = formIn(await askedOf(model, fewActions(), 0));
  expect([way, isListed]).toEqual(['schema', true]);
});

test('what can be left out can be null where every field is required', async () => {
  const { schema } = formIn(await askedOf('openai/gpt-5-mini', fewActions(), 0));
  const { anyOf } = (schema as { properties: { actions: { items: { anyOf: Strict[] } } } }).properties.actions.items;
  const click = anyOf.find(({ properties }) => properties.do?.enum?.includes('click'));
  expect(click?.properties.x).toMatchObject({ type: ['number', 'null'] });
  expect(click?.properties.button).toMatchObject({ type: ['string', 'null'], enum: ['left', 'right', 'middle', null] });
  expect(click?.properties.modifiers?.anyOf).toContainEqual({ type: 'null' });
});

test('an action without an input is asked for by its name', async () => {
  const { schema } = formIn(await askedOf('openai/gpt-5-mini', fewActions(), 0));
  const { anyOf } = (schema as { properties: { actions: { items: { anyOf: Strict[] } } } }).properties.actions.items;
  const bare = anyOf.filter(({ properties }) => /bare|strict/.test(JSON.stringify(properties.do ?? '')));
  expect(bare.map(({ properties }) => Object.keys(properties))).toEqual([['do'], ['do']]);
});

interface Strict {
  properties: Record<string, { enum?: unknown[]; anyOf?: unknown[] }>;
}
