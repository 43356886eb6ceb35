import type { ProcessInputArgs, Processor } from '@mastra/core/processors';
import type { Memory } from '@mastra/memory';

/**
 * Stores what a person said before the model is asked. Mastra stores it with the first step of the run: a server that
 * ends before would lose the task, and nothing could be resumed.
 */
export class KeptTask implements Processor {
  readonly id = 'kept-task';
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async processInput({ messageList }: ProcessInputArgs): Promise<typeof messageList> {
    // Stored again with the first step, under the same ids.
    await this.#memory.saveMessages({ messages: messageList.get.input.db() });
    return messageList;
  }
}
