import type {
  ActionDetail,
  ActionSummary,
  McpState,
  ModelState,
  StudioState,
  ToolInfo,
  ToolRun,
} from '../../src/server/api.js';
import { ENDING_TIME_LIMIT_MS, getJson, sendJson } from './json.js';

const threadPath = (threadId: string, rest = '') => `/playground/threads/${encodeURIComponent(threadId)}${rest}`;

export const getState = () => getJson<StudioState>('/playground/state');
/** Whether the model can be used. */
export const getModelProblem = () => getJson<ModelState>('/playground/model');
export const getTools = () => getJson<ToolInfo[]>('/playground/tools');

export const getMcp = (signal: AbortSignal) => getJson<McpState>('/playground/mcp', signal);

export function listActions(threadId: string, signal: AbortSignal): Promise<ActionSummary[]> {
  return getJson(threadPath(threadId, '/actions'), signal);
}

export function getAction(threadId: string, id: string, signal: AbortSignal): Promise<ActionDetail> {
  return getJson(threadPath(threadId, `/actions/${encodeURIComponent(id)}`), signal);
}

export function pictureUrl({ threadId, id }: Pick<ActionSummary, 'threadId' | 'id'>): string {
  return threadPath(threadId, `/actions/${encodeURIComponent(id)}/picture`);
}

/** Takes as long as the tool does. */
export function runTool(id: string, body: { threadId: string; input: unknown }, signal: AbortSignal): Promise<ToolRun> {
  return sendJson('POST', `/playground/tools/${encodeURIComponent(id)}`, { body, signal, timeLimit: 'none' });
}

/** Ends the thread's browser and forgets what was done in it. */
export async function forgetThread(threadId: string): Promise<void> {
  await sendJson('DELETE', threadPath(threadId), { timeLimit: ENDING_TIME_LIMIT_MS });
}
