import { z } from 'zod/v4';
import { actionResult } from '../actions/action-result.js';
import { actionOf, type NamedAction } from '../agent-output.js';
import { bounded, shortened } from '../messages/frame.js';
import { addTokens, type TokenUsage, tokenUsage } from '../model/token-usage.js';

export type { TokenUsage } from '../model/token-usage.js';

export const STOP_REASONS = ['done', 'max_steps', 'failures', 'stuck', 'budget', 'stopped', 'suspended'] as const;

/** Why a run ended. */
export type StopReason = (typeof STOP_REASONS)[number];

const output = z.object({
  thinking: z.string().optional(),
  evaluation: z.string(),
  memory: z.string(),
  progress: z.string().optional(),
  plan: z.string().optional(),
  nextGoal: z.string(),
  actions: z.array(z.record(z.string(), z.record(z.string(), z.unknown()))),
});

/** One step: what was there, what the model answered, and what came of it. */
export const stepRecord = z.object({
  /** Counted from 1. */
  step: z.number(),
  url: z.string(),
  title: z.string(),
  tabs: z.array(z.object({ tab: z.string(), url: z.string(), title: z.string(), active: z.boolean() })),
  /** Path of the picture that the model saw. */
  screenshot: z.string().optional(),
  /** Undefined where the model gave no answer that fits. */
  output: output.optional(),
  results: z.array(actionResult),
  /** Why the step failed as a whole. */
  error: z.string().optional(),
  /** The words of a person before the step. */
  said: z.array(z.string()).optional(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  /** Milliseconds in which the run did not wait for a person. */
  duration: z.number(),
  /** Milliseconds of it that the model took. */
  modelDuration: z.number(),
  /** Of the question for this step. Results have what their actions took beside it. */
  usage: tokenUsage,
  /** The model that answered. */
  model: z.string().optional(),
});
export type StepRecord = z.infer<typeof stepRecord>;

export const historySchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  threadId: z.string(),
  task: z.string(),
  additionalInfos: z.string().optional(),
  steps: z.array(stepRecord),
  stopReason: z.enum(STOP_REASONS).optional(),
  success: z.boolean().optional(),
  /** The model's own words at the end. */
  result: z.string().optional(),
  /** Why the run ended without a claim to have done the task, or why that claim does not hold. */
  problem: z.string().optional(),
  /** The typed result. */
  output: z.unknown().optional(),
  /** Words of a person that came too late for the model to read them. A run that follows on the thread does. */
  unheard: z.array(z.string()).optional(),
});

/**
 * A run as plain JSON. No secret stands in it: models and results have their names alone. One that is kept, or that a run
 * ends with, has dots for what was put into fields that mask their value. All else stands in it as it was said and typed.
 */
export type AgentHistory = z.infer<typeof historySchema>;

export function finalResult(history: AgentHistory): string | undefined {
  return history.result;
}

/** The failures, by step: the step's own error, else those of its actions. */
export function errors(history: AgentHistory): { step: number; error: string }[] {
  return history.steps.flatMap(({ step, error, results }) =>
    [error, ...results.map(result => result.error)].flatMap(each =>
      each === undefined ? [] : [{ step, error: each }],
    ),
  );
}

/** Addresses in the order in which they were visited. */
export function urls(history: AgentHistory): string[] {
  const all = history.steps.map(({ url }) => url).filter(url => url !== '');
  return all.filter((url, i) => url !== all[i - 1]);
}

/** Actions that were taken, in order. */
export function actions(history: AgentHistory): NamedAction[] {
  return history.steps.flatMap(({ results }) => results.map(({ action, input }) => ({ name: action, input })));
}

/** Tokens of all models: those that decide, those that read pages for `extract`, and the judge. */
export function usage(history: AgentHistory): TokenUsage {
  const all = history.steps.flatMap(({ usage: own, results }) => [own, ...results.flatMap(each => each.usage ?? [])]);
  return all.reduce(addTokens, { input: 0, output: 0, cached: 0 });
}

/** Whether the model decided on something. A refused answer has its words in `output`, and no actions. */
export function isDecided({ output, error }: StepRecord): boolean {
  return output !== undefined && (error === undefined || output.actions.length > 0);
}

/** Actions that the model asked for and that were not taken. */
export function dropped({ output: answer, results }: StepRecord): NamedAction[] {
  return (answer?.actions ?? []).slice(results.length).map(actionOf);
}

/** The pages of a long text that were read: the first and the last one, counted from 1, and how many it has. */
const pagesRead = z.object({ first: z.number(), last: z.number(), of: z.number() });

export const extractRecord = z.object({
  step: z.number(),
  /** The action that read it. */
  action: z.string(),
  content: z.string(),
  /** What `extract` was asked for. */
  query: z.string().optional(),
  /** Where it was read; left out for what comes from no page, such as a file. */
  url: z.string().optional(),
  title: z.string().optional(),
  pages: pagesRead.optional(),
});
/** A text that was read for the model, with where it comes from, as far as its action says so. */
export type Extract = z.infer<typeof extractRecord>;

const recordedElement = z.looseObject({
  query: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  page: z.number().optional().catch(undefined),
  pages: z.union([pagesRead, z.number()]).optional().catch(undefined),
});

/** The extracted texts with their sources, in order. */
export function extracted({ steps }: Pick<AgentHistory, 'steps'>): Extract[] {
  return steps.flatMap(({ step, results }) =>
    results.flatMap(({ action, extractedContent: content, metadata }) =>
      content === undefined ? [] : [{ step, action, content, ...sourceIn(metadata) }],
    ),
  );
}

function sourceIn(metadata: Record<string, unknown> = {}): Pick<Extract, 'query' | 'url' | 'title' | 'pages'> {
  const { query, url, title, page, pages } = recordedElement.parse(metadata);
  const read = typeof pages === 'number' ? page !== undefined && { first: page, last: page, of: pages } : pages;
  return {
    ...(query !== undefined && { query }),
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(read && { pages: read }),
  };
}

/** What a run leaves to the next one in the same browser. */
export interface Legacy {
  /** For the model. */
  told: string;
  memory: string;
}

const RECORDED_WORDS = 2_000;
/** Characters of all that was extracted. */
const MOST_EXTRACTED = 4_000;

/** Of any run, however it ended. */
export function legacyOf(history: AgentHistory): Legacy {
  const { task, steps, stopReason = 'stopped', result, problem, unheard = [] } = history;
  const last = (field: 'memory' | 'progress' | 'plan'): string =>
    steps.findLast(({ output }) => output?.[field])?.output?.[field] ?? '';
  const memory = last('memory');
  // What a page may have a say in.
  const extracted = steps.flatMap(({ results }) => results.flatMap(({ longTermMemory }) => longTermMemory ?? []));
  const read = [
    ...(result === undefined && problem !== undefined ? [shortened(problem, RECORDED_WORDS)] : []),
    ...(extracted.length > 0 ? [shortened(extracted.join('\n'), MOST_EXTRACTED)] : []),
  ];
  const lines = [
    `Your previous task in this browser: ${task}`,
    `It ended with: ${result ?? stopReason}`,
    memory && `Memory: ${memory}`,
    last('progress') && `Progress: ${last('progress')}`,
    last('plan') && `Plan: ${last('plan')}`,
    ...unheard.map(words => `When it ended, the user said, and was not heard: ${words}`),
  ].flatMap(line => (line ? shortened(line, RECORDED_WORDS) : []));
  return { told: [...lines, bounded(read.join('\n'))].filter(line => line !== '').join('\n'), memory };
}
