import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMastraStorage, type MastraStorageLike } from '@browser-toolset/core';
import type { z } from 'zod/v4';
import type { ActionDefinition } from './actions/action.js';
import { askUser } from './actions/ask-user.js';
import { doneAction } from './actions/done.js';
import { extract } from './actions/extract.js';
import { FILE_ACTIONS } from './actions/file-actions.js';
import { RunFiles } from './actions/run-files.js';
import { searchAction } from './actions/search.js';
import { toolActions } from './actions/tool-actions.js';
import type { AgentAction } from './agent-output.js';
import { type BrowserTool, BrowserTools, type UsedToolset } from './browser/browser-tools.js';
import type { AgentHistory } from './history/history.js';
import { type Legacy, legacyOf } from './history/history.js';
import { findHistory, saveHistory } from './history/saved-history.js';
import { agentTool } from './mastra/agent-tool.js';
import { agentWorkflow, type WorkflowEngine, type WorkflowOptions } from './mastra/agent-workflow.js';
import { systemPrompt } from './messages/system-prompt.js';
import { InvalidAnswer } from './model/invalid-answer.js';
import { type AgentModel, ModelClient, type ModelSource, sourcesOf } from './model/model-client.js';
import { isLongSchema, outlineSchema } from './model/output-schema.js';
import { checkedAction } from './model/read-answer.js';
import { type AgentOptions, type AgentOptionsInput, checkActions, checkModel, parseOptions } from './options.js';
import { type RerunOptions, type RerunResult, rerun } from './rerun/rerun.js';
import { WAITS, type Waits } from './rerun/waits.js';
import { AgentRun } from './run/agent-run.js';
import { type AgentState, addressIn, agentState, newState } from './run/agent-state.js';
import type { RunContext } from './run/run-context.js';
import { checkResumeOptions, checkRunOptions, type RunOptions } from './run/run-options.js';

export interface BrowserAgentConfig extends AgentOptionsInput {
  /** The browser to work in. Any toolset with tools will do. */
  browser: UsedToolset;
  /** Whatever a Mastra agent takes as its model; of a list, each is asked when the one before cannot answer. */
  model: AgentModel;
  /** Reads pages for `extract`; the model when left out. */
  extractModel?: AgentModel;
  /** Checks the claim of `done`, and can send the model back once. */
  judge?: AgentModel;
  /** Own actions, made with `defineAction`. One with the name of another takes its place. */
  actions?: readonly ActionDefinition[];
  /** Keeps the history of each run while it runs, so that any process can read it; `loadHistory` does. */
  storage?: MastraStorageLike;
  /** @default 'browser-agent' */
  id?: string;
}

/** Threads whose last run is remembered without a storage. */
const REMEMBERED_RUNS = 1_000;

/** Does whole tasks in a browser by itself, with any Mastra model. */
export class BrowserAgent {
  readonly id: string;
  readonly options: AgentOptions;
  readonly #config: BrowserAgentConfig;
  readonly #waits: Waits;
  readonly #actions: readonly ActionDefinition[];
  #tool: ReturnType<typeof agentTool> | undefined;
  #workflow: ReturnType<typeof agentWorkflow> | undefined;
  /** What is known of models, for all runs. */
  readonly #sources = new Map<AgentModel, ModelSource[]>();
  /** What the latest runs leave to those that follow, by thread. */
  readonly #ended = new Map<string, Legacy>();

