import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { PageServer } from '../../pages/server.ts';
import { startDemoSite } from '../demo-site.ts';
import { costOf, type PromptCost } from '../prompt/prompt-tokens.ts';
import { openingGeneratedPages, openingSavedPages, STEPS, shopping } from '../prompt/runs.ts';
import { type NextCall, scriptedModel } from '../prompt/scripted-model.ts';
import { newToolset } from '../toolset.ts';

/** What the prompts of a long run cost, by the run and by what is done about them. */
export type PromptResults = Record<string, Partial<Record<Manner, PromptCost>>>;

/** `whole`: nothing is shortened. `at once`: each result as soon as it is out of date. `batches`: the default. */
type Manner = 'whole' | 'at once' | 'batches';

/** Plays runs of an agent of Mastra's, with its model replaced by a script, and weighs each prompt that it sends. */
export async function measurePrompt(server: PageServer, chosen: RegExp): Promise<PromptResults> {
  const shop = await startDemoSite();
  const runs: Record<string, () => NextCall> = {
    'demo shop': () => shopping(shop.url),
    'saved pages': () => openingSavedPages(server),
    'generated pages': () => openingGeneratedPages(server),
  };
  const results: PromptResults = {};
  try {
    for (const [name, run] of Object.entries(runs).filter(([name]) => chosen.test(name)))
      results[name] = {
        whole: await play(run(), undefined),
        'at once': await play(run(), { staleTokens: 0 }),
        batches: await play(run(), {}),
      };
  } finally {
    await shop.close();
  }
  return results;
}

/** @param prompt The toolset's options for prompts; without them it does nothing about them. */
async function play(next: NextCall, prompt: { staleTokens?: number } | undefined): Promise<PromptCost> {
  const toolset = await newToolset({ prompt });
  const model = scriptedModel(next);
  const common = { id: 'bench', name: 'Bench', instructions: 'Use the browser.', model };
  try {
    const agent =
      prompt === undefined
        ? new Agent({ ...common, tools: toolset.tools })
        : new Agent({ ...common, browser: toolset as unknown as NonNullable<AgentConfig['browser']> });
    await agent.generate('Go on.', { maxSteps: STEPS + 1 });
  } finally {
    await toolset.close();
  }
  if (model.prompts.length !== STEPS + 1) throw new Error(`the run ended after ${model.prompts.length} prompts`);
  return costOf(model.prompts);
}
