import { shortened } from '../messages/frame.js';
import type { AgentHistory } from './history.js';

/** What a run leaves to the next one in the same browser. */
export interface Legacy {
  /** For the model. */
  told: string;
  memory: string;
}

const MOST_WORDS = 2_000;
/** Characters of all that was extracted. */
const MOST_EXTRACTED = 4_000;

/** Of any run, however it ended. */
export function legacyOf({ task, steps, stopReason = 'stopped', result, problem }: AgentHistory): Legacy {
  const last = (field: 'memory' | 'progress' | 'plan'): string =>
    steps.findLast(({ output }) => output?.[field])?.output?.[field] ?? '';
  const memory = last('memory');
  const extracted = steps.flatMap(({ results }) => results.flatMap(({ longTermMemory }) => longTermMemory ?? []));
  const lines = [
    `Your previous task in this browser: ${task}`,
    `It ended with: ${result ?? `${stopReason}: ${problem ?? ''}`}`,
    memory && `Memory: ${memory}`,
    last('progress') && `Progress: ${last('progress')}`,
    last('plan') && `Plan: ${last('plan')}`,
  ].flatMap(line => (line ? shortened(line, MOST_WORDS) : []));
  const told = [...lines, ...(extracted.length > 0 ? [shortened(extracted.join('\n'), MOST_EXTRACTED)] : [])];
  return { told: told.join('\n'), memory };
}
