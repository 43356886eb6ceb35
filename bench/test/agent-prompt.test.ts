import { BrowserToolset } from '@browser-toolset/agent-browser';
import { BrowserAgent } from '@browser-toolset/browser-agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { afterAll, expect, test } from 'vitest';
import { tokensOf } from '../src/tokens.ts';

const browser = new BrowserToolset();
afterAll(() => browser.close());

/** Tokens of a step that say nothing of its page or its task: the system prompt, and the schema beside it. */
const MOST_FIXED = 3_000;

interface Asked {
  system: string;
  schema: string;
}

interface CallOptions {
  prompt: { role: string; content: unknown }[];
  responseFormat?: { schema?: object };
  tools?: { inputSchema: object }[];
}

/** What a model of this provider is sent at the first step of a run. */
async function askedOf(provider: string): Promise<Asked> {
  const asked: Asked[] = [];
  const done = { evaluation: '', memory: '', nextGoal: '', actions: [{ done: { text: 'x', success: true } }] };
  const model = {
    specificationVersion: 'v2',
    provider,
    modelId: 'mind',
    supportedUrls: {},
    doGenerate: async ({ prompt, responseFormat, tools }: CallOptions) => {
      const system = prompt.filter(({ role }) => role === 'system').map(({ content }) => String(content));
      const schema = responseFormat?.schema ?? tools?.[0]?.inputSchema;
      asked.push({ system: system.join('\n'), schema: schema === undefined ? '' : JSON.stringify(schema) });
      const content = [{ type: 'text', text: JSON.stringify(done) }];
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      return { content, finishReason: 'stop', usage, warnings: [] };
    },
  };
  const agent = new BrowserAgent({ browser, model: model as unknown as MastraModelConfig });
  const { stopReason } = await agent.run({ task: 'x', threadId: 'prompt' }).result;
  expect([stopReason, asked.length]).toEqual(['done', 1]);
  const names = agent.actions.map(({ name }) => name);
  const [first = { system: '', schema: '' }] = asked;
  const told = first.system + first.schema;
  expect(names.filter(name => !told.includes(`- ${name} `) && !told.includes(`["${name}"]`))).toEqual([]);
  return first;
}

test.each(['openai.responses', 'anthropic.messages', 'google.generative-ai', 'deepseek.chat', 'local.chat'])(
  'the fixed part of a step for %s is small, and has every action once',
  async provider => {
    const { system, schema } = await askedOf(provider);
    expect(tokensOf(system) + tokensOf(schema)).toBeLessThanOrEqual(MOST_FIXED);
    expect(`${system}${schema}`.split('Open a URL in the active tab').length).toBe(2);
  },
);

test('all runs have the same system prompt, so that caches hit', async () => {
  const [one, other] = [await askedOf('local.chat'), await askedOf('local.chat')];
  expect(one.system).toBe(other.system);
});
