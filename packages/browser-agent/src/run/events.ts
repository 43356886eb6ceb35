import type { ActionResult } from '../actions/action-result.js';
import type { AgentOutput } from '../agent-output.js';
import type { BrowserState } from '../browser/browser-state.js';
import type { Suspended } from '../browser/browser-tools.js';
import type { StepRecord, StopReason } from '../history/history.js';

/** All that happens in a run, in order. */
export type AgentEvent =
  | { type: 'step-started'; step: number; maxSteps: number }
  | { type: 'looked'; step: number; state: BrowserState }
  | { type: 'model-failed'; model: string; error: string; delay: number }
  | { type: 'answered'; step: number; output: AgentOutput }
  | { type: 'answer-refused'; step: number; error: string }
  | { type: 'action-started'; step: number; action: string; input: Record<string, unknown> }
  | { type: 'action-ended'; step: number; result: ActionResult }
  | { type: 'step-ended'; record: StepRecord }
  | { type: 'waits'; step: number; for: Suspended }
  /** A person drives the browser, or another process is at work in it. */
  | { type: 'held'; reason: string }
  | { type: 'paused' }
  | { type: 'resumed' }
  | { type: 'said'; words: string }
  | { type: 'judged'; verdict: boolean; reason: string }
  | { type: 'ended'; stopReason: StopReason; success: boolean };

export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;
