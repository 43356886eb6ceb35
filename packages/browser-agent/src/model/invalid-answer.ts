import type { AgentOutput } from '../agent-output.js';
import type { TokenUsage } from './token-usage.js';

/** An answer that is not acted on, with the reason in words for the model. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
  /** What it says beside its actions. */
  readonly kept: Omit<AgentOutput, 'actions'> | undefined;
  /** Tokens that it took, and the model that gave it, where no answer came of the question. */
  readonly usage: TokenUsage | undefined;
  readonly model: string | undefined;

  constructor(message: string, more: Partial<Pick<InvalidAnswer, 'kept' | 'usage' | 'model'>> = {}) {
    super(message);
    this.kept = more.kept;
    this.usage = more.usage;
    this.model = more.model;
  }
}
