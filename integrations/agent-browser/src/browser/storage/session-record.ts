import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod/v4';
import type { SessionLog } from '../../observe/observation.js';
import { badSetup, plainMessage, ToolError } from '../../results/errors.js';
import type { Emulated } from '../chromium/emulation.js';
import { type RecordStore, seal, unseal } from './record-store.js';
import type { SavedState } from './saved-state.js';

/** In milliseconds; a process that died during a call blocks the thread for this long. */
const LEASE_MS = 30_000;
/** In milliseconds: without `replace`, the wait before a lease taken from another process is verified. */
const SETTLE_MS = 50;

export interface RecordedSession {
  /** Undefined when the session was closed. */
  saved?: SavedState;
  numbers: { ref: number; tab: number };
  endpoint?: string;
  /** The session's page targets in that browser's default context. */
  pages?: readonly string[];
  emulated?: Partial<Emulated>;
  reach?: Reach;
}

const reachSchema = z.object({
  hasBeenPublic: z.boolean(),
  /** Hosts that resolved to public addresses; `named`: private hosts that the driver named. */
  public: z.array(z.string()),
  named: z.array(z.string()),
});

export type Reach = z.output<typeof reachSchema>;

const leaseSchema = z.object({
  /** The id of the call that holds the lease; undefined when it is free. */
  holder: z.string().optional(),
  /** The end of the lease, in milliseconds since 1970. */
  until: z.number().default(0),
  /** Increases with each recorded state. */
  version: z.number().int(),
});

type Lease = z.output<typeof leaseSchema>;

interface HeldLease {
  /** The JSON in the store. */
  text: string;
  version: number;
  renewal: NodeJS.Timeout;
  /** Settles when the latest renewal is done. Never rejects. */
  renewing: Promise<void>;
}

/** Checks only the outer shape of a record, whose content a session wrote. */
const recordSchema = z.object({
  saved: z.looseObject({ tabs: z.array(z.looseObject({ id: z.string(), url: z.string() })), active: z.string() }),
  numbers: z.object({ ref: z.number().int(), tab: z.number().int() }),
  endpoint: z.string().optional(),
  pages: z.array(z.string()).optional(),
  emulated: z.looseObject({}).optional(),
  // A record without a network history may have reached anything.
  reach: reachSchema.default({ hasBeenPublic: true, public: [], named: [] }),
});

interface RecordOwner {
  readonly store: RecordStore;
  readonly log: SessionLog;
  /** Resolves to undefined when records are not encrypted. */
  key(): Promise<string | undefined>;
}

/**
 * A thread's record in a store shared by several processes, and the lease that lets one of them act at a time.
 * Invariant: a process never overwrites a newer state of another process with its own older one.
 */
export class SessionRecord {
  /** The version of the record that the local session is based on; 0 before the first read. */
  #version = 0;
  #held: HeldLease | undefined;

  constructor(
    readonly threadId: string,
    readonly owner: RecordOwner,
  ) {}

  /** Takes the lease. Resolves to what another process recorded. @throws ToolError `session_in_use` while it is held. */
  async take(): Promise<RecordedSession | undefined> {
    const { store } = this.owner;
    const text = (await store.get(this.#leaseKey)) ?? undefined;
    const lease = text === undefined ? { until: 0, version: 0 } : leaseSchema.parse(JSON.parse(text));
    if (lease.holder !== undefined && lease.until > Date.now()) throw inUse(lease);
    const isNew = lease.version !== this.#version;
    await this.#claim(text, lease.version, isNew);
    try {
      const record = isNew ? await this.#read() : undefined;
      // Closing a session deletes its record.
      const isClosed = isNew && record === undefined && this.#version > 0;
      this.#version = lease.version;
      return isClosed ? { numbers: { ref: 1, tab: 1 } } : record;
    } catch (error) {
      await this.#releaseLease();
      throw error;
    }
  }

  /**
   * Records the session, if it changed, and releases the lease.
   * @throws ToolError `session_in_use` when another process has taken the lease; nothing is written.
   */
  async give(record: RecordedSession | undefined): Promise<void> {
    const { store, log } = this.owner;
    const held = this.#held;
    if (held === undefined) return;
    // The lease's text must not change while it is compared with the store.
    clearInterval(held.renewal);
    await held.renewing;
    try {
      if ((await store.get(this.#leaseKey)) !== held.text) throw takenOver();
      if (record === undefined) return;
      const text = await seal(JSON.stringify(record), await this.owner.key(), this.#recordKey);
      await store.set(this.#recordKey, text);
      // A plain counter would restart after a session was closed and repeat versions that another process knows.
      held.version = Math.max(held.version + 1, Date.now());
      this.#version = held.version;
    } catch (error) {
      if (error instanceof ToolError) {
        this.#drop();
        throw error;
      }
      log.warn('session could not be recorded', { threadId: this.threadId, error: plainMessage(error) });
    } finally {
      await this.#releaseLease();
    }
  }

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
    const lease = (): Lease => ({ holder, until: Date.now() + LEASE_MS, version });
    const text = JSON.stringify(lease());
    if (store.replace !== undefined) {
      if (!(await store.replace(this.#leaseKey, was, text))) throw takenOver();
    } else {
      await store.set(this.#leaseKey, text);
      if (isAnothers) await pause(SETTLE_MS);
      if ((await store.get(this.#leaseKey)) !== text) throw takenOver();
    }
    // A call may take longer than a lease.
    const renewal = setInterval(() => {
      if (this.#held !== undefined) this.#held.renewing = this.#change(this.#held, lease(), 'renewed');
    }, LEASE_MS / 3);
    renewal.unref();
    this.#held = { text, version, renewal, renewing: Promise.resolve() };
  }

  /** Replaces a lease that nobody else has taken. Never rejects. */
  async #change(held: HeldLease, lease: Lease, as: 'renewed' | 'given back'): Promise<void> {
    const text = JSON.stringify(lease);
    try {
      if (await this.#write(held.text, text)) held.text = text;
    } catch (error) {
      const { threadId } = this;
      this.owner.log.warn(`lease of a thread could not be ${as}`, { threadId, error: plainMessage(error) });
    }
  }

  async #write(was: string, text: string): Promise<boolean> {
    const { store } = this.owner;
    if (store.replace !== undefined) return store.replace(this.#leaseKey, was, text);
    if ((await store.get(this.#leaseKey)) !== was) return false;
    await store.set(this.#leaseKey, text);
    return true;
  }

  async #read(): Promise<RecordedSession | undefined> {
    const text = await this.owner.store.get(this.#recordKey);
    if (text === null || text === undefined) return undefined;
    try {
      const plain = await unseal(text, await this.owner.key(), this.#recordKey, { name: 'The record of this thread' });
      return recordSchema.parse(JSON.parse(plain)) as unknown as RecordedSession;
    } catch (cause) {
      if (cause instanceof ToolError) throw cause;
      throw badSetup('The record of this thread cannot be read with this storageKey.', cause);
    }
  }

  async #releaseLease(): Promise<void> {
    const held = this.#drop();
    if (held === undefined) return;
    await held.renewing;
    await this.#change(held, { until: 0, version: held.version }, 'given back');
  }

  #drop(): HeldLease | undefined {
    const held = this.#held;
    clearInterval(held?.renewal);
    this.#held = undefined;
    return held;
  }
}

function inUse({ until }: Lease): ToolError {
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return new ToolError('session_in_use', `Another process is using this thread's browser (for up to ${seconds} s).`);
}

function takenOver(): ToolError {
  return new ToolError('session_in_use', "Another process took this thread's browser at the same moment.");
}
