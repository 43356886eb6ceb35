import { z } from 'zod/v4';

/** The part of Mastra's storage that a browser needs. Any store with the domain `threadState` will do. */
export interface MastraStorageLike {
  getStore(name: 'threadState'): Promise<ThreadStates | undefined>;
  /** Makes the tables that are not there yet. */
  init?(): Promise<void>;
}

export interface ThreadStates {
  getState(args: ThreadKey): Promise<unknown>;
  setState(args: ThreadKey & { value: unknown }): Promise<void>;
  deleteState(args: ThreadKey): Promise<void>;
}

/** The owner of a text. Storage deletes it with everything else of the thread. */
export interface ThreadKey {
  threadId: string;
  type: string;
}

export function isMastraStorage(value: object): value is MastraStorageLike {
  return typeof (value as Partial<MastraStorageLike>).getStore === 'function';
}

/** An object, because some stores (PostgreSQL) give a text that is JSON back as what it says. Older values are bare texts. */
const stored = z.union([z.string(), z.object({ record: z.string() })]).optional();

/** Texts in Mastra's storage, by thread and type. Every method throws where the storage has no `threadState`. */
export class ThreadTexts {
  #states: Promise<ThreadStates> | undefined;

  constructor(readonly storage: MastraStorageLike) {}

  async get({ threadId, type }: ThreadKey): Promise<string | undefined> {
    const value = await (await this.#ready()).getState({ threadId, type });
    const { data } = stored.safeParse(value);
    return typeof data === 'object' ? data.record : data;
  }

  async set({ threadId, type }: ThreadKey, text: string): Promise<void> {
    await (await this.#ready()).setState({ threadId, type, value: { record: text } });
  }

  async delete({ threadId, type }: ThreadKey): Promise<void> {
    await (await this.#ready()).deleteState({ threadId, type });
  }

  #ready(): Promise<ThreadStates> {
    this.#states ??= this.#open().catch(error => {
      this.#states = undefined;
      throw error;
    });
    return this.#states;
  }

  async #open(): Promise<ThreadStates> {
    await this.storage.init?.();
    const states = await this.storage.getStore('threadState');
    if (states === undefined)
      throw new Error('The storage has no thread state: take another one, such as LibSQLStore or PostgresStore.');
    return states;
  }
}
