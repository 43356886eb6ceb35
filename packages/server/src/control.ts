import type { ControlState } from '@browser-toolset/core/protocol';
import type { Log } from './limited-log.js';
import { type LiveThread, nameOf } from './live-browser.js';

/**
 * Who drives a thread: the agent, or one viewer.
 *
 * Invariant: the holder has no request, and nobody requests while the agent drives.
 */
export interface Lease {
  /** Id of the viewer that has control; undefined while it is the agent. */
  readonly holder: string | undefined;
  /** Who asks for control, the first first. */
  readonly requests: readonly string[];
  /** Whose last request was refused. */
  readonly denied: readonly string[];
}

export interface LeaseEvent {
  action: 'take' | 'release' | 'deny' | 'leave';
  /** Who does it. */
  viewer: string;
}

export const FREE_LEASE: Lease = { holder: undefined, requests: [], denied: [] };

/** The lease after an event; the same object when the event changes nothing. */
export function leaseAfter(lease: Lease, { action, viewer }: LeaseEvent): Lease {
  switch (action) {
    case 'take':
      return taken(lease, viewer);
    case 'release':
      return given(lease, viewer);
    case 'deny':
      return refused(lease, viewer);
    case 'leave': {
      const left = given(lease, viewer);
      return left.denied.includes(viewer) ? { ...left, denied: without(left.denied, viewer) } : left;
    }
  }
}

interface ControllingViewer {
  readonly id: string;
  readonly mayControl: boolean;
  /** Its browser can give pages another size. */
  readonly mayResize?: boolean;
}

/** The control state for a viewer. */
export function controlStateOf(lease: Lease, viewer: ControllingViewer): ControlState {
  const isYou = lease.holder === viewer.id;
  const asks = lease.requests.includes(viewer.id) ? 'you' : isYou && lease.requests.length > 0 ? 'another' : undefined;
  return {
    holder: lease.holder === undefined ? 'agent' : 'human',
    isYou,
    mayControl: viewer.mayControl,
    viewer: viewer.id,
    ...(asks && { requestedBy: asks }),
    ...(lease.denied.includes(viewer.id) && { isDenied: true }),
    ...(viewer.mayControl && viewer.mayResize && { mayResize: true }),
  };
}

function taken(lease: Lease, viewer: string): Lease {
  if (lease.holder === viewer || lease.requests.includes(viewer)) return lease;
  const denied = without(lease.denied, viewer);
  if (lease.holder === undefined) return { ...lease, holder: viewer, denied };
  return { ...lease, requests: [...lease.requests, viewer], denied };
}

/** The holder hands over to who asked first, else to the agent; who asks takes the request back. */
function given(lease: Lease, viewer: string): Lease {
  if (lease.requests.includes(viewer)) return { ...lease, requests: without(lease.requests, viewer) };
  if (lease.holder !== viewer) return lease;
  const [next, ...others] = lease.requests;
  return { holder: next, requests: others, denied: next === undefined ? [] : lease.denied };
}

/** The holder refuses who asked first. */
function refused(lease: Lease, viewer: string): Lease {
  const [first, ...others] = lease.requests;
  if (lease.holder !== viewer || first === undefined) return lease;
  return { ...lease, requests: others, denied: [...lease.denied, first] };
}

function without(ids: readonly string[], viewer: string): readonly string[] {
  return ids.filter(id => id !== viewer);
}

/**
 * Tells the browser who drives.
 *
 * Invariant: it hears of one change after another, and in the end of how it is.
 */
export class ControlHandover {
  readonly #thread: LiveThread;
  readonly #log: Log;
  #wanted: 'agent' | 'human' = 'agent';
  #known: 'agent' | 'human' = 'agent';
  #tail: Promise<unknown>;

  /** `ready` settles when what was told before is known. */
  constructor(thread: LiveThread, ready: Promise<unknown>, log: Log) {
    this.#thread = thread;
    this.#tail = ready;
    this.#log = log;
  }

  /** Settles once the browser knows. Never rejects. */
  to(holder: 'agent' | 'human'): Promise<unknown> {
    this.#wanted = holder;
    this.#tail = this.#tail.then(() => this.#tell());
    return this.#tail;
  }

  async #tell(): Promise<void> {
    const holder = this.#wanted;
    if (holder === this.#known) return;
    this.#known = holder;
    await this.#call(holder);
  }

  async #call(holder: 'agent' | 'human'): Promise<void> {
    const { source, threadId } = this.#thread;
    try {
      await (holder === 'human' ? source.takeControl?.(threadId) : source.releaseControl?.(threadId));
    } catch (error) {
      this.#log('control', `${nameOf(this.#thread)} did not hand control to the ${holder}: ${String(error)}`);
    }
  }
}
