import { createTool } from '@mastra/core/tools';
import { z } from 'zod/v4';
import { STOP_REASONS, type StepRecord } from '../history/history.js';
import { actionsText } from '../messages/history-text.js';
import type { RunResult } from '../run/agent-run.js';

const input = z.object({
  task: z.string().min(1).describe('What is to be done, with all that is needed to know'),
  add_infos: z.string().optional().describe('Hints, such as where to begin'),
});

const outputSchema = z.object({
  success: z.boolean(),
  stopReason: z.enum(STOP_REASONS),
  result: z.string(),
  steps: z.number(),
  runId: z.string(),
  /** The question to a person that the agent waits for. */
  question: z.string().optional(),
});
export type AgentToolResult = z.infer<typeof outputSchema>;

/** An agent as far as its tool needs it. */
interface RunningAgent {
  readonly id: string;
  run(options: {
    task: string;
    addInfos?: string;
    threadId?: string;
    signal?: AbortSignal;
    onStep(record: StepRecord): Promise<void>;
  }): { readonly result: Promise<RunResult> };
}

/** The agent as a tool for others: a whole task in one call. Progress goes through the writer, a line a step. */
export function agentTool(agent: RunningAgent) {
  return createTool({
    id: 'run_browser_agent',
    description:
      'Have a browser agent do a whole task on the web by itself. It answers when it is done, which can take minutes.',
    inputSchema: input,
    outputSchema,
    execute: async ({ task, add_infos }, context): Promise<AgentToolResult> => {
      const threadId = context?.agent?.threadId;
      const { abortSignal, writer } = context ?? {};
      const run = agent.run({
        task,
        ...(add_infos !== undefined && { addInfos: add_infos }),
        // The pages of whoever calls stay theirs, and a second call goes on where the first one ended.
        ...(threadId !== undefined && { threadId: `${threadId}:${agent.id}` }),
        ...(abortSignal && { signal: abortSignal }),
        onStep: async ({ step, output }) => {
          if (output === undefined) return;
          const { evaluation, nextGoal } = output;
          await writer?.write({ type: 'browser-agent-step', step, evaluation, nextGoal, actions: actionsText(output) });
        },
      });
      const { success, stopReason, result = '', history, waitsFor } = await run.result;
      return {
        success,
        stopReason,
        result,
        steps: history.steps.length,
        runId: history.runId,
        ...(waitsFor?.question !== undefined && { question: waitsFor.question }),
      };
    },
    toModelOutput: (given: AgentToolResult) => {
      const { success, stopReason, result, question } = given;
      const end = success ? 'Done' : `Not done (${stopReason})`;
      const text = question === undefined ? `${end}: ${result}` : `${end}: the agent asks: ${question}`;
      return { type: 'text', value: text };
    },
  });
}
