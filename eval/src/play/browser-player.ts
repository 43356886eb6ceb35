import { BrowserAgent, type StepRecord } from '@browser-toolset/browser-agent';
import type { TracedStep } from '../suite/task.ts';
import type { Player } from './player.ts';

/** The browser agent with its defaults. */
export const playBrowser: Player = async ({ prompt, browser, threadId, model, maxSteps, signal, onStep, between }) => {
  const agent = new BrowserAgent({ browser, model, maxSteps });
  const run = agent.run({
    task: prompt,
    threadId,
    signal,
    onStep: async record => {
      onStep(tracedRecord(record));
      await between(record.step);
    },
  });
  const { stopReason, result = '', history } = await run.result;
  signal.throwIfAborted();
  const last = history.steps.at(-1);
  // A step without a model is one that no model answered.
  const isModelsFault = stopReason === 'failures' && last?.error !== undefined && last.model === undefined;
  return { answer: result, ended: stopReason, record: history, ...(isModelsFault && { error: last.error }) };
};

function tracedRecord({ step, output, results, error, usage }: StepRecord): TracedStep {
  const said = [
    output?.thinking,
    output?.evaluation,
    output?.memory && `Memory: ${output.memory}`,
    output?.nextGoal,
    error,
  ];
  // Those of `extract` and of the judge stand with the action that asked.
  const all = [usage, ...results.flatMap(each => each.usage ?? [])];
  return {
    number: step,
    said: said.filter(Boolean).join('\n'),
    calls: results.map(({ action, input, success, text, extractedContent }) => ({
      name: action,
      input,
      success,
      text: extractedContent ?? text,
    })),
    tokens: {
      input: sum(all.map(({ input }) => input)),
      output: sum(all.map(each => each.output)),
      cached: sum(all.map(({ cached = 0 }) => cached)),
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
