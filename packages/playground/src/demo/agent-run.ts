import type { Agent } from '@mastra/core/agent';
import { readModelOutput } from './model-output.js';
import { asError, asRecord } from './unknown-values.js';

export interface AgentStep {
  readonly number: number;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface AgentStepResult extends AgentStep {
  /** The tool's result for programs. */
  readonly result: Readonly<Record<string, unknown>>;
  /** The exact text that the model was given. */
  readonly read: string;
  readonly pictures: number;
  readonly milliseconds: number;
}

export type DemoRunEvent =
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'called'; readonly step: AgentStep }
  | { readonly type: 'answered'; readonly step: AgentStepResult }
  | { readonly type: 'finished'; readonly reason: string };

export interface RunOptions {
  readonly task: string;
  readonly threadId: string;
  readonly maxSteps: number;
  readonly signal: AbortSignal;
}

/** Lets an agent do a task and reports each thing as it happens. Throws if the model or the run fails. */
export async function* runAgent(agent: Agent, options: RunOptions): AsyncGenerator<DemoRunEvent> {
  const { task, threadId, maxSteps, signal } = options;
  const memory = { thread: threadId, resource: 'playground' };
  const stream = await agent.stream(task, { memory, maxSteps, abortSignal: signal });
  const pending = new Map<string, { step: AgentStep; since: number }>();
  let number = 0;
  let said = '';
  for await (const chunk of stream.fullStream) {
    signal.throwIfAborted();
    if (chunk.type === 'text-delta') said += chunk.payload.text;
    if (chunk.type === 'text-end' && said) {
      yield { type: 'said', text: said };
      said = '';
    }
    if (chunk.type === 'tool-call') {
      const { toolCallId, toolName, args } = chunk.payload;
      number += 1;
      const step = { number, toolName, args: asRecord(args) };
      pending.set(toolCallId, { step, since: performance.now() });
      yield { type: 'called', step };
    }
    if (chunk.type === 'tool-result' || chunk.type === 'tool-error') {
      const call = pending.get(chunk.payload.toolCallId);
      const milliseconds = performance.now() - (call?.since ?? performance.now());
      if (call) yield { type: 'answered', step: { ...call.step, milliseconds, ...readModelOutput(chunk) } };
    }
    if (chunk.type === 'error') throw asError(chunk.payload.error);
    if (chunk.type === 'finish') yield { type: 'finished', reason: chunk.payload.stepResult.reason };
  }
  signal.throwIfAborted();
}
