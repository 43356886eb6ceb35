import type { View } from './view.js';

export interface ToolCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One turn of the model: a sentence and, but for the last turn, a tool call. Both may depend on what was read. */
export interface Step {
  readonly say: string | ((view: View) => string);
  readonly call?: (view: View) => ToolCall;
  /** The last turn says that the task was not done. */
  readonly isRefusal?: boolean;
}

export interface TaskScript {
  readonly id: string;
  /** The model's step when it misses something in what it read, before it gives up. */
  readonly look?: Step;
  readonly steps: readonly Step[];
}

/** Several scripts behind one model: which one it follows is read off the task. */
export interface ScriptChoice {
  readonly id: string;
  choose(task: string): TaskScript;
}

/** Short for the common step: say a sentence, then call a tool. */
export function step(say: string, toolName: string, input: (view: View) => ToolCall['input'] = () => ({})): Step {
  return { say, call: view => ({ toolName, input: input(view) }) };
}
