import { INSTRUCTIONS } from '@browser-toolset/playground/dist/demo/instructions.js';
import { readModelOutput } from '@browser-toolset/playground/dist/demo/model-output.js';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import type { InputProcessor } from '@mastra/core/processors';
import type { TracedCall, TracedStep } from '../suite/task.ts';
import type { Player } from './player.ts';

type Step = Awaited<ReturnType<Agent['generate']>>['steps'][number];

/** A plain Mastra agent with the same toolset in its browser slot. */
export const playPlain: Player = async ({ prompt, browser, threadId, model, maxSteps, signal, onStep, between }) => {
  const plain = new Agent({
    id: 'plain',
    name: 'Plain',
    instructions: INSTRUCTIONS,
    model,
    browser,
    inputProcessors: [pausing(between)],
  });
  // Mastra would print what goes wrong with its stack; the result says it in a sentence.
  const agent = new Mastra({ agents: { plain }, logger: false }).getAgent('plain');
  let number = 0;
  try {
    const { finishReason, steps } = await agent.generate(prompt, {
      memory: { thread: threadId, resource: 'eval' },
      maxSteps,
      abortSignal: signal,
      onStepFinish: step => {
        const traced = tracedStep(step as unknown as Step, number + 1);
        // A question that failed ends as a step as well, with nothing in it.
        if (traced.said === '' && traced.calls.length === 0 && traced.tokens.output === 0) return;
        number++;
        onStep(traced);
      },
    });
    signal.throwIfAborted();
    const ended = finishReason === 'stop' ? 'done' : finishReason === 'tool-calls' ? 'max_steps' : `${finishReason}`;
    return {
      answer: steps.at(-1)?.text ?? '',
      ended,
      record: steps.map(({ response }) => response.messages ?? []).at(-1),
    };
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return { answer: '', ended: 'failures', error: message, record: [] };
  }
};

/** The agent's callback for steps holds nothing up; its processors do. */
function pausing(between: (number: number) => Promise<void>): InputProcessor {
  return {
    id: 'eval-pause',
    processInputStep: async ({ stepNumber }) => {
      if (stepNumber > 0) await between(stepNumber);
      return {};
    },
  };
}

function tracedStep({ text, toolCalls, toolResults, usage }: Step, number: number): TracedStep {
  const calls = toolCalls.map(({ payload: { toolCallId, toolName, args } }): TracedCall => {
    const answer = toolResults.find(({ payload }) => payload.toolCallId === toolCallId);
    if (answer === undefined) return { name: toolName, input: args, success: false, text: 'It has no result.' };
    const { result, read } = readModelOutput(answer);
    return { name: toolName, input: args, success: result.success !== false && !answer.payload.isError, text: read };
  });
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 } = usage;
  return { number, said: text, calls, tokens: { input: inputTokens, output: outputTokens, cached: cachedInputTokens } };
}
