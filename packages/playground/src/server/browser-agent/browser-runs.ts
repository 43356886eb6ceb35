import { type AgentHistory, BrowserAgent } from '@browser-toolset/browser-agent';
import type { ViewerAnswer } from '@browser-toolset/server';
import { HTTPException } from 'hono/http-exception';
import type { ChosenModel } from '../../demo/model-choice.js';
import { createScriptedAgentModel } from '../../scripted-model/index.js';
import { demoScripts } from '../../tasks/index.js';
import type { Jpeg } from '../camera.js';
import type { Journal } from '../journal.js';
import type { RecordedToolset } from '../recorded-toolset.js';
import type { Thumbnails } from '../thumbnails.js';
import type { NewRerun, NewRun, RunDetail, RunEvent, RunListEvent, RunSummary, RunVariable } from './api.js';
import { withApprovals } from './approvals.js';
import { LiveRerun } from './live-rerun.js';
import { LiveRun } from './live-run.js';
import { variablesOf } from './rerun-variables.js';
import { RunStore, runSummaryOf } from './run-store.js';
import { StepPictures } from './step-pictures.js';
import { stepView } from './step-view.js';

export const BROWSER_AGENT_ID = 'browser-agent';

export interface BrowserRunsParts {
  readonly toolset: RecordedToolset;
  readonly journal: Journal;
  readonly thumbnails: Thumbnails;
  /** A script decides without one. */
  readonly model: ChosenModel | undefined;
  /** Where the demo shop is. */
  readonly demoUrl: string;
  /** Where runs are kept. */
  readonly folder: string;
}

type RunListener = (event: RunEvent) => void;
type ListListener = (event: RunListEvent) => void;

/** All runs of the browser agent: those that go on, and those that were recorded. */
export class BrowserRuns implements AsyncDisposable {
  readonly #parts: BrowserRunsParts;
  readonly #store: RunStore;
  readonly #agent: BrowserAgent;
  readonly #pictures: StepPictures;
  readonly #live = new Map<string, LiveRun>();
  /** The latest of each run, until the server ends. */
  readonly #reruns = new Map<string, LiveRerun>();
  readonly #listeners = new Map<string, Set<RunListener>>();
  readonly #listListeners = new Set<ListListener>();
  /** The states of running runs that those who show the list know. */
  readonly #toldStatus = new Map<string, string>();

  private constructor(parts: BrowserRunsParts, store: RunStore) {
    this.#parts = parts;
    this.#store = store;
    this.#pictures = new StepPictures(parts.journal, parts.thumbnails);
    this.#agent = new BrowserAgent({
      id: BROWSER_AGENT_ID,
      browser: { tools: withApprovals(parts.toolset.getTools(), threadId => this.#asksBeforeActions(threadId)) },
      model: parts.model?.config ?? createScriptedAgentModel(demoScripts),
    });
  }

  static async open(parts: BrowserRunsParts): Promise<BrowserRuns> {
    return new BrowserRuns(parts, await RunStore.open(parts.folder));
  }

  /** The latest first. */
  list(): RunSummary[] {
    return this.#store.all().map(record => this.#live.get(record.id)?.view ?? runSummaryOf(record));
  }

