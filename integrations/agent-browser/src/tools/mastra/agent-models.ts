import type { MastraModelConfig } from '@mastra/core/llm';

/**
 * The models that agents run with, by the request contexts of their runs: what a tool of Mastra's browser slot is called
 * with names the agent and leads to no model.
 */
export class AgentModels {
  readonly #models = new WeakMap<object, MastraModelConfig>();

  note(requestContext: object, model: MastraModelConfig): void {
    this.#models.set(requestContext, model);
  }

  of(requestContext: object | undefined): MastraModelConfig | undefined {
    return requestContext && this.#models.get(requestContext);
  }
}
