import type { LiveQuestion } from '@browser-toolset/core';
import { until, type WaitLimits } from '@browser-toolset/core/waiting';
import { Signal } from '../signal.js';

/** A pending question and the run that waits for its answer. */
export interface OpenQuestion extends Omit<LiveQuestion, 'threadId'> {
  runId?: string;
  /** The run's thread; threads can share a session. */
  runThread?: string;
}

type Leave = () => void;

/**
 * The lock between the agent and a person on a session's pages.
 * Invariant: while a person has control or runs an action, no action of the agent begins.
 */
export class Control {
  #isHeld = false;
  #running = { agent: 0, person: 0 };
  /** When the agent's last action ended (`performance.now()`). */
  agentEnded = Number.NEGATIVE_INFINITY;
  readonly #changed = new Signal();

  /** A person has control until they give it back. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  get isAgentActing(): boolean {
    return this.#running.agent > 0;
  }

  get isPersonActing(): boolean {
    return this.#running.person > 0;
  }

  get isFree(): boolean {
    return !this.#isHeld && !this.isPersonActing;
  }

  take(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#changed.emit();
  }

  /** Begins an action of the agent. Returns a function that ends it; undefined while a person blocks it. */
  enterAsAgent(): Leave | undefined {
    return this.isFree ? this.#enter('agent') : undefined;
  }

  enterAsPerson(): Leave {
    return this.#enter('person');
  }

  /** Resolves to whether the agent may begin an action within the limits. Waiters are served in order. */
  agentMayAct(limits: WaitLimits): Promise<boolean> {
    return this.#until(() => this.isFree, limits);
  }

  agentIsStill(limits: WaitLimits): Promise<boolean> {
    return this.#until(() => !this.isAgentActing, limits);
  }

  #until(holds: () => boolean, limits: WaitLimits): Promise<boolean> {
    return until(holds, limits, check => this.#changed.on(check));
  }

  #enter(who: 'agent' | 'person'): Leave {
    this.#running[who]++;
    return () => {
      this.#running[who]--;
      if (who === 'agent') this.agentEnded = performance.now();
      this.#changed.emit();
    };
  }
}
