import type { MastraModelConfig } from '@mastra/core/llm';
import type { CommonResult } from '../../outcome/result.js';

/** The run that a call belongs to, where it is part of one. */
export interface Run {
  id?: string;
  threadId?: string;
  toolCallId?: string;
  /** Suspends the run; it calls the tool again, with what it was resumed with. Undefined where nothing can wait. */
  suspend?(payload: unknown, options?: { requireToolApproval?: boolean }): Promise<unknown>;
  /** Aborted when the run is given up, while it waits too. */
  signal?: AbortSignal;
  /** It is the run of a workflow. */
  isWorkflow?: boolean;
  /** The answer that it was resumed with. */
  resumeData?: unknown;
  /** The model of the agent that calls; undefined where nobody knows it. */
  model?(): Promise<MastraModelConfig | undefined>;
}

/** Stands for the result of a call whose run waits: there is none yet. */
export const SUSPENDED: CommonResult = Object.freeze({ success: true });
