import { randomBytes } from 'node:crypto';
import { z } from 'zod/v4';
import { actionResult } from '../actions/action-result.js';
import type { AgentAction } from '../agent-output.js';
import { suspended } from '../browser/browser-tools.js';
import { historySchema, STOP_REASONS, type StepRecord, stepRecord } from '../history/history.js';

/** A step that the model has decided on, and that has not ended. */
const decided = z.object({
  /** The step as far as it came. */
  record: stepRecord,
  /** The page that the model was shown, which the actions are meant for. */
  seen: z.object({
    url: z.string(),
    title: z.string(),
    elements: z.string(),
    refs: z.record(z.string(), z.object({ role: z.string(), name: z.string().optional(), row: z.string().optional() })),
  }),
  /** The call among its actions that waits for a person. */
  waiting: z.object({ index: z.number(), callId: z.string(), payload: suspended }).optional(),
});

/** All that a run knows, as plain data: with it a run goes on in another process. */
export const agentState = z.object({
  version: z.literal(1),
  /** Steps taken. */
  step: z.number(),
  maxSteps: z.number(),
  history: historySchema,
  /** Key of the numbers in the lines around page text that prompts repeat; no page knows it. */
  boundary: z.string(),
  /** What the run before it on the thread leaves, for the model at each step. */
  before: z.string().optional(),
  /** Newest words of the model. */
  memory: z.string(),
  progress: z.string(),
  plan: z.string(),
  /** Results of the latest step that a model decided on: what they read is shown until it decides again. */
  lastResults: z.array(actionResult),
  stopRequested: z.boolean(),
  /** Failed steps in a row. */
  consecutiveFailures: z.number(),
  /** Steps in a row after which the page was as before, and that brought no news. */
  unchanged: z.number(),
  lastDeed: z.string(),
  /** Tells the page of the latest look from others. */
  lastPage: z.string(),
  /** Words of a person that no step has told the model yet. */
  said: z.array(z.string()),
  /** What a person did in the browser and no answer was given to yet, as the toolset tells it. */
  humanActions: z.array(z.unknown()).optional(),
  /** The loop's notes for the model at the next step. */
  notes: z.array(z.string()),
  /** The page of the latest step, to mark what is new. */
  seen: z.object({ url: z.string(), refs: z.array(z.string()) }).optional(),
  /** The judge has sent the model back once. */
  sentBack: z.boolean(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  /** Milliseconds in which the run did not wait for a person. */
  active: z.number(),
  decided: decided.optional(),
  stopReason: z.enum(STOP_REASONS).optional(),
});
export type AgentState = z.infer<typeof agentState>;

/** What a run that waits for a person is suspended with. */
export const waitingRun = suspended.extend({ state: agentState });
/** The answer of a person; null and undefined where they gave none. */
export const personsAnswer = z.union([z.string(), z.array(z.string()), z.looseObject({})]).nullish();

export interface NewRun {
  runId: string;
  threadId: string;
  task: string;
  additionalInfos?: string;
  /** Opened before the first step. */
  url?: string;
  maxSteps: number;
  /** Taken before the model is asked for the first time. */
  initialActions?: readonly AgentAction[];
}

export function newState({
  runId,
  threadId,
  task,
  additionalInfos,
  url,
  maxSteps,
  initialActions = [],
}: NewRun): AgentState {
  return {
    version: 1,
    step: 0,
    maxSteps,
    history: {
      version: 1,
      runId,
      threadId,
      task,
      ...(additionalInfos !== undefined && { additionalInfos }),
      steps: [],
    },
    boundary: randomBytes(16).toString('hex'),
    memory: '',
    progress: '',
    plan: '',
    lastResults: [],
    stopRequested: false,
    consecutiveFailures: 0,
    unchanged: 0,
    lastDeed: '',
    lastPage: '',
    said: [],
    notes: [],
    sentBack: false,
    startedAt: Date.now(),
    active: 0,
    ...decidedByCaller([...(url === undefined ? [] : [{ navigate: { url } }]), ...initialActions]),
  };
}

/** Step 0, which no model decides on. */
function decidedByCaller(actions: AgentAction[]): Pick<AgentState, 'decided'> {
  if (actions.length === 0) return {};
  const record: StepRecord = {
    step: 0,
    url: '',
    title: '',
    tabs: [],
    output: { evaluation: '', memory: '', nextGoal: 'Start where the task starts', actions },
    results: [],
    startedAt: Date.now(),
    duration: 0,
    modelDuration: 0,
    usage: { input: 0, output: 0 },
  };
  return { decided: { record, seen: { url: '', title: '', elements: '', refs: {} } } };
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"')\]]+/;

/** The address that a task itself names. */
export function addressIn(task: string): string | undefined {
  return ADDRESS.exec(task)?.[0]?.replace(/[.,;:!?]+$/, '');
}
