import type { LiveQuestion } from '@browser-toolset/core';
import { until, type WaitLimits } from '@browser-toolset/core/waiting';

/** A question with the run that waits with it. */
export interface OpenQuestion extends Omit<LiveQuestion, 'threadId'> {
  runId?: string;
  /** The thread of the run; sessions can be shared by threads. */
  runThread?: string;
}

/** The questions that runs of one session wait with. */
export class Questions {
  readonly #asked = new Map<string, OpenQuestion>();

  constructor(readonly onChanged: () => void) {}

  /** The one that was asked first. */
  get first(): OpenQuestion | undefined {
    return this.#asked.values().next().value;
  }

  add(asked: OpenQuestion): void {
    this.#asked.set(asked.id, asked);
    this.onChanged();
  }

  remove(id: string): void {
    if (this.#asked.delete(id)) this.onChanged();
  }

  /** Another run acts in a thread: whoever asked there before does not wait any more. Answers with their questions. */
  leftBehindBy(run: Pick<OpenQuestion, 'runId' | 'runThread'>): string[] {
    if (run.runId === undefined || run.runThread === undefined) return [];
    const left = [...this.#asked.values()].filter(
      ({ runId, runThread }) => runThread === run.runThread && runId !== undefined && runId !== run.runId,
    );
    return left.map(({ id }) => id);
  }

  get ids(): string[] {
    return [...this.#asked.keys()];
  }
}

type Leave = () => void;

/**
 * Who acts on the pages of a session: the agent, or a person.
 * Invariant: while a person has control, or does one thing, no action of the agent begins.
 */
export class Control {
  #isHeld = false;
  /** Actions of the agent that run, and things that a person does at once. */
  #running = { agent: 0, person: 0 };
  readonly #waiting = new Set<() => void>();

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

  /** Whether the agent may begin something. */
  get isFree(): boolean {
    return !this.#isHeld && !this.isPersonActing;
  }

  take(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#changed();
  }

  /** The agent begins an action. Returns the way to end it; undefined while it may not begin one. */
  enterAsAgent(): Leave | undefined {
    return this.isFree ? this.#enter('agent') : undefined;
  }

  enterAsPerson(): Leave {
    return this.#enter('person');
  }

  /** Resolves to whether the agent may begin something within the limits. Who asks first is told first. */
  agentMayAct(limits: WaitLimits): Promise<boolean> {
    return this.#until(() => this.isFree, limits);
  }

  /** Resolves to whether no action of the agent runs within the limits. */
  agentIsStill(limits: WaitLimits): Promise<boolean> {
    return this.#until(() => !this.isAgentActing, limits);
  }

  #enter(who: 'agent' | 'person'): Leave {
    this.#running[who]++;
    return () => {
      this.#running[who]--;
      this.#changed();
    };
  }

  #changed(): void {
    for (const check of [...this.#waiting]) check();
  }

  #until(holds: () => boolean, limits: WaitLimits): Promise<boolean> {
    return until(holds, limits, check => {
      this.#waiting.add(check);
      return () => this.#waiting.delete(check);
    });
  }
}
