import type { AgentRun, BrowserAgent, StepRecord, Suspended } from '@browser-toolset/browser-agent';
import { until } from '@browser-toolset/core/waiting';
import type { CreateMessageRequestParams } from '@modelcontextprotocol/server';

/** The thing that a run needs of its client before it can go on. */
export type Need = { kind: 'question'; payload: Suspended } | { kind: 'sampling'; params: CreateMessageRequestParams };

interface Pending {
  need: Need;
  settle: PromiseWithResolvers<unknown>;
}

/** Runs that are remembered of one client; beyond that the oldest that has ended is forgotten. */
const MOST_RUNS = 20;

/** A run of the browser agent, and what it waits for. */
export class ClientRun {
  readonly #changed = new EventTarget();
  #pending: Pending | undefined;
  isOver = false;

  constructor(readonly run: AgentRun) {
    void run.result.then(() => {
      this.isOver = true;
      this.#pending?.settle.resolve(undefined);
      this.#changed.dispatchEvent(new Event('changed'));
    });
  }

  /** Waits until the client has answered. */
  needs(need: Need): Promise<unknown> {
    const settle = Promise.withResolvers<unknown>();
    this.#pending = { need, settle };
    this.#changed.dispatchEvent(new Event('changed'));
    return settle.promise;
  }

  answer(given: unknown): void {
    this.#pending?.settle.resolve(given);
    this.#pending = undefined;
  }

  /** Resolves to what the run needs of its client, or once it has ended, or the signal is aborted, to undefined. */
  async next(signal: AbortSignal): Promise<Need | undefined> {
    await until(
      () => this.isOver || this.#pending !== undefined,
      { signal },
      check => {
        this.#changed.addEventListener('changed', check);
        return () => this.#changed.removeEventListener('changed', check);
      },
    );
    return this.isOver || signal.aborted ? undefined : this.#pending?.need;
  }

  get steps(): readonly StepRecord[] {
    return this.run.state.history.steps;
  }
}

/** The runs of one client by id, and its agent. */
export class AgentRuns {
  /** Made with the first run. */
  agent: BrowserAgent | undefined;
  readonly #runs = new Map<string, ClientRun>();
  #starting: Promise<ClientRun> | undefined;

  /** Starts a run where none is under way. Resolves to it, or to the one that is. */
  async begin(start: () => Promise<ClientRun>): Promise<{ run: ClientRun; isNew: boolean }> {
    const other = this.current ?? (this.#starting && (await this.#starting));
    if (other !== undefined) return { run: other, isNew: false };
    this.#starting = start();
    try {
      return { run: await this.#starting, isNew: true };
    } finally {
      this.#starting = undefined;
    }
  }

  add(run: ClientRun): void {
    this.#runs.set(run.run.runId, run);
    const over = [...this.#runs].find(([, { isOver }]) => isOver);
    if (this.#runs.size > MOST_RUNS && over !== undefined) this.#runs.delete(over[0]);
  }

  find(runId: string): ClientRun | undefined {
    return this.#runs.get(runId);
  }

  all(): ClientRun[] {
    return [...this.#runs.values()];
  }

  /** The run under way: a client's browser has one at a time. */
  get current(): ClientRun | undefined {
    return this.all().find(({ isOver }) => !isOver);
  }

  async stop(): Promise<void> {
    for (const { run } of this.all()) run.stop();
    await Promise.all(this.all().map(({ run }) => run.result));
  }
}
