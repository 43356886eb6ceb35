import type { LiveQuestion } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { HumanActions } from '../../results/effects.js';
import { ToolError } from '../../results/errors.js';
import type { Queue } from '../queue.js';
import type { SessionBase } from '../session-owner.js';
import { Control, type OpenQuestion } from './control.js';
import { HumanWatch } from './human-watch.js';

const DRIVING = 'control';
/** In milliseconds: taking control waits this long for the agent's current action. */
const HANDOVER_MS = 5_000;
/** In milliseconds: the wait for the witness scripts to be installed. */
const WATCH_MS = 1_000;
/** In milliseconds: giving control back waits this long for input on its way. */
const ARRIVAL_MS = 1_000;

interface AttendedSession extends SessionBase {
  readonly queue: Queue;
  touch(): void;
}

/** The person who shares a session with the agent: their control, their actions and their pending questions. */
export class Person {
  readonly control = new Control();
  readonly #questions = new Map<string, OpenQuestion>();
  /** Who last navigated the active tab, as far as the session knows. */
  urlChangedBy: 'agent' | 'user' = 'agent';
  readonly #watch: HumanWatch;
  /** Settles when the person's actions are being recorded. */
  #seen: Promise<unknown> = Promise.resolve();
  readonly #inputs = new Set<Promise<void>>();
  /** Counts takeovers: giving control back must not end a later takeover. */
  #takes = 0;
  /** When the person's last input came (`performance.now()`). */
  #lastInput = Number.NEGATIVE_INFINITY;

  constructor(readonly session: AttendedSession) {
    this.#watch = new HumanWatch(session, this.control);
    session.events.on('interrupted', () => this.#forgetAll());
    session.events.on('closed', reason => {
      if (reason === 'closed') this.#forgetAll();
    });
  }

  /**
   * Sends input in the order of the calls, once the page is watched, so that a press right after taking control is
   * recorded.
   * @param isPress Whether the input can have an effect on the page; a mouse move has none.
   */
  async sendInput(isPress: boolean, send: () => Promise<void>): Promise<void> {
    if (isPress) this.noteInput();
    const input = this.#seen.then(send);
    this.#inputs.add(input);
    try {
      await input;
    } finally {
      this.#inputs.delete(input);
    }
    this.session.touch();
  }

  noteInput(): void {
    this.#lastInput = performance.now();
    this.session.touch();
  }

  /** Who is navigating a tab at this moment, as far as that is known. */
  get cause(): 'agent' | 'user' {
    if (this.control.isPersonActing) return 'user';
    if (this.control.isAgentActing) return 'agent';
    if (this.#lastInput > this.control.agentEnded) return 'user';
    const { config } = this.session.owner;
    // A visible or remote browser can be used without our knowledge; a headless local one cannot.
    const isWithinReach = !config.headless || config.cdpUrl !== undefined;
    return isWithinReach && this.session.queue.isIdle ? 'user' : 'agent';
  }

  /** Blocks new actions of the agent; resolves when the running one has ended or timed out. */
  async takeControl(): Promise<void> {
    this.#takes++;
    const isNew = !this.control.isHeld;
    this.control.take();
    if (isNew) this.session.events.emit('control');
    const still = this.control.agentIsStill({ timeout: HANDOVER_MS });
    this.#seen = within(WATCH_MS, this.#watch.begin(DRIVING));
    await Promise.all([this.#seen, still]);
  }

  async releaseControl(): Promise<void> {
    if (!this.control.isHeld) return;
    const takes = this.#takes;
    await within(ARRIVAL_MS, Promise.allSettled(this.#inputs));
    await this.#watch.heard();
    if (takes !== this.#takes || !this.control.isHeld) return;
    this.#watch.end(DRIVING);
    this.#release();
    const { queue, owner } = this.session;
    if (queue.isIdle) owner.idle();
  }

  dismiss(): void {
    this.#forgetAll();
    this.#watch.end(DRIVING);
    this.#release();
  }

  #release(): void {
    const wasHeld = this.control.isHeld;
    this.control.release();
    if (wasHeld) this.session.events.emit('control');
  }

  get isExpected(): boolean {
    return this.control.isHeld || this.#questions.size > 0;
  }

  /** Runs one action that a person requested, between actions of the agent. */
  async act<T>(task: () => Promise<T>): Promise<T> {
    const { timeout } = this.session.owner.config;
    const isStill = await this.control.agentIsStill({ timeout });
    if (!isStill && !this.control.isHeld) throw new ToolError('timeout', 'The agent is acting; take control first.');
    const leave = this.control.enterAsPerson();
    this.noteInput();
    try {
      return await task();
    } finally {
      this.session.touch();
      leave();
    }
  }

  get question(): LiveQuestion | undefined {
    const [first] = this.#questions.values();
    if (first === undefined) return undefined;
    const { id, question, options } = first;
    return { id, threadId: this.session.threadId, question, ...(options !== undefined && { options }) };
  }

  async asks(asked: OpenQuestion): Promise<void> {
    await within(WATCH_MS, this.#watch.begin(asked.id));
    this.#questions.set(asked.id, asked);
    this.session.events.emit('question');
  }

  /** Removes an answered question. Resolves to the person's actions since it was asked. */
  async answered(id: string): Promise<HumanActions | undefined> {
    await this.#watch.heard();
    this.withdraw(id);
    return this.#take();
  }

  /** Removes the question of a run that was given up. */
  withdraw(id: string): void {
    if (this.#questions.delete(id)) this.session.events.emit('question');
    this.#watch.end(id);
  }

  /** Removes questions of earlier runs of the same thread, which no longer wait. */
  noteRun(run: Pick<OpenQuestion, 'runId' | 'runThread'>): void {
    if (run.runId === undefined || run.runThread === undefined) return;
    for (const { id, runId, runThread } of [...this.#questions.values()])
      if (runThread === run.runThread && runId !== undefined && runId !== run.runId) this.withdraw(id);
  }

  /** Takes the person's actions for the agent's first result after watching has ended. */
  takeReport(): HumanActions | undefined {
    return this.#watch.isWatching ? undefined : this.#take();
  }

  #forgetAll(): void {
    for (const id of [...this.#questions.keys()]) this.withdraw(id);
  }

  #take(): HumanActions | undefined {
    const actions = this.#watch.take();
    // The report includes these effects, so the agent's next result must not repeat them.
    if (actions !== undefined) this.session.effects.forgetMoves();
    return actions;
  }
}
