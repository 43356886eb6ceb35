import { createStep as defaultStep, createWorkflow as defaultWorkflow } from '@mastra/core/workflows';
import { z } from 'zod/v4';
import { type AgentHistory, extracted, extractRecord, historySchema, STOP_REASONS } from '../history/history.js';
import type { AgentOptions } from '../options.js';
import { type AgentState, agentState, personsAnswer, waitingRun } from '../run/agent-state.js';
import type { AgentEvent } from '../run/events.js';
import { conclude, whyEnds } from '../run/limits.js';
import type { RunContext } from '../run/run-context.js';
import { act, decide } from '../run/take-step.js';

/** An agent as far as its workflow needs it. */
export interface LoopingAgent {
  readonly id: string;
  readonly options: AgentOptions;
  stateFor(options: z.output<typeof workflowInput> & { output?: z.ZodType }): AgentState;
  tellOfLastRun(state: AgentState): Promise<void>;
  keep(history: AgentHistory): Promise<void>;
  context(state: AgentState, emit: RunContext['emit'], output?: z.ZodType): RunContext;
}

/** What cannot be the input of a workflow, which is plain data. */
export interface WorkflowOptions {
  /** The schema of the result's data. */
  output?: z.ZodType;
  /** Told of all that happens in runs of this process. */
  onEvent?: (event: AgentEvent, run: { runId: string; threadId: string }) => void;
}

/** The two functions of the engine that the workflow is to run on. */
export interface WorkflowEngine {
  createWorkflow: typeof defaultWorkflow;
  createStep: typeof defaultStep;
}

const workflowInput = z.object({
  task: z.string().min(1),
  addInfos: z.string().optional(),
  url: z.string().optional(),
  threadId: z.string().optional(),
  maxSteps: z.number().int().min(1).optional(),
  initialActions: z.array(z.record(z.string(), z.record(z.string(), z.unknown()))).optional(),
});

const workflowOutput = z.object({
  success: z.boolean(),
  stopReason: z.enum(STOP_REASONS),
  result: z.string().optional(),
  problem: z.string().optional(),
  output: z.unknown().optional(),
  extracts: z.array(extractRecord),
  history: historySchema,
});

const carried = z.object({ state: agentState });

/**
 * The loop as a workflow: `decide` looks and asks the model, `act` takes the actions, until there is a reason to end. What
 * goes from step to step is plain data, so that the engine can store it and go on in another process. A step that a
 * process died in is not repeated: the model is told, and looks.
 */
export function agentWorkflow(
  agent: LoopingAgent,
  engine: WorkflowEngine = DEFAULT_ENGINE,
  options: WorkflowOptions = {},
) {
  const step = engine
    .createWorkflow({ id: `${agent.id}-step`, inputSchema: carried, outputSchema: carried })
    .then(decideStep(agent, engine, options))
    .then(actStep(agent, engine, options))
    .commit();
  return engine
    .createWorkflow({ id: agent.id, inputSchema: workflowInput, outputSchema: workflowOutput })
    .then(startStep(agent, engine, options))
    .dountil(step, async ({ inputData }) => inputData.state.stopReason !== undefined)
    .then(finishStep(agent, engine))
    .commit();
}

const DEFAULT_ENGINE: WorkflowEngine = { createWorkflow: defaultWorkflow, createStep: defaultStep };

function contextOf(agent: LoopingAgent, state: AgentState, { output, onEvent }: WorkflowOptions): RunContext {
  const { runId, threadId } = state.history;
  return agent.context(state, event => onEvent?.(event, { runId, threadId }), output);
}

function startStep(agent: LoopingAgent, { createStep }: WorkflowEngine, options: WorkflowOptions) {
  return createStep({
    id: 'start',
    inputSchema: workflowInput,
    outputSchema: carried,
    execute: async ({ inputData }) => {
      const { output } = options;
      const state = agent.stateFor({ ...inputData, ...(output !== undefined && { output }) });
      await agent.tellOfLastRun(state);
      return { state };
    },
  });
}

function decideStep(agent: LoopingAgent, { createStep }: WorkflowEngine, options: WorkflowOptions) {
  return createStep({
    id: 'decide',
    inputSchema: carried,
    outputSchema: carried,
    execute: async ({ inputData, abortSignal }) => {
      const state = structuredClone(inputData.state);
      const reason = whyEnds(state, agent.options);
      if (reason !== undefined) state.stopReason = reason;
      else if (state.decided === undefined) await decide(state, contextOf(agent, state, options), abortSignal);
      return { state };
    },
  });
}

function actStep(agent: LoopingAgent, { createStep }: WorkflowEngine, options: WorkflowOptions) {
  return createStep({
    id: 'act',
    inputSchema: carried,
    outputSchema: carried,
    suspendSchema: waitingRun,
    resumeSchema: personsAnswer,
    execute: async ({ inputData, abortSignal, resumeData, suspendData, restart, suspend }) => {
      // A call that waits stands in what the step was suspended with.
      const stored = (suspendData as { state?: AgentState } | undefined)?.state ?? inputData.state;
      const state = structuredClone(stored);
      if (state.decided === undefined) return { state };
      const isWaiting = state.decided.waiting !== undefined;
      // A step that waits and runs again was resumed, unless its process has died meanwhile: then it goes on waiting.
      if (!isWaiting || restart !== true)
        await act(state, contextOf(agent, state, options), {
          signal: abortSignal,
          ...(isWaiting && { answer: { data: resumeData } }),
          ...(restart === true && { isInterrupted: true }),
        });
      await agent.keep(state.history);
      const waiting = state.decided?.waiting;
      if (waiting !== undefined) await suspend({ ...waiting.payload, state });
      return { state };
    },
  });
}

function finishStep(agent: LoopingAgent, { createStep }: WorkflowEngine) {
  return createStep({
    id: 'finish',
    inputSchema: carried,
    outputSchema: workflowOutput,
    execute: async ({ inputData }) => {
      const state = structuredClone(inputData.state);
      conclude(state);
      const { history } = state;
      await agent.keep(history);
      const { success = false, stopReason = 'stopped', result, problem, output } = history;
      return {
        success,
        stopReason,
        ...(result !== undefined && { result }),
        ...(problem !== undefined && { problem }),
        ...(output !== undefined && { output }),
        extracts: extracted(history),
        history,
      };
    },
  });
}
