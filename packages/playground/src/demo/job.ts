import type { MastraModelConfig } from '@mastra/core/llm';
import type { DemoSite } from '../demo-site/index.js';
import { createScriptedAgentModel, createScriptedModel } from '../scripted-model/index.js';
import { buyAMug, buyAMugTask } from '../tasks/buy-a-mug.js';
import type { ChosenModel } from './model-choice.js';
import type { Options } from './options.js';
import { UsageError } from './usage-error.js';

interface Outcome {
  readonly succeeded: boolean;
  readonly sentence: string;
}

/** A task for the agent, its model, and the check whether it was done. */
export interface Job {
  readonly task: string;
  readonly model: MastraModelConfig;
  /** Who decides what to do next, in a sentence for the person watching. */
  readonly driver: string;
  outcome(reason: string): Outcome;
}

export const SCRIPTED =
  'No model is configured (MODEL is not set), so a script decides what to do next. Everything else is real: ' +
  "Mastra's agent loop, its model interface, the tools, Chromium and the shop.";

export function chooseJob(options: Options, model: ChosenModel | undefined, site: DemoSite): Job {
  const { task, url = site.url } = options;
  if (task && !model) {
    throw new UsageError(
      '--task needs a model: set MODEL, for example MODEL=openai/gpt-5, and that provider’s API key.',
    );
  }
  const driver = model ? `The model ${model.id} decides what to do next.` : SCRIPTED;
  if (task && model) {
    return {
      task: `${task}\n\nStart at ${url}`,
      model: model.config,
      driver,
      outcome: reason => taskOutcome(reason, options.maxSteps),
    };
  }
  const purchase = { task: buyAMugTask(site.url), driver, outcome: () => purchaseOutcome(site) };
  const scripted = options.agent === 'browser' ? createScriptedAgentModel(buyAMug) : createScriptedModel(buyAMug);
  return { ...purchase, model: model?.config ?? scripted };
}

function purchaseOutcome(site: DemoSite): Outcome {
  const [order] = site.orders();
  if (!order) return { succeeded: false, sentence: 'No order reached the shop.' };
  const items = order.lines.map(line => `${line.quantity} × ${line.name}`).join(', ');
  const total = `$${(order.total / 100).toFixed(2)}`;
  return { succeeded: true, sentence: `The shop's books agree: order ${order.number}, ${items}, ${total}.` };
}

/** Of a free task one can only see whether the model thinks it is through. */
function taskOutcome(reason: string, maxSteps: number): Outcome {
  if (reason === 'stop') return { succeeded: true, sentence: 'The model says that it is done.' };
  const why = reason === 'tool-calls' ? `it reached its limit of ${maxSteps} steps (--max-steps)` : reason;
  return { succeeded: false, sentence: `The model did not finish: ${why}.` };
}
