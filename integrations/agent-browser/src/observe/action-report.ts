import type { CommonResult } from '../outcome/result.js';

/** Where the time of a call went, in milliseconds. */
interface ActionTimes {
  /** Until it was the call's turn: behind other calls of its thread, or while a person drove. */
  queued: number;
  /** Until there was a page: starting or waking the browser. */
  starting: number;
  acting: number;
  /** For what the action set in motion. */
  settling: number;
  /** For reading what came of it. */
  reading: number;
  total: number;
}

/** One call of a tool as spans, logs and metrics tell it. Nothing that was typed is in it. */
export interface ActionReport {
  tool: string;
  threadId: string;
  outcome: 'ok' | 'suspended' | NonNullable<CommonResult['code']>;
  element?: { role: string; name: string };
  url?: string;
  /** The other effects, in a few words each. */
  effects: string[];
  times: ActionTimes;
}

/** One line for a log: who, what, on what, how it went, how long it took, what came of it. */
export function logLine({ threadId, tool, outcome, element, effects, times, url }: ActionReport): string {
  const on = element === undefined ? '' : ` on ${element.role} ${JSON.stringify(element.name)}`;
  const phases = (['queued', 'starting', 'acting', 'settling', 'reading'] as const)
    .filter(phase => times[phase] >= 1)
    .map(phase => `${phase} ${Math.round(times[phase])}`);
  const spent = phases.length === 0 ? '' : ` (${phases.join(', ')})`;
  const came = effects.length === 0 ? '' : `: ${effects.join(', ')}`;
  return `[${threadId}] ${tool}${on} ${outcome} in ${Math.round(times.total)} ms${spent}${came}${url === undefined ? '' : ` at ${url}`}`;
}
