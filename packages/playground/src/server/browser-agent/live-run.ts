import type { PreviewOptions } from '@browser-toolset/agent-browser';
import type { AgentEvent, AgentRun, RunOptions, Suspended } from '@browser-toolset/browser-agent';
import { z } from 'zod';
import { asError } from '../../demo/unknown-values.js';
import type { CallPreview } from '../api.js';
import { AllowedKinds } from '../call-kinds.js';
import { ThreadElements } from '../element-names.js';
import type { DescribedCall } from '../recorded-toolset.js';
import type { RunEvent, RunQuestion, RunView, StepView } from './api.js';
import { type RunRecord, type RunStore, runSummaryOf } from './run-store.js';
import type { StepPictures } from './step-pictures.js';
import { newStepView, stepAfter, stepView, withNames } from './step-view.js';

interface LiveRunParts {
  readonly store: RunStore;
  readonly pictures: StepPictures;
  readonly asksBeforeActions: boolean;
  readonly model?: string;
  readonly demoUrl: string;
  /** What a call that waits for approval is about to do. */
  preview(threadId: string, call: DescribedCall, options: PreviewOptions): Promise<CallPreview>;
  /** Begins the run of the agent; its steps come later than the call. */
  begin(hooks: Pick<RunOptions, 'onQuestion'>): AgentRun;
  onEvent(event: RunEvent): void;
}

interface Waiting extends RunQuestion {
  answer(data: unknown): void;
  /** The action that waits for approval. */
  readonly call?: DescribedCall | undefined;
}

const approval = z.object({ tool: z.string(), input: z.unknown() });
const APPROVAL = { kind: 'approval', text: 'May the agent do this?', options: [] } as const;

/** A run that goes on, as those who look on see it, kept on disk as it goes. */
export class LiveRun {
  readonly run: AgentRun;
  /** Resolves when the run is over and all of it is on disk. Never rejects. */
  readonly ended: Promise<void>;
  readonly #parts: LiveRunParts;
  readonly #steps = new Map<number, StepView>();
  #record: RunRecord;
  #question: Waiting | undefined;
  readonly #allowed = new AllowedKinds();
  readonly #elements = new ThreadElements();
  #notice: string | undefined;
  #isOver = false;
  /** The writes that are under way. */
  readonly #writes = new Set<Promise<void>>();