  /**
   * @param how For tests, which wait less.
   * @throws {TypeError} that names the option that is wrong.
   */
  constructor(config: BrowserAgentConfig, { waits = WAITS }: { waits?: Waits } = {}) {
    const { browser, model, extractModel, judge, actions = [], storage, id = 'browser-agent', ...options } = config;
    if (typeof browser?.tools !== 'object' || browser.tools === null)
      throw new TypeError('BrowserAgent: browser must be a toolset with tools, such as new BrowserToolset()');
    if ((browser.tools as Readonly<Record<string, BrowserTool>>).browser_snapshot?.execute === undefined)
      throw new TypeError('BrowserAgent: browser has no tool browser_snapshot, by which each page is looked at');
    checkModel('model', model);
    if (extractModel !== undefined) checkModel('extractModel', extractModel);
    if (judge !== undefined) checkModel('judge', judge);
    checkActions(actions);
    if (storage !== undefined && !isMastraStorage(storage))
      throw new TypeError("BrowserAgent: storage must be one of Mastra's, such as new LibSQLStore({ id, url })");
    this.options = parseOptions(options);
    this.id = id;
    this.#config = config;
    this.#waits = waits;
    this.#actions = this.#allActions(actions);
    const known = new Set(this.#actions.map(({ name }) => name));
    for (const name of [...(this.options.only ?? []), ...(this.options.except ?? [])])
      if (!known.has(name) && name !== 'done')
        throw new TypeError(`BrowserAgent: there is no action ${name}; there are ${[...known].join(', ')}`);
  }

  /** The agent as a tool for any Mastra agent: `run_browser_agent`. */
  get tool(): ReturnType<typeof agentTool> {
    this.#tool ??= agentTool(this);
    return this.#tool;
  }

  /** The loop as a Mastra workflow on the default engine. `workflowOn` builds it for another one. */
  get workflow(): ReturnType<typeof agentWorkflow> {
    this.#workflow ??= agentWorkflow(this);
    return this.#workflow;
  }

  /**
   * The loop as a workflow of another engine, such as `@mastra/inngest`'s `init(inngest)`, or with options of its own: of
   * Mastra's default engine where none is given.
   */
  workflowOn(engine?: WorkflowEngine, options?: WorkflowOptions): ReturnType<typeof agentWorkflow> {
    return agentWorkflow(this, engine, options);
  }

  /** The actions that the model has, beside `done`; `screenshot` unless `vision` is off. */
  get actions(): readonly ActionDefinition[] {
    const { only, except = [] } = this.options;
    return this.#actions.filter(({ name }) => (only === undefined || only.includes(name)) && !except.includes(name));
  }

  /** Begins a run. It goes on by itself: iterate over it for its steps, or await its result. */
  run<Output = unknown>(options: RunOptions<Output>): AgentRun<Output> {
    return this.#begin<Output>(this.stateFor(options), options, { isNew: true });
  }

  /** The state that a run begins with. */
  stateFor(options: RunOptions): AgentState {
    checkRunOptions(options);
    const {
      task,
      addInfos,
      url = addressIn(task),
      threadId = randomUUID(),
      initialActions = [],
      maxSteps,
      output,
    } = options;
    return newState({
      runId: randomUUID(),
      threadId,
      task,
      ...(addInfos !== undefined && { additionalInfos: addInfos }),
      ...(url !== undefined && { url }),
      maxSteps: maxSteps ?? this.options.maxSteps,
      initialActions: this.#checked(initialActions, output),
    });
  }

  #checked(initialActions: readonly AgentAction[], output: z.ZodType | undefined): AgentAction[] {
    const known = [...this.#actions, doneAction(output)];
    try {
      return initialActions.map(given => {
        const { action, ignored } = checkedAction(given, known);
        if (ignored.length > 0) throw new InvalidAnswer(`there is no field ${ignored.join(', ')}`);
        return action;
      });
    } catch (error) {
      if (!(error instanceof InvalidAnswer)) throw error;
      throw new TypeError(`BrowserAgent: initialActions: ${error.message}`);
    }
  }

  /** Tells a run what the one before it in the same browser did. */
  async tellOfLastRun(state: AgentState): Promise<void> {
    const { threadId } = state.history;
    const { storage } = this.#config;
    const stored = storage && !this.#ended.has(threadId) && (await findHistory({ storage, threadId }));
    const legacy = this.#ended.get(threadId) ?? (stored ? legacyOf(stored) : undefined);
    if (legacy === undefined) return;
    state.before = legacy.told;
    state.memory = legacy.memory;
  }

  /** Keeps a history where the agent keeps them. */
  async keep(history: AgentHistory): Promise<void> {
    const { storage } = this.#config;
    this.#remember(history);
    if (storage !== undefined) await saveHistory(history, storage);
  }

  #remember(history: AgentHistory): void {
    // A run that goes on leaves nothing yet.
    if (history.stopReason === undefined) return;
    const { threadId } = history;
    this.#ended.delete(threadId);
    this.#ended.set(threadId, legacyOf(history));
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED_RUNS && oldest !== undefined) this.#ended.delete(oldest);
  }

  /**
   * Goes on with a run whose state was stored, in another process too.
   *
   * @param answer What a person said to what the run waits for. Only `true` and `{ approved: true }` approve an action.
   */
  resume<Output = unknown>(
    stored: AgentState,
    options: Omit<RunOptions<Output>, 'task' | 'url' | 'threadId'> & { answer?: unknown } = {},
  ): AgentRun<Output> {
    checkResumeOptions(options);
    const state = agentState.parse(structuredClone(stored));
    delete state.stopReason;
    delete state.history.stopReason;
    delete state.history.success;
    delete state.history.problem;
    state.stopRequested = false;
    state.unchanged = 0;
    const { answer } = options;
    const isAnswered = state.decided?.waiting !== undefined && answer !== undefined;
    return this.#begin<Output>(state, options, { isResumed: true, ...(isAnswered && { answer: { data: answer } }) });
  }

  /**
   * Takes the actions of a recorded run again, without a model: each element is found by the same proof as a ref is.
   *
   * @throws For variables that the history does not have.
   */
  async rerun(history: AgentHistory, options: RerunOptions = {}): Promise<RerunResult> {
    const { threadId = randomUUID() } = options;
    const state = newState({ runId: randomUUID(), threadId, task: history.task, maxSteps: this.options.maxSteps });
    return rerun(
      history,
      this.context(state, () => undefined),
      options,
    );
  }

  #begin<Output>(
    state: AgentState,
    options: Omit<RunOptions<Output>, 'task'>,
    { isNew, ...resumed }: { isNew?: true; isResumed?: true; answer?: { data: unknown } },
  ): AgentRun<Output> {
    const { historyFile, output, signal, onStep, onQuestion, save } = options;
    return new AgentRun<Output>({
      state,
      context: async events => {
        if (isNew) await this.tellOfLastRun(state);
        return this.#context(state, { ...events, output });
      },
      ...(signal && { signal }),
      ...resumed,
      ...(onStep && { onStep }),
      ...(onQuestion && { onQuestion }),
      save: async now => {
        if (historyFile !== undefined) await saveHistory(now.history, historyFile);
        await this.keep(now.history);
        await save?.(now);
      },
    });
  }

  /** The parts of a step besides its state. Steps of a workflow make them anew. */
  context(state: AgentState, emit: RunContext['emit'], output?: z.ZodType): RunContext {
    return this.#context(state, { emit, hears: () => false, output });
  }

  #context(
    { boundary, history: { threadId, runId } }: AgentState,
    { emit, hears, output }: Pick<RunContext, 'emit' | 'hears'> & { output?: z.ZodType | undefined },
  ): RunContext {
    const { browser, model, extractModel = model, judge } = this.#config;
    const { options } = this;
    const client = (models: AgentModel): ModelClient =>
      new ModelClient(this.#sourcesOf(models), {
        maxRetries: options.modelRetries,
        timeout: options.modelTimeout * 1_000,
        backoff: options.modelBackoff,
        prices: options.prices,
        onRetry: failure => emit({ type: 'model-failed', ...failure }),
      });
    const done = doneAction(output);
    // Who does not see pictures takes none.
    const offered = [...this.actions, done].filter(({ name }) => options.vision !== false || name !== 'screenshot');
    const { mode, maxActionsPerStep, instructions } = options;
    const prompt = { mode, maxActionsPerStep, instructions };
    const tools = new BrowserTools(browser, threadId, this.id);
    tools.onHeld = reason => emit({ type: 'held', reason });
    return {
      tools,
      options,
      actions: [...this.#actions, done],
      offered,
      models: client(model),
      extractor: client(extractModel),
      ...(judge !== undefined && { judge: client(judge) }),
      ...(output !== undefined && { output }),
      files: new RunFiles(join(options.folder ?? join(tmpdir(), 'browser-agent'), runId)),
      boundary,
      system: systemPrompt(prompt),
      inPrompt: {
        system: systemPrompt({ ...prompt, actions: offered }),
        schema: outlineSchema(mode),
        isShorter: isLongSchema(mode, offered),
      },
      waits: this.#waits,
      emit,
      hears,
    };
  }

  #sourcesOf(models: AgentModel): ModelSource[] {
    const sources = this.#sources.get(models) ?? sourcesOf(models);
    this.#sources.set(models, sources);
    return sources;
  }

  #allActions(own: readonly ActionDefinition[]): readonly ActionDefinition[] {
    const tools = this.#config.browser.tools as Readonly<Record<string, BrowserTool>>;
    const byName = new Map<string, ActionDefinition>();
    const loop = [...FILE_ACTIONS, extract, searchAction(this.options.searchUrl), askUser];
    for (const action of [...loop, ...toolActions(tools), ...own]) byName.set(action.name, action);
    return [...byName.values()];
  }
}