  start({ threadId, task, asksBeforeActions }: NewRun): RunSummary {
    if (this.#runOf(threadId))
      throw refusal(409, 'A run of this thread is in progress: stop it first, or start a new thread.');
    const { model, demoUrl } = this.#parts;
    const live: LiveRun = new LiveRun({
      store: this.#store,
      pictures: this.#pictures,
      asksBeforeActions,
      demoUrl,
      ...(model && { model: model.id }),
      preview: (thread, call, options) => this.#parts.toolset.describeCall(thread, call, options),
      begin: hooks =>
        this.#agent.run({ task, threadId, save: state => this.#store.writeHistory(state.history), ...hooks }),
      onEvent: event => this.#tell(live.run.runId, event),
    });
    const id = live.run.runId;
    this.#live.set(id, live);
    this.#tellList();
    void live.ended.then(() => this.#live.delete(id));
    return live.view;
  }

  /** @throws 404 for runs that there are not. */
  async detail(id: string): Promise<RunDetail> {
    const rerun = this.#reruns.get(id)?.view;
    const more = rerun && { rerun };
    const live = this.#live.get(id);
    if (live) return { run: live.view, steps: live.steps, ...more };
    const record = this.#store.find(id) ?? missing();
    const [history, pictures] = await Promise.all([this.#store.history(id), this.#store.pictures(id)]);
    const steps = history?.steps.map(step => stepView(step, pictures.has(step.step))) ?? [];
    return { run: { ...runSummaryOf(record), said: [], allowed: [] }, steps, ...more };
  }

  /** The run that goes on. @throws 404, or 409 when it does not go on. */
  live(id: string): LiveRun {
    const live = this.#live.get(id);
    if (live && !live.isOver) return live;
    if (!this.#store.find(id)) return missing();
    throw refusal(409, 'This run has ended.');
  }

  /** The live view's way to answer: it knows the thread alone. */
  answerIn({ threadId, questionId, answer }: ViewerAnswer): void {
    if (threadId !== undefined) this.#runOf(threadId)?.answer(questionId, answer);
  }

  picture(id: string, step: number): Promise<Jpeg | undefined> {
    if (!this.#store.find(id)) missing();
    return this.#store.picture(id, step);
  }

  /** @throws 404, or 409 where nothing was recorded. */
  async history(id: string): Promise<AgentHistory> {
    if (!this.#store.find(id)) missing();
    const history = await this.#store.history(id);
    if (!history) throw refusal(409, 'Nothing has been recorded for this run yet.');
    return history;
  }

  /** The variables of a recorded run. @throws As `history` does. */
  async variables(id: string): Promise<RunVariable[]> {
    const was = this.#store.find(id)?.demoUrl;
    const now = this.#parts.demoUrl;
    return variablesOf(await this.history(id)).map(variable =>
      variable.kind === 'origin' && variable.value === was && was !== now ? { ...variable, suggested: now } : variable,
    );
  }

  /** Does a recorded run again, in a browser of its own that begins anew. */
  async rerun(id: string, history: AgentHistory, options: NewRerun): Promise<void> {
    if (this.#isGoingOn(id)) throw refusal(409, 'This run is in progress: you can rerun it when it has ended.');
    const threadId = `${id}-rerun`;
    this.#refuseSecondRerun(id);
    await this.#parts.toolset.closeThreadSession(threadId);
    // Another one may have been asked for meanwhile.
    this.#refuseSecondRerun(id);
    const onChange: ConstructorParameters<typeof LiveRerun>[0]['onChange'] = rerun =>
      this.#tell(id, { type: 'rerun', rerun });
    this.#reruns.set(id, new LiveRerun({ agent: this.#agent, history, threadId, ...options, onChange }));
  }

  stopRerun(id: string): void {
    this.#reruns.get(id)?.stop();
  }

  /** Ends a run and forgets all of it, with its browsers. */
  async delete(id: string): Promise<void> {
    const { threadId } = this.#store.find(id) ?? missing();
    const live = this.#live.get(id);
    const rerun = this.#reruns.get(id);
    live?.run.stop();
    rerun?.stop();
    await Promise.all([live?.ended, rerun?.ended]);
    this.#reruns.delete(id);
    await this.#store.delete(id);
    this.#tell(id, { type: 'deleted' });
    this.#tellList();
    await this.#forgetThread(`${id}-rerun`);
    // Other runs of the thread are about the same pages.
    if (!this.#store.all().some(other => other.threadId === threadId)) await this.#forgetThread(threadId);
  }

  /** Tells what changes of a run from now on. Returns the way to stop. */
  subscribe(id: string, listener: RunListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  /** Tells all runs whenever one begins, waits, ends or is deleted. Returns the way to stop. */
  subscribeList(listener: ListListener): () => void {
    this.#listListeners.add(listener);
    return () => void this.#listListeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { run } of this.#live.values()) run.stop();
    for (const rerun of this.#reruns.values()) rerun.stop();
    await Promise.all([...this.#live.values(), ...this.#reruns.values()].map(({ ended }) => ended));
  }

  #isGoingOn(id: string): boolean {
    return this.#live.get(id)?.isOver === false;
  }

  #refuseSecondRerun(id: string): void {
    if (this.#reruns.get(id)?.view.status === 'running') throw refusal(409, 'This run is already being rerun.');
  }

  #asksBeforeActions(threadId: string): boolean {
    return this.#runOf(threadId)?.asksBeforeActions ?? false;
  }

  /** The run of a thread that goes on. */
  #runOf(threadId: string): LiveRun | undefined {
    return [...this.#live.values()].find(({ run, isOver }) => run.threadId === threadId && !isOver);
  }

  #tell(id: string, event: RunEvent): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(event);
    if (event.type !== 'run' || this.#toldStatus.get(id) === event.run.status) return;
    if (event.run.status === 'ended') this.#toldStatus.delete(id);
    else this.#toldStatus.set(id, event.run.status);
    this.#tellList();
  }

  #tellList(): void {
    const event: RunListEvent = { type: 'runs', runs: this.list() };
    for (const listener of this.#listListeners) listener(event);
  }

  async #forgetThread(threadId: string): Promise<void> {
    const { toolset, thumbnails, journal } = this.#parts;
    await toolset.closeThreadSession(threadId);
    thumbnails.forget(threadId);
    journal.forget(threadId);
  }
}

function refusal(status: 404 | 409, message: string): HTTPException {
  return new HTTPException(status, { message });
}

function missing(): never {
  throw refusal(404, 'There is no such run.');
}
