import type { BrowserToolset } from '@browser-toolset/agent-browser';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { TracedStep } from '../suite/task.ts';

interface PlayOptions {
  prompt: string;
  browser: BrowserToolset;
  threadId: string;
  model: MastraModelConfig;
  maxSteps: number;
  /** Ends the run: a person, or the time that it may take. */
  signal: AbortSignal;
  /** Told of each step when it has ended. */
  onStep: (step: TracedStep) => void;
  /** Called between two steps, which wait for it: the page is as the step of this number left it. */
  between: (number: number) => Promise<void>;
}

/** How a run ended, by the agent's own account. */
export interface Played {
  answer: string;
  /** Such as `done` or `max_steps`. */
  ended: string;
  /** The model could not be asked: that says nothing about the agent. */
  error?: string;
  /** All that the agent keeps of the run, to be written to a file. */
  record: unknown;
}

/** Does a task with one of the two stacks. Throws nothing but what the signal was aborted with. */
export type Player = (job: PlayOptions) => Promise<Played>;
