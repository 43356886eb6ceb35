import { BrowserToolset } from '@browser-toolset/agent-browser';
import { BrowserAgent } from '@browser-toolset/browser-agent';
import type { PageServer } from '../../pages/server.ts';
import { chromiumPath, viewport } from '../chromium.ts';
import { startDemoSite } from '../demo-site.ts';
import { agentOpeningPages, agentShopping, type NextActions, thoughtsAt } from '../prompt/agent-runs.ts';
import { STEPS } from '../prompt/runs.ts';
import { sum } from '../statistics.ts';
import { tokensOf } from '../tokens.ts';

/** Tokens of all requests of a run of the browser agent together. */
export interface AgentPromptCost {
  system: number;
  schema: number;
  /** The message of each step, and its part that tells what was done before. */
  message: number;
  history: number;
}

export type AgentPromptResults = Record<string, AgentPromptCost>;

/** Plays long runs of the browser agent, with its model replaced by a script, and weighs each request that it sends. */
export async function measureAgentPrompt(server: PageServer): Promise<AgentPromptResults> {
  const shop = await startDemoSite();
  try {
    return {
      'demo shop': await playRun(agentShopping(shop.url)),
      'generated pages': await playRun(agentOpeningPages(server)),
    };
  } finally {
    await shop.close();
  }
}

interface Request {
  system: string;
  message: string;
  schema: string;
}

async function playRun(next: NextActions): Promise<AgentPromptCost> {
  const browser = new BrowserToolset({ executablePath: chromiumPath(), viewport });
  const requests: Request[] = [];
  try {
    const agent = new BrowserAgent({ browser, model: scripted(next, requests), vision: false, maxSteps: STEPS + 10 });
    const { stopReason, problem } = await agent.run({ task: 'Compare what these pages say.' }).result;
    if (stopReason !== 'done' || requests.length !== STEPS + 1)
      throw new Error(`the run ended after ${requests.length} requests: ${problem ?? stopReason}`);
  } finally {
    await browser.close();
  }
  const total = (of: (request: Request) => string): number => sum(requests.map(each => tokensOf(of(each))));
  return {
    system: total(({ system }) => system),
    schema: total(({ schema }) => schema),
    message: total(({ message }) => message),
    history: total(({ message }) => between(message, 'agent_history')),
  };
}

function scripted(next: NextActions, requests: Request[]) {
  interface Options {
    prompt: readonly { role: string; content: unknown }[];
    responseFormat?: { type: string; schema?: unknown };
    tools?: unknown;
  }
  const doGenerate = async ({ prompt, responseFormat, tools }: Options) => {
    const system = prompt.flatMap(({ role, content }) => (role === 'system' ? [String(content)] : [])).join('\n');
    const parts = prompt.findLast(({ role }) => role === 'user')?.content as { text?: string }[];
    const message = parts.map(({ text = '' }) => text).join('\n');
    requests.push({ system, message, schema: JSON.stringify(responseFormat?.schema ?? tools ?? '') });
    const step = requests.length - 1;
    const actions = next(step, between(message, 'browser_state')) ?? [{ done: { text: 'Compared', success: true } }];
    const text = JSON.stringify({ ...thoughtsAt(step), actions });
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { content: [{ type: 'text' as const, text }], finishReason: 'stop' as const, usage, warnings: [] };
  };
  return {
    specificationVersion: 'v2' as const,
    provider: 'bench',
    modelId: 'script',
    supportedUrls: {},
    doGenerate,
    doStream: async (): Promise<never> => Promise.reject(new Error('The bench does not stream.')),
  };
}

function between(message: string, tag: string): string {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(message)?.[1] ?? '';
}
