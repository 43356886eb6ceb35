import { z } from 'zod/v4';

/** One action by its name, with its input: `{ click: { ref: '@e4' } }`. */
export type AgentAction = Record<string, Record<string, unknown>>;

/** The model's answer at each step. */
export interface AgentOutput {
  /** Reasoning, where the model wants to write some. */
  thinking?: string;
  /** The evaluation of the last step; begins with Success, Failed or Unknown. */
  evaluation: string;
  /** The notes to remember for later steps. */
  memory: string;
  /** The finished part of the task. */
  progress?: string;
  /** The part of the task that is left. */
  plan?: string;
  /** The goal of this step's actions. */
  nextGoal: string;
  actions: AgentAction[];
}

/** `flash` asks only for memory and actions. */
export type OutputMode = 'full' | 'flash';

const text = z.string().max(20_000);
const actionsField = z.array(z.record(z.string(), z.unknown())).min(1, 'expected at least one action');

/** The frame of an answer; each action is checked by itself. */
export const OUTPUT_FRAMES = {
  full: z.object({
    thinking: text.nullish(),
    evaluation: text,
    memory: text,
    progress: text.nullish(),
    plan: text.nullish(),
    nextGoal: text,
    actions: actionsField,
  }),
  flash: z.object({ memory: text, actions: actionsField }),
} as const;

/** An action taken apart. */
export interface NamedAction {
  name: string;
  input: Record<string, unknown>;
}

export function actionOf(action: AgentAction): NamedAction {
  const [entry] = Object.entries(action);
  if (entry === undefined) throw new Error('an action has a name');
  return { name: entry[0], input: entry[1] };
}
