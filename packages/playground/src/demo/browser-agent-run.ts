import type { BrowserToolset } from '@browser-toolset/agent-browser';
import { BrowserAgent } from '@browser-toolset/browser-agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { Printer } from './printer.js';

export interface BrowserAgentRun {
  readonly browser: BrowserToolset;
  readonly model: MastraModelConfig;
  readonly task: string;
  readonly threadId: string;
  readonly maxSteps: number;
  readonly printer: Printer;
  readonly signal: AbortSignal;
}

/** Lets a browser agent do a task and prints each step. Resolves to why it ended, as `runAgent` says it. */
export async function runBrowserAgent(options: BrowserAgentRun): Promise<string> {
  const { browser, model, task, threadId, maxSteps, printer, signal } = options;
  const agent = new BrowserAgent({ browser, model, maxSteps });
  const run = agent.run({ task, threadId, signal });
  run.on('model-failed', ({ error, delay }) =>
    printer.note(`The model call failed: ${error}. Trying again in ${Math.round(delay)} ms.`),
  );
  for await (const { step, output, results, error, usage } of run) {
    printer.title(step === 0 ? 'Start' : `Step ${step}`);
    if (output?.evaluation) printer.note(output.evaluation);
    if (output?.nextGoal) printer.said(output.nextGoal);
    for (const { action, success, text, duration } of results)
      printer.line(`  ${success ? '✓' : '✗'} ${action}: ${text} (${duration} ms)`);
    if (error !== undefined) printer.line(`  ✗ ${error}`);
    if (usage.input > 0) printer.note(`${usage.input} tokens in, ${usage.output} out`);
  }
  signal.throwIfAborted();
  const { success, stopReason, problem = '', result = problem } = await run.result;
  printer.said(result);
  return success
    ? 'stop'
    : stopReason === 'max_steps'
      ? 'tool-calls'
      : `${stopReason}${result === '' ? '' : `: ${result}`}`;
}
