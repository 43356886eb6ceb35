import type {
  ExportFormat,
  NewRerun,
  NewRun,
  RerunRefusal,
  RunEvent,
  RunListEvent,
  RunSummary,
  RunVariable,
} from '../../src/server/browser-agent/api.js';
import { follow } from './event-socket.js';
import { ApiError, ENDING_TIME_LIMIT_MS, getJson, sendJson } from './json.js';

const RUNS = '/playground/runs';
const runPath = (id: string, rest = '') => `${RUNS}/${encodeURIComponent(id)}${rest}`;

export const startRun = (body: NewRun) => sendJson<RunSummary>('POST', RUNS, { body });
export const deleteRun = (id: string) => sendJson<void>('DELETE', runPath(id), { timeLimit: ENDING_TIME_LIMIT_MS });
export const listVariables = (id: string, signal: AbortSignal) =>
  getJson<RunVariable[]>(runPath(id, '/variables'), signal);
export const stopRerun = (id: string) => sendJson<void>('POST', runPath(id, '/rerun/stop'));
export const pictureOfStep = (id: string, step: number) => runPath(id, `/steps/${step}/picture`);
export const exportUrl = (id: string, format: ExportFormat) => runPath(id, `/export/${format}`);

export type Steering = 'pause' | 'resume' | 'stop';

export const steerRun = (id: string, how: Steering) => sendJson<void>('POST', runPath(id, `/${how}`));
export const sayToRun = (id: string, words: string) => sendJson<void>('POST', runPath(id, '/say'), { body: { words } });

/** `allOfKind`: like actions need no approval in this run. */
export type RunAnswer = string | { readonly approved: boolean; readonly allOfKind?: boolean };

/** Scrolls to an element of the action that waits, in the live view. */
export const showInRun = (id: string, questionId: string, show: string) =>
  sendJson<void>('POST', runPath(id, '/show'), { body: { questionId, show } });

export const takeBackInRun = (id: string, key: string) =>
  sendJson<void>('POST', runPath(id, '/take-back'), { body: { key } });

export function answerRun(id: string, questionId: string, answer: RunAnswer): Promise<void> {
  return sendJson('POST', runPath(id, '/answer'), { body: { questionId, answer } });
}

/** What happens in a run, from all that happened so far on. */
export function followRun(id: string, signal: AbortSignal): Promise<AsyncGenerator<RunEvent>> {
  return follow({ kind: 'run', runId: id }, signal);
}

/** All runs, whenever one begins, waits, ends or is deleted. */
export function followRuns(signal: AbortSignal): Promise<AsyncGenerator<RunListEvent>> {
  return follow({ kind: 'runs' }, signal);
}

/** Undefined when it began; else what was wrong with what was asked for. */
export async function startRerun(id: string, body: NewRerun): Promise<RerunRefusal | undefined> {
  try {
    // The browser of the rerun before is ended first.
    await sendJson('POST', runPath(id, '/rerun'), { body, timeLimit: ENDING_TIME_LIMIT_MS });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { error: error.message, fieldErrors: error.fieldErrors };
  }
}
