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
