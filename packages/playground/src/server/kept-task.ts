import type { ProcessInputArgs, Processor } from '@mastra/core/processors';
import type { Memory } from '@mastra/memory';

/**
 * Stores what a person said before the model is asked. Mastra stores it with the first step of the run: a server that
 * ends before would lose the task, and nothing could be resumed.
 */
export class KeptTask implements Processor {
  readonly id = 'kept-task';
  readonly #memory: Memory;
  readonly #onRun: (threadId: string) => Promise<void>;

  /** @param onRun is told which thread a run begins in, before it does */
  constructor(memory: Memory, onRun: (threadId: string) => Promise<void>) {
    this.#memory = memory;
    this.#onRun = onRun;
  }

  async processInput({ messageList }: ProcessInputArgs): Promise<typeof messageList> {
    const messages = messageList.get.input.db();
    // Stored again with the first step, under the same ids.
    await this.#memory.saveMessages({ messages });
    const threadId = messages.at(-1)?.threadId;
    if (threadId) await this.#onRun(threadId);
    return messageList;
  }
}
