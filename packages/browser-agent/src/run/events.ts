import { z } from 'zod/v4';
import type { ActionResult } from '../actions/action-result.js';
import type { AgentOutput } from '../agent-output.js';
import type { BrowserState } from '../browser/browser-state.js';
import type { Suspended } from '../browser/browser-tools.js';
import { STOP_REASONS, type StepRecord } from '../history/history.js';

/** A field of a type that the package exports; the documentation names it. */
function typed<T>(title: string): z.ZodType<T> {
  return z.custom<T>().meta({ title });
}

/** @param when It comes. */
function event<Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields, when: string) {
  return z.object({ type: z.literal(type), ...fields }).describe(when);
}

const step = z.number();

/** All that happens in a run. A table of the documentation. */
export const AGENT_EVENTS = [
  event('step-started', { step, maxSteps: z.number() }, 'A step starts.'),
  event('looked', { step, state: typed<BrowserState>('BrowserState') }, 'The agent has looked at the page.'),
  event(
    'model-failed',
    { model: z.string(), error: z.string(), delay: z.number() },
    'A model call failed. The model is called again after `delay` milliseconds, or the next one is called.',
  ),
  event(
    'thinking',
    { step, part: z.enum(['thoughts', 'answer']), text: z.string() },
    'A piece of what the model is writing, as it comes: of its thoughts, or of its answer, which is not acted on before it is whole. After `model-failed` it begins anew.',
  ),
  event('answered', { step, output: typed<AgentOutput>('AgentOutput') }, 'The model has decided on its actions.'),
  event(
    'answer-refused',
    { step, error: z.string() },
    'No model answered, or the answer did not fit. The model is told so at the next step.',
  ),
  event(
    'action-started',
    { step, action: z.string(), input: typed<Record<string, unknown>>('Record<string, unknown>') },
    'An action starts.',
  ),
  event(
    'action-ended',
    { step, result: typed<ActionResult>('ActionResult') },
    'An action has ended, successfully or not.',
  ),
  event('step-ended', { record: typed<StepRecord>('StepRecord') }, 'A step has become history.'),
  event(
    'waits',
    { step, for: typed<Suspended>('Suspended') },
    'An action is waiting for an answer or approval from a person.',
  ),
  event(
    'held',
    { reason: z.string() },
    'A person has control of the browser, or another process is using it: the run waits until they are done.',
  ),
  event('paused', {}, '`pause` was called: no further step starts.'),
  event('resumed', {}, 'The run continues after `pause`.'),
  event('said', { words: z.string() }, '`say` was called: the next step reads it.'),
  event(
    'judged',
    { verdict: z.boolean(), reason: z.string() },
    'The judge has checked the claim that the task is done.',
  ),
  event(
    'ended',
    { stopReason: z.enum(STOP_REASONS), success: z.boolean() },
    'The run has ended. It is the last event.',
  ),
] as const;

/** All that happens in a run, in order. */
export type AgentEvent = z.output<(typeof AGENT_EVENTS)[number]>;

export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;