  constructor(parts: LiveRunParts) {
    this.#parts = parts;
    this.run = parts.begin({ onQuestion: payload => this.#ask(payload) });
    const { runId: id, threadId, state } = this.run;
    const { model, demoUrl } = parts;
    const { task } = state.history;
    this.#record = {
      version: 1,
      id,
      threadId,
      task,
      ...(model && { model }),
      demoUrl,
      startedAt: Date.now(),
      steps: 0,
    };
    this.run.onEvent(event => this.#apply(event));
    this.#keep(parts.store.write(this.#record));
    this.ended = this.#end();
  }

  get view(): RunView {
    const { run } = this;
    const status = this.#question ? 'waiting' : run.isPaused ? 'paused' : 'running';
    const { answer: _, call: __, ...question } = this.#question ?? {};
    return {
      ...runSummaryOf(this.#record),
      ...(!this.#isOver && { status }),
      maxSteps: run.state.maxSteps,
      isPaused: run.isPaused,
      said: [...run.state.said],
      allowed: this.#allowed.all,
      ...(this.#notice !== undefined && { notice: this.#notice }),
      ...(this.#question && { question: question as RunQuestion }),
    };
  }

  /** It has ended; what is left of it is being written. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Steps that have ended, without what was done before the first. */
  get #ended(): number {
    return this.run.state.history.steps.filter(({ step }) => step > 0).length;
  }

  get steps(): StepView[] {
    return [...this.#steps.values()];
  }

  /** Its actions wait for a person. What was typed as the task is approved with it: the address that is opened first. */
  get asksBeforeActions(): boolean {
    return this.#parts.asksBeforeActions && this.run.state.step > 0;
  }

  /** False when it does not wait with that question. `allOfKind`: like actions need no approval in this run. */
  answer(questionId: string, data: unknown, { allOfKind = false } = {}): boolean {
    const question = this.#question;
    if (question?.id !== questionId) return false;
    if (allOfKind && question.preview?.kind) this.#allowed.allow(question.preview.kind);
    this.#question = undefined;
    question.answer(data);
    this.#tell();
    return true;
  }

  takeBack(kind: string): void {
    this.#allowed.takeBack(kind);
    this.#tell();
  }

  /** Scrolls to what waits for approval, and says anew where it is. */
  async show(questionId: string, show: NonNullable<PreviewOptions['show']>): Promise<void> {
    const question = this.#question;
    if (question?.id !== questionId || question.call === undefined) return;
    const preview = await this.#parts.preview(this.run.threadId, question.call, { show });
    if (this.#question !== question) return;
    // What is approved is what was asked for, also where the page has changed since.
    const { places } = preview;
    this.#question = { ...question, ...(question.preview && { preview: { ...question.preview, places } }) };
    this.#tell();
  }

  async #ask(payload: Suspended): Promise<unknown> {
    const { data: call } = approval.safeParse(payload.approval);
    const preview = call && (await this.#parts.preview(this.run.threadId, call, { show: 'all' }));
    if (this.#allowed.has(preview?.kind)) return { approved: true };
    const asked = preview ? { ...APPROVAL, preview, call } : questionOf(payload);
    const { promise, resolve: answer } = Promise.withResolvers<unknown>();
    const id = this.run.state.decided?.waiting?.callId ?? '';
    this.#question = { id, ...asked, answer };
    this.#tell();
    return promise;
  }

  #apply(event: AgentEvent): void {
    if (event.type === 'step-started') this.#show(newStepView(event.step));
    else if (event.type === 'step-ended') this.#stepEnded(event);
    else if ('step' in event) this.#progress(event);
    this.#notice = noticeOf(event);
    this.#tell();
  }

  #progress(event: AgentEvent & { step: number }): void {
    const known = this.#steps.get(event.step) ?? newStepView(event.step);
    // The step that looks now is the one that tells the model.
    const heard = event.type === 'looked' && { said: [...this.run.state.said] };
    if (event.type === 'looked') this.#elements.learn(event.state.elements);
    this.#show(withNames({ ...stepAfter(known, event), ...heard }, this.#elements));
  }

  #stepEnded({ record }: AgentEvent & { type: 'step-ended' }): void {
    this.#show(stepView(record, false));
    this.#record = { ...this.#record, steps: this.#ended };
    this.#keep(this.#parts.store.write(this.#record));
    this.#keep(this.#picture(record.step));
  }

  /** The page as it is after a step. */
  async #picture(number: number): Promise<void> {
    const { store, pictures } = this.#parts;
    const { id, threadId } = this.#record;
    const picture = await pictures.latest(threadId);
    if (!picture) return;
    await store.writePicture(id, number, picture);
    const step = this.#steps.get(number);
    if (step) this.#show({ ...step, hasPicture: true });
  }

  async #end(): Promise<void> {
    const { success, stopReason, problem, ...ended } = await this.run.result;
    // The page says itself why a run stopped; what failed it does not know.
    const result = ended.result ?? (stopReason === 'failures' ? problem : undefined);
    this.#question = undefined;
    this.#notice = undefined;
    this.#isOver = true;
    this.#record = {
      ...this.#record,
      endedAt: Date.now(),
      steps: this.#ended,
      success,
      stopReason,
      ...(result !== undefined && { result }),
    };
    for (const step of this.#steps.values()) if (step.phase !== 'ended') this.#show(cutOff(step));
    this.#tell();
    this.#keep(this.#parts.store.write(this.#record));
    while (this.#writes.size > 0) await Promise.all(this.#writes);
  }

  #show(step: StepView): void {
    this.#steps.set(step.step, step);
    this.#parts.onEvent({ type: 'step', step });
  }

  #tell(): void {
    this.#parts.onEvent({ type: 'run', run: this.view });
  }

  #keep(write: Promise<void>): void {
    const kept = write.catch((error: unknown) => {
      console.error(`The run ${this.#record.id} could not be kept whole: ${asError(error).message}`);
    });
    this.#writes.add(kept);
    void kept.then(() => this.#writes.delete(kept));
  }
}

/** The earlier actions are not in the history, and so a rerun will not do them. */
function cutOff(step: StepView): StepView {
  return { ...step, phase: 'ended', error: step.error ?? 'The run ended in the middle of this step.' };
}

function questionOf({ question, options = [] }: Suspended): Omit<RunQuestion, 'id'> {
  const choices = z.array(z.object({ label: z.string(), description: z.string().exactOptional() })).safeParse(options);
  return { kind: 'question', text: question ?? 'The agent is waiting for you.', options: choices.data ?? [] };
}

/** The notice for a person about a run that does not get on; each further event ends it. */
function noticeOf(event: AgentEvent): string | undefined {
  if (event.type === 'held') return 'The agent is waiting until you hand the browser back in the live view.';
  if (event.type !== 'model-failed') return undefined;
  return `The model call failed: ${event.error} Trying again in ${(event.delay / 1000).toFixed(1)} s.`;
}
