/**
 * An agent that does a whole task in a browser by itself.
 * @module @browser-toolset/browser-agent
 */

export { type ActionContext, type ActionDefinition, type ActionOutcome, defineAction } from './actions/action.js';
export type { ActionResult, ElementRecord } from './actions/action-result.js';
export type { AgentAction, AgentOutput } from './agent-output.js';
export { type BrowserState, LOOK_CALL_ID } from './browser/browser-state.js';
export type { Suspended } from './browser/browser-tools.js';
export { BrowserAgent, type BrowserAgentConfig } from './browser-agent.js';
export { type ToCodeOptions, toCode } from './export/to-code.js';
export { type ToWorkflowOptions, toWorkflow } from './export/to-workflow.js';
export {
  type AgentHistory,
  actions,
  type Extract,
  errors,
  extracted,
  finalResult,
  type StepRecord,
  type StopReason,
  type TokenUsage,
  urls,
  usage,
} from './history/history.js';
export { loadHistory, type StoredHistory, saveHistory } from './history/saved-history.js';
export type { WorkflowEngine, WorkflowOptions } from './mastra/agent-workflow.js';
export type { AgentModel } from './model/model-client.js';
export type { AgentOptions, AgentOptionsInput } from './options.js';
export { type RecordedAction, recordedActions } from './rerun/recorded-actions.js';
export {
  type RecordedInput,
  type RecordedSession,
  recordedSession,
  type TakeOptions,
} from './rerun/recorded-session.js';
export type { RerunOptions, RerunResult, RerunStep } from './rerun/rerun.js';
export { detectVariables, type Variable, type VariableKind } from './rerun/variables.js';
export type { AgentRun, RunResult } from './run/agent-run.js';
export type { AgentState } from './run/agent-state.js';
export type { AgentEvent } from './run/events.js';
export type { RunOptions } from './run/run-options.js';
