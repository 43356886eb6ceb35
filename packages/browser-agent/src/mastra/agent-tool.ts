import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod/v4';
import { STOP_REASONS, type StepRecord } from '../history/history.js';
import { actionsText } from '../messages/history-text.js';
import type { RunResult } from '../run/agent-run.js';
import { type AgentState, personsAnswer, waitingRun } from '../run/agent-state.js';

const input = z.object({
  task: z.string().min(1).describe('The task, with everything needed to do it'),
  add_infos: z.string().optional().describe('Hints, such as where to start'),
});

const agentResult = z.object({
  success: z.boolean(),
  stopReason: z.enum(STOP_REASONS),
  result: z.string(),
  /** Why it was not done. */
  problem: z.string().optional(),
  steps: z.number(),
  runId: z.string(),
  /** The question to a person that the agent waits for. */
  question: z.string().optional(),
});
export type AgentToolResult = z.infer<typeof agentResult>;

interface Following {
  signal?: AbortSignal;
  onStep(record: StepRecord): Promise<void>;
}

interface Running {
  readonly result: Promise<RunResult>;
}

/** An agent as far as its tool needs it. */
interface RunningAgent {
  readonly id: string;
  run(options: Following & { task: string; addInfos?: string; threadId?: string }): Running;
  resume(stored: AgentState, options: Following & { answer: unknown }): Running;
}

/**
 * The agent as a tool for others: a whole task in one call. Progress goes through the writer, a line a step. A question to a
 * person suspends whoever calls, where that can be: resumed with the answer, the task goes on.
 */
export function agentTool(agent: RunningAgent) {
  return createTool({
    id: 'run_browser_agent',
    description:
      'Have a browser agent complete a whole task on the web on its own. The call returns when the task has ended, which can take minutes.',
    inputSchema: input,
    outputSchema: agentResult,
    suspendSchema: waitingRun,
    resumeSchema: personsAnswer,
    execute: async ({ task, add_infos }, context): Promise<AgentToolResult | undefined> => {
      const threadId = context?.agent?.threadId;
      const { abortSignal, writer } = context ?? {};
      const { suspend, suspendPayload, resumeData: answer } = context?.agent ?? context?.workflow ?? {};
      const following: Following = {
        ...(abortSignal && { signal: abortSignal }),
        onStep: async ({ step, output }) => {
          if (output === undefined) return;
          const { evaluation, nextGoal } = output;
          await writer?.write({ type: 'browser-agent-step', step, evaluation, nextGoal, actions: actionsText(output) });
        },
      };
      const waiting = answer === undefined ? undefined : waitingRun.parse(suspendPayload);
      const run =
        waiting === undefined
          ? agent.run({
              task,
              ...(add_infos !== undefined && { addInfos: add_infos }),
              // The pages of whoever calls stay theirs, and a second call goes on where the first one ended.
              ...(threadId !== undefined && { threadId: `${threadId}:${agent.id}` }),
              ...following,
            })
          : agent.resume(waiting.state, { answer, ...following });
      const { success, stopReason, result = '', problem, history, waitsFor, state } = await run.result;
      if (waitsFor !== undefined && suspend !== undefined) {
        await suspend({ ...waitsFor, state });
        return undefined;
      }
      return {
        success,
        stopReason,
        result,
        ...(problem !== undefined && { problem }),
        steps: history.steps.length,
        runId: history.runId,
        ...(waitsFor?.question !== undefined && { question: waitsFor.question }),
      };
    },
    toModelOutput: (given: AgentToolResult) => {
      const { success, stopReason, result, problem, question } = given;
      const end = success ? 'Done' : `Not done (${stopReason})`;
      const said = question === undefined ? [result, problem].filter(Boolean).join(' ') : `the agent asks: ${question}`;
      // The agent has read pages: their words may be in its own.
      return { type: 'text', value: said === '' ? `${end}.` : `${end}:\n${betweenBoundaries(said)}` };
    },
  });
}
