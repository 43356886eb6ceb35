import { z } from 'zod';

const count = z.number().min(0);

/** What an agent made of a model that errs. */
const faultFindings = z.object({
  /** How often the model erred, by the kind of fault. */
  counts: z.record(z.string(), count),
  /** Steps at which no answer was taken. */
  lostSteps: count,
  /** The agent says that the task is done, and it is not. */
  falseSuccess: z.boolean(),
  /** Actions that were carried out and that the model did not mean. */
  wrong: z.array(z.string()),
});
export type FaultFindings = z.infer<typeof faultFindings>;

/** One run of one task by one agent. */
const runResult = z.object({
  task: z.string(),
  site: z.string(),
  level: z.string().optional(),
  agent: z.enum(['browser', 'plain']),
  /** Which of the repeats it is, from 1. */
  repeat: z.number().int().min(1),
  passed: z.boolean(),
  /** What decided: the data of the server, or the opinion of a model. */
  by: z.enum(['server', 'model']),
  /** What was not as it should be, or why the model thinks so. */
  reason: z.string(),
  answer: z.string(),
  /** By the agent's own account, such as `done` or `max_steps`; `time` when it took too long. */
  ended: z.string(),
  /** The model, or the harness, failed: the run is no result, and is played again by `--resume`. */
  error: z.string().optional(),
  /** Questions to the model. */
  steps: count,
  /** Calls of tools. */
  calls: count,
  failedCalls: count,
  tokens: z.object({ input: count, output: count, cached: count }),
  /** From the first question to the last answer, pictures for the trace not counted. */
  seconds: count,
  /** What the model took that judged. */
  judgeTokens: z.object({ input: count, output: count }).optional(),
  faults: faultFindings.optional(),
  /** Folder of its trace, relative to that of the eval. */
  folder: z.string(),
});
export type RunResult = z.infer<typeof runResult>;

/** What an eval is, as far as its results depend on it. */
const settings = z.object({
  /** As given by `--model`; undefined is the scripted one. */
  model: z.string().optional(),
  /** As it is shown, with the address where there is one. */
  modelName: z.string(),
  judge: z.string().optional(),
  suite: z.string(),
  tasks: z.string().optional(),
  agents: z.array(z.enum(['browser', 'plain'])).min(1),
  /** The scripted model errs. */
  faults: z.boolean().optional(),
  repeat: z.number().int().min(1),
  maxSteps: z.number().int().min(1),
  seconds: z.number().positive(),
});
export type Settings = z.infer<typeof settings>;

/** Dollars, or whatever the prices are in, for a million tokens. */
const price = z.object({ input: count, output: count, cached: count });
export type Price = z.infer<typeof price>;

export const evalResults = z.object({
  version: z.literal(1),
  startedAt: z.string(),
  settings,
  price: price.optional(),
  /** A model without a mind played: the numbers are about the harness alone. */
  scripted: z.boolean(),
  /** Runs that the eval has when it is complete. */
  planned: count,
  runs: z.array(runResult),
});
export type EvalResults = z.infer<typeof evalResults>;

/** What tokens cost: cached ones have a price of their own. */
export function costOf({ input, output, cached }: RunResult['tokens'], prices: Price): number {
  return ((input - cached) * prices.input + cached * prices.cached + output * prices.output) / 1_000_000;
}
