import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod/v4';
import type { SessionLog } from '../../observe/observation.js';
import { badSetup, plainMessage, ToolError } from '../../results/errors.js';
import type { Emulated } from '../chromium/emulation.js';
import type { RecordStore } from './record-store.js';
import type { SavedState } from './saved-state.js';
import { isSealed, seal, unseal } from './sealed-text.js';

/** A process that died during a call keeps others from the thread for so many milliseconds. */
const LEASE_TIME = 30_000;
/** How long a lease that was taken from another process is left alone before it is believed. */
const SETTLE_TIME = 50;

/** The record of a session, for any process that goes on with it. */
export interface RecordedSession {
  /** Left out when the session was closed. */
  saved?: SavedState;
  /** Refs and tab ids from here on were never given out. */
  numbers: { ref: number; tab: number };
  /** Where its remote browser was. */
  endpoint?: string;
  /** Targets of the pages that it had in the context which that browser came with. */
  pages?: readonly string[];
  /** The changed device settings. */
  emulated?: Partial<Emulated>;
  /** Where on the network it has been. */
  reach?: Reach;
}

const reachSchema = z.object({
  hasBeenPublic: z.boolean(),
  /** Hosts that stood for public addresses, and private ones that the driver named. */
  public: z.array(z.string()),
  named: z.array(z.string()),
});

export type Reach = z.output<typeof reachSchema>;

const leaseSchema = z.object({
  /** Of the call that has the thread; left out when none has. */
  holder: z.string().optional(),
  /** When the lease ends, in milliseconds since 1970. */
  until: z.number().default(0),
  /** Counts what was recorded. */
  version: z.number().int(),
});

type Lease = z.output<typeof leaseSchema>;

interface HeldLease {
  /** As it stands in the store. */
  text: string;
  version: number;
  renewal: NodeJS.Timeout;
  /** Settles when the latest renewal is done. Never rejects. */
  renewing: Promise<void>;
}

/** Only the frame of a record is checked: what is in it was written by a session. */
const recordSchema = z.object({
  saved: z.looseObject({ tabs: z.array(z.looseObject({ id: z.string(), url: z.string() })), active: z.string() }),
  numbers: z.object({ ref: z.number().int(), tab: z.number().int() }),
  endpoint: z.string().optional(),
  pages: z.array(z.string()).optional(),
  emulated: z.looseObject({}).optional(),
  // Of a record that does not say it anything may have been reached.
  reach: reachSchema.default({ hasBeenPublic: true, public: [], named: [] }),
});

interface RecordOwner {
  readonly store: RecordStore;
  readonly log: SessionLog;
  /** The key that encrypts records; left out when they are not encrypted. */
  readonly key?: () => Promise<string>;
}

/**
 * One thread's record in a store that several processes share, and the lease that lets one of them act at a time.
 * Invariant: what another process has recorded is never overwritten by what this one knew before.
 */
export class SessionRecord {
  /** Of the record that the session here stands at; 0 before it has seen any. */
  #version = 0;
  #held: HeldLease | undefined;

  constructor(
    readonly threadId: string,
    readonly owner: RecordOwner,
  ) {}

