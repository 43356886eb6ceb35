import { z } from 'zod/v4';

/** A place for session records that several processes share. */
export interface RecordStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Writes a value only if the key still holds `was` (undefined: nothing), and answers whether it did. With it two
   * processes can never have a thread at once; without it a collision within milliseconds is noticed after the fact.
   */
  replace?(key: string, was: string | undefined, value: string): Promise<boolean>;
}

/** Mastra's storage, as far as records need it: any store that has the domain `threadState`. */
export interface MastraStorageLike {
  getStore(name: 'threadState'): Promise<ThreadStates | undefined>;
  /** Makes the tables that are not there yet. */
  init?(): Promise<void>;
}

export interface ThreadStates {
  getState(args: { threadId: string; type: string }): Promise<unknown>;
  setState(args: { threadId: string; type: string; value: unknown }): Promise<void>;
  deleteState(args: { threadId: string; type: string }): Promise<void>;
}

export function isRecordStore(value: object): value is RecordStore {
  return ['get', 'set', 'delete'].every(name => typeof (value as Record<string, unknown>)[name] === 'function');
}

export function isMastraStorage(value: object): value is MastraStorageLike {
  return typeof (value as Partial<MastraStorageLike>).getStore === 'function';
}

/** Where records are kept: Mastra's storage by thread and type, which goes with what else it knows of the thread. */
export function recordStore(records: RecordStore | MastraStorageLike): RecordStore {
  return isMastraStorage(records) ? new MastraRecords(records) : records;
}

/** In an object, for some stores (PostgreSQL) give a text that is JSON back as what it says. Older records are bare texts. */
const stored = z.union([z.string(), z.object({ record: z.string() })]).optional();

class MastraRecords implements RecordStore {
  #states: Promise<ThreadStates> | undefined;

  constructor(readonly storage: MastraStorageLike) {}

  async get(key: string): Promise<string | undefined> {
    const value = await (await this.#ready()).getState(placeOf(key));
    const { data } = stored.safeParse(value);
    return typeof data === 'object' ? data.record : data;
  }

  async set(key: string, value: string): Promise<void> {
    await (await this.#ready()).setState({ ...placeOf(key), value: { record: value } });
  }

  async delete(key: string): Promise<void> {
    await (await this.#ready()).deleteState(placeOf(key));
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
      throw new Error(
        'The storage of the option records has no thread state: take another, or a { get, set, delete }.',
      );
    return states;
  }
}

/** Keys are `type/thread`. */
function placeOf(key: string): { type: string; threadId: string } {
  const slash = key.indexOf('/');
  return { type: key.slice(0, slash), threadId: key.slice(slash + 1) };
}
