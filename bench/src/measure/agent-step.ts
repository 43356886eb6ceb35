import { BrowserToolset } from '@browser-toolset/agent-browser';
import { BrowserAgent, type StepRecord } from '@browser-toolset/browser-agent';
import type { PageServer } from '../../pages/server.ts';
import { chromiumPath } from '../chromium.ts';
import { type Spread, spread } from '../statistics.ts';

/** What a step of the browser agent costs beside its model and its actions, in milliseconds. */
export interface AgentStepResults {
  steps: number;
  plain: Spread;
  withPicture: Spread;
}

const SCROLLS = 40;

/** Plays runs of steps that scroll on a page of a shop, with a model that answers at once. */
export async function measureAgentSteps(server: PageServer): Promise<AgentStepResults> {
  const toolset = new BrowserToolset({ executablePath: chromiumPath() });
  const own = async (vision: boolean): Promise<Spread> => {
    const agent = new BrowserAgent({
      browser: toolset,
      model: scrolling(),
      vision,
      maxSteps: SCROLLS + 1,
      maxFailures: 100,
    });
    const { history } = await agent.run({
      task: 'Scroll',
      url: server.url('shop-listing'),
      threadId: `vision-${vision}`,
    }).result;
    // The first step compiles what the others run.
    return spread(history.steps.slice(2).map(ownTime));
  };
  try {
    return { steps: SCROLLS, plain: await own(false), withPicture: await own(true) };
  } finally {
    await toolset.close();
  }
}

function ownTime({ duration, modelDuration, results }: StepRecord): number {
  return Math.max(0, duration - modelDuration - results.reduce((sum, result) => sum + result.duration, 0));
}

/** As Mastra's model interface has it; each step scrolls a little further. */
function scrolling() {
  let n = 0;
  const doGenerate = async () => {
    n++;
    const actions =
      n > SCROLLS ? [{ done: { text: 'Done', success: true } }] : [{ scroll: { direction: 'down', amount: 10 + n } }];
    const text = JSON.stringify({
      evaluation: 'Success',
      memory: `Scrolled ${n} times`,
      nextGoal: 'Scroll on',
      actions,
    });
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { content: [{ type: 'text' as const, text }], finishReason: 'stop' as const, usage, warnings: [] };
  };
  const doStream = async (): Promise<never> => {
    throw new Error('the agent asks for whole answers');
  };
  return {
    specificationVersion: 'v2' as const,
    provider: 'bench',
    modelId: 'scrolling',
    supportedUrls: {},
    doGenerate,
    doStream,
  };
}
