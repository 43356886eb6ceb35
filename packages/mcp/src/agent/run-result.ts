import type { RunResult, StepRecord } from '@browser-toolset/browser-agent';
import { z } from 'zod/v4';
import type { ClientRun } from './agent-runs.js';

/**
 * The structured answer of `run_browser_agent`. `brain`, `actions` and `results` have the names of the Browser
 * Automation protocol.
 */
export const agentResult = z.object({
  success: z.boolean().describe('The task is done'),
  result: z.string().describe('The answer, or the progress so far'),
  stop_reason: z.string().optional().describe('Why the run ended; absent while it is running'),
  run_id: z.string(),
  history: z.string().describe('Uri of the resource with the whole run'),
  question: z.string().optional().describe('The question the agent is waiting for'),
  state: z.object({
    n_steps: z.number(),
    max_steps: z.number(),
    consecutive_failures: z.number(),
    stop_requested: z.boolean(),
    url: z.string().optional(),
    title: z.string().optional(),
  }),
  brain: z
    .object({
      prev_action_evaluation: z.string(),
      important_contents: z.string(),
      task_progress: z.string().optional(),
      future_plans: z.string().optional(),
      thought: z.string().optional(),
      summary: z.string(),
    })
    .optional()
    .describe('What the model says of the last step'),
  actions: z.array(z.record(z.string(), z.unknown())).describe('Actions of the last step'),
  results: z
    .array(
      z.object({
        extracted_content: z.string().optional(),
        long_term_memory: z.string().optional(),
        error: z.string().optional(),
        is_done: z.boolean().optional(),
        success: z.boolean().optional(),
        metadata: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .describe('Their outcomes'),
});
export type AgentResult = z.infer<typeof agentResult>;

/** What `run_browser_agent` may answer: the result of a run, or why there is none. Clients check failures against it, too. */
export const agentAnswer = agentResult.partial().extend({
  success: agentResult.shape.success,
  code: z.string().optional().describe('Why there is no run'),
  message: z.string().optional(),
  recoveryHint: z.string().optional(),
});

export function historyUri(runId: string): string {
  return `browser://history/${runId}`;
}

/** A run as the protocol tells it: while it goes on, or with how it ended. */
export function resultOf({ run, steps }: ClientRun, text: string, ended?: RunResult): AgentResult {
  const { state } = run;
  const last = steps.findLast(({ output }) => output !== undefined);
  const question = ended?.waitsFor?.question;
  return {
    success: ended?.success ?? false,
    result: text,
    ...(ended && { stop_reason: ended.stopReason }),
    run_id: run.runId,
    history: historyUri(run.runId),
    ...(question !== undefined && { question }),
    state: {
      n_steps: steps.at(-1)?.step ?? 0,
      max_steps: state.maxSteps,
      consecutive_failures: state.consecutiveFailures,
      stop_requested: state.stopRequested,
      ...(last && { url: last.url, title: last.title }),
    },
    ...(last?.output && { brain: brainOf(last.output) }),
    actions: last?.output?.actions ?? [],
    results: (last?.results ?? []).map(each => ({
      ...(each.extractedContent !== undefined && { extracted_content: each.extractedContent }),
      ...(each.longTermMemory !== undefined && { long_term_memory: each.longTermMemory }),
      ...(each.error !== undefined && { error: each.error }),
      ...(each.isDone !== undefined && { is_done: each.isDone }),
      success: each.success,
      ...(each.metadata !== undefined && { metadata: each.metadata }),
    })),
  };
}

function brainOf(output: NonNullable<StepRecord['output']>): NonNullable<AgentResult['brain']> {
  const { evaluation, memory, progress, plan, thinking, nextGoal } = output;
  return {
    prev_action_evaluation: evaluation,
    important_contents: memory,
    ...(progress !== undefined && { task_progress: progress }),
    ...(plan !== undefined && { future_plans: plan }),
    ...(thinking !== undefined && { thought: thinking }),
    summary: nextGoal,
  };
}
