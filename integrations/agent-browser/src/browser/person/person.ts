import type { LiveQuestion } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { EffectsLog, HumanActions } from '../../results/effects.js';
import { ToolError } from '../../results/errors.js';
import type { Queue } from '../queue.js';
import { Control, type OpenQuestion, Questions } from './control.js';
import { HumanWatch, type WatchedSession } from './human-watch.js';

const DRIVING = 'control';
/** How long who takes control waits for what the agent does at that moment, in milliseconds. */
const HANDOVER = 5_000;
/** How long a page may take to be watched, in milliseconds. */
const WATCH_TIME = 1_000;
/** How long who gives control back waits for their input to arrive, in milliseconds. */
const ARRIVAL_TIME = 1_000;

/** The session that a person sits beside. */
interface AttendedSession extends WatchedSession {
  readonly queue: Queue;
  readonly effects: EffectsLog;
  /** Counts as use. */
  touch(): void;
}

/** The person beside the agent of one session: whether they drive, what they do, and what they are asked. */
export class Person {
  readonly control = new Control();
  readonly questions: Questions;
  /** Who made the active tab go where it is, as far as the session can tell. */
  urlChangedBy: 'agent' | 'user' = 'agent';
  readonly #watch: HumanWatch;
  /** Settles when what the person does is seen. */
  #seen: Promise<unknown> = Promise.resolve();
  /** Input of the person that is on its way to the page. */
  readonly #inputs = new Set<Promise<void>>();
  /** How often control was taken: who gives it back must not end what another one began meanwhile. */
  #takes = 0;
  /** When the person and the agent last acted (`performance.now()`). */
  #lastInput = Number.NEGATIVE_INFINITY;
  #agentEnded = Number.NEGATIVE_INFINITY;

  constructor(readonly session: AttendedSession) {
    this.#watch = new HumanWatch(session, this.control);
    this.questions = new Questions(() => session.events.emit('question'));
    session.events.on('interrupted', () => this.#forgetAll());
    session.events.on('closed', reason => {
      if (reason === 'closed') this.#forgetAll();
    });
  }

  /**
   * Sends what the person does with a mouse or keyboard, in the order of the calls. It waits until the page is watched,
   * so that the agent hears of a press that comes right after control was taken.
   *
   * @param isPress Whether it can make a page do something; a move of the mouse cannot.
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

  /** The person pressed something. */
  noteInput(): void {
    this.#lastInput = performance.now();
    this.session.touch();
  }

  /** Who makes a tab go elsewhere at this moment, as far as can be told. */
  get cause(): 'agent' | 'user' {
    if (this.control.isPersonActing) return 'user';
    if (this.control.isAgentActing) return 'agent';
    if (this.#lastInput > this.#agentEnded) return 'user';
    const { config } = this.session.owner;
    // A window or a remote browser can be used without our knowing; nobody but us reaches a headless one.
    const isWithinReach = !config.headless || config.cdpUrl !== undefined;
    return isWithinReach && this.session.queue.isIdle ? 'user' : 'agent';
  }

  /** The agent begins an action. Returns the way to end it; undefined while a person drives. */
  enterAsAgent(): (() => void) | undefined {
    const leave = this.control.enterAsAgent();
    return (
      leave &&
      (() => {
        this.#agentEnded = performance.now();
        leave();
      })
    );
  }

  /** No action of the agent begins from now on; resolves when the one under way has ended, or took too long. */
  async takeControl(): Promise<void> {
    this.#takes++;
    const isNew = !this.control.isHeld;
    this.control.take();
    if (isNew) this.session.events.emit('control');
    const still = this.control.agentIsStill({ timeout: HANDOVER, signal: NEVER });
    this.#seen = within(WATCH_TIME, this.#watch.begin(DRIVING));
    await Promise.all([this.#seen, still]);
  }

  async releaseControl(): Promise<void> {
    if (!this.control.isHeld) return;
    const takes = this.#takes;
    await within(ARRIVAL_TIME, Promise.allSettled(this.#inputs));
    await this.#watch.heard();
    if (takes !== this.#takes || !this.control.isHeld) return;
    this.#watch.end(DRIVING);
    this.#release();
    const { queue, owner } = this.session;
    if (queue.isIdle) owner.idle();
  }

  /** The toolset was closed: nobody drives any more. */
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

  /** Somebody drives, or is asked something. */
  get isExpected(): boolean {
    return this.control.isHeld || this.questions.first !== undefined;
  }

  /** Does one thing that a person asked for, between actions of the agent. */
  async act<T>(task: () => Promise<T>): Promise<T> {
    const { timeout } = this.session.owner.config;
    const isStill = await this.control.agentIsStill({ timeout, signal: NEVER });
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
    const { first } = this.questions;
    if (first === undefined) return undefined;
    const { id, question, options } = first;
    return { id, threadId: this.session.threadId, question, ...(options !== undefined && { options }) };
  }

  /** A run waits with a question from now on. */
  async asks(asked: OpenQuestion): Promise<void> {
    await within(WATCH_TIME, this.#watch.begin(asked.id));
    this.questions.add(asked);
  }

  /** The question is answered: what the person did since it was asked. */
  async answered(id: string): Promise<HumanActions | undefined> {
    await this.#watch.heard();
    this.#forget([id]);
    return this.#take();
  }

  /** The run that asked was given up: nobody waits for an answer. */
  withdraw(id: string): void {
    this.#forget([id]);
  }

  /** A run acts: questions that an earlier one of its thread asked wait for nobody. */
  noteRun(run: Pick<OpenQuestion, 'runId' | 'runThread'>): void {
    this.#forget(this.questions.leftBehindBy(run));
  }

  /** Takes what the person did, for the first result of the agent once they are done. */
  tell(): HumanActions | undefined {
    return this.#watch.isWatching ? undefined : this.#take();
  }

  /** The session is closed: nobody waits in it any more. */
  #forgetAll(): void {
    this.#forget(this.questions.ids);
  }

  #forget(ids: string[]): void {
    for (const id of ids) {
      this.questions.remove(id);
      this.#watch.end(id);
    }
  }

  #take(): HumanActions | undefined {
    const actions = this.#watch.take();
    // The results tell these effects as the person's, so the agent's next action must not tell them again.
    if (actions !== undefined) this.session.effects.forgetMoves();
    return actions;
  }
}

const NEVER = new AbortController().signal;
