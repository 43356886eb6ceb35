import type { Ground } from './ground.js';
import { AgentModels } from './tools/mastra/agent-models.js';
import { makeTools } from './tools/mastra/make-tools.js';
import type { MastraTools } from './tools/mastra/mastra-tool.js';

/**
 * The tools of a toolset by themselves. A `BrowserToolset` is a browser of Mastra's as well, whose class takes longer to
 * load than all else: who calls tools alone need not wait for it. One can be made on the same ground later.
 */
export class BareToolset {
  /** Mastra tools by id. */
  readonly tools: MastraTools;

  /** @throws TypeError for tools that do not exist. */
  constructor(readonly ground: Ground) {
    this.tools = makeTools(ground.config, ground.sessions, new AgentModels());
  }

  getScope(): 'shared' | 'thread' {
    return this.ground.scope;
  }

  async closeThreadSession(threadId: string): Promise<void> {
    await this.ground.closeThreadSession(threadId);
  }
}
