import { z } from 'zod/v4';
import type { AgentAction } from '../agent-output.js';
import { agentOptions, calledBack, checked, zodSchema } from '../options.js';
import type { RunHooks } from './agent-run.js';
import type { AgentState } from './agent-state.js';

export interface RunOptions<Output = unknown> extends Omit<RunHooks, 'save'> {
  /** The task. An address in it is opened first, unless there is a `url`. */
  task: string;
  /** Additional information for the task. */
  addInfos?: string;
  /** Opened before the first step. */
  url?: string;
  /** The schema of the result's data. */
  output?: z.ZodType<Output>;
  /**
   * Taken before the model is asked for the first time, after the page was opened, such as `[{ click: { x: 10, y: 10 } }]`.
   * The first that fails drops the rest, which the model is told.
   */
  initialActions?: AgentAction[];
  /** Whose browser it is: a run on the thread of an earlier one continues in its pages. Default: a new thread. */
  threadId?: string;
  signal?: AbortSignal;
  /** File that holds the history, written after each step. */
  historyFile?: string;
  /** Maximum steps of this run. Default: the agent's `maxSteps`. */
  maxSteps?: number;
  /** Called with the whole state after each step, to store it where another process can find it. */
  save?: (state: AgentState) => Promise<void>;
}

/** Options of one run. Their descriptions are a table of the documentation. */
export const runOptions = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1, 'task is empty')
    .describe('The task. An address in it is opened first, unless there is a `url`.'),
  addInfos: z.string().optional().describe('Additional information for the task.'),
  url: z.string().min(1).optional().describe('Opened before the first step.'),
  output: zodSchema.optional().describe("The schema, of zod, of the result's data."),
  initialActions: z
    .array(z.record(z.string(), z.record(z.string(), z.unknown())))
    .optional()
    .describe(
      'Actions taken one by one before the model is asked for the first time, such as `[{ click: { x: 10, y: 10 } }]`.',
    ),
  threadId: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Whose browser it is: a run on the thread of an earlier one continues in its pages. Default: a new thread.',
    ),
  signal: z.instanceof(AbortSignal).optional().describe('Stops the run.'),
  historyFile: z.string().min(1).optional().describe('File that holds the history, written after each step.'),
  maxSteps: agentOptions.shape.maxSteps
    .unwrap()
    .optional()
    .describe("Maximum steps of this run. Default: the agent's `maxSteps`."),
  onStep: calledBack
    .optional()
    .describe('Called with each step when it has ended. If it throws or rejects, the run ends with that error.'),
  onQuestion: calledBack
    .optional()
    .describe(
      "Answers the agent's questions to a person: a text, or `{ approved: true }` for an action. Undefined suspends the run. Any other answer, and an error, declines the action.",
    ),
  save: calledBack
    .optional()
    .describe('Called with the whole state after each step, to store it where another process can find it.'),
} satisfies Record<keyof RunOptions, z.ZodType>);

/** A run that goes on has its task. */
const resumeOptions = runOptions.partial().extend({ answer: z.unknown().optional() });

/** @throws {TypeError} With the name of the option that is wrong. */
export function checkRunOptions(given: unknown): void {
  checked(runOptions, given);
}

/** @throws {TypeError} With the name of the option that is wrong. */
export function checkResumeOptions(given: unknown): void {
  checked(resumeOptions, given);
}