  /**
   * Takes the thread for one call. Answers with the record when another process has worked on it since.
   * @throws ToolError `session_in_use` while another process has it.
   */
  async take(): Promise<RecordedSession | undefined> {
    const { store } = this.owner;
    const text = (await store.get(this.#leaseKey)) ?? undefined;
    const lease = text === undefined ? { until: 0, version: 0 } : leaseSchema.parse(JSON.parse(text));
    if (lease.holder !== undefined && lease.until > Date.now()) throw inUse(lease);
    const isNews = lease.version !== this.#version;
    await this.#claim(text, lease.version, isNews);
    try {
      const record = isNews ? await this.#read() : undefined;
      // Nothing is recorded of a thread whose session was closed by another process.
      const isClosed = isNews && record === undefined && this.#version > 0;
      this.#version = lease.version;
      return isClosed ? { numbers: { ref: 1, tab: 1 } } : record;
    } catch (error) {
      await this.#releaseLease();
      throw error;
    }
  }

  /**
   * Records how the call left the session, and lets go of the thread.
   * @param record Left out when there is nothing new.
   * @throws ToolError `session_in_use` when another process has taken the thread meanwhile; then nothing is written.
   */
  async give(record: RecordedSession | undefined): Promise<void> {
    const { store, key, log } = this.owner;
    const held = this.#held;
    if (held === undefined) return;
    await this.#stopRenewing(held);
    try {
      if ((await store.get(this.#leaseKey)) !== held.text) throw takenOver();
      if (record === undefined) return;
      const text = JSON.stringify(record);
      await store.set(this.#recordKey, key === undefined ? text : await seal(text, await key(), this.#recordKey));
      // Counting would begin anew once a session was closed, and look like what another process knew before.
      held.version = Math.max(held.version + 1, Date.now());
      this.#version = held.version;
    } catch (error) {
      if (error instanceof ToolError) {
        clearInterval(held.renewal);
        this.#held = undefined;
        throw error;
      }
      log.warn('session could not be recorded', { threadId: this.threadId, error: plainMessage(error) });
    } finally {
      await this.#releaseLease();
    }
  }

  /** The session was closed for good. */
  async forget(): Promise<void> {
    this.#drop();
    this.#version = 0;
    const { store } = this.owner;
    await Promise.all([store.delete(this.#recordKey), store.delete(this.#leaseKey)]);
  }

  get #leaseKey(): string {
    return `browser-lease/${this.threadId}`;
  }

  get #recordKey(): string {
    return `browser-session/${this.threadId}`;
  }

  async #claim(was: string | undefined, version: number, isAnothers: boolean): Promise<void> {
    const { store } = this.owner;
    const holder = randomUUID();
    const text = JSON.stringify({ holder, until: Date.now() + LEASE_TIME, version } satisfies Lease);
    if (store.replace !== undefined) {
      if (!(await store.replace(this.#leaseKey, was, text))) throw takenOver();
    } else {
      await store.set(this.#leaseKey, text);
      if (isAnothers) await pause(SETTLE_TIME);
      if ((await store.get(this.#leaseKey)) !== text) throw takenOver();
    }
    const renewal = setInterval(() => {
      if (this.#held !== undefined) this.#held.renewing = this.#renew(holder, version);
    }, LEASE_TIME / 3);
    renewal.unref();
    this.#held = { text, version, renewal, renewing: Promise.resolve() };
  }

  /** A call may take longer than a lease. */
  async #renew(holder: string, version: number): Promise<void> {
    const held = this.#held;
    if (held === undefined) return;
    const text = JSON.stringify({ holder, until: Date.now() + LEASE_TIME, version } satisfies Lease);
    try {
      if (await this.#write(held.text, text)) held.text = text;
    } catch (error) {
      const { threadId } = this;
      this.owner.log.warn('lease of a thread could not be renewed', { threadId, error: plainMessage(error) });
    }
  }

  /** Writes a lease in the place of one's own. */
  async #write(was: string, text: string): Promise<boolean> {
    const { store } = this.owner;
    if (store.replace !== undefined) return store.replace(this.#leaseKey, was, text);
    if ((await store.get(this.#leaseKey)) !== was) return false;
    await store.set(this.#leaseKey, text);
    return true;
  }

  async #read(): Promise<RecordedSession | undefined> {
    const { store, key } = this.owner;
    const text = await store.get(this.#recordKey);
    if (text === null || text === undefined) return undefined;
    // Whoever can write to the store must not pass for one of ours.
    if (!isSealed(text) && key !== undefined)
      throw badSetup('The record of this thread is not encrypted, but the option storageKey is set.');
    if (!isSealed(text)) return recordOf(text);
    if (key === undefined) throw badSetup('The record of this thread is encrypted: the option storageKey is needed.');
    try {
      return recordOf(await unseal(text, await key(), this.#recordKey));
    } catch (cause) {
      throw badSetup('The record of this thread cannot be read with this storageKey.', cause);
    }
  }

  async #releaseLease(): Promise<void> {
    const held = this.#drop();
    if (held === undefined) return;
    await held.renewing;
    try {
      const { text, version } = held;
      await this.#write(text, JSON.stringify({ until: 0, version } satisfies Lease));
    } catch (error) {
      const { threadId } = this;
      this.owner.log.warn('lease of a thread could not be given back', { threadId, error: plainMessage(error) });
    }
  }

  /** The value must not change while it is compared with the store. */
  async #stopRenewing({ renewal, renewing }: HeldLease): Promise<void> {
    clearInterval(renewal);
    await renewing;
  }

  #drop(): HeldLease | undefined {
    const held = this.#held;
    clearInterval(held?.renewal);
    this.#held = undefined;
    return held;
  }
}

function recordOf(text: string): RecordedSession {
  return recordSchema.parse(JSON.parse(text)) as unknown as RecordedSession;
}

function inUse({ until }: Lease): ToolError {
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return new ToolError('session_in_use', `Another process is using this thread's browser (for up to ${seconds} s).`);
}

function takenOver(): ToolError {
  return new ToolError('session_in_use', "Another process took this thread's browser at the same moment.");
}
