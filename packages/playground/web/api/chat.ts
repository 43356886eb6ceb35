import type { CallPreview, Decision, WaitingCall, WaitingEvent } from '../../src/server/api.js';
import { follow } from './event-socket.js';
import { getJson, sendJson } from './json.js';
import type { ThreadKey } from './mastra.js';

const chatPath = ({ agentId, threadId }: ThreadKey, rest: string) =>
  `/playground/chat/${encodeURIComponent(agentId)}/${encodeURIComponent(threadId)}/${rest}`;

/** The calls that wait for a person. */
export const listWaiting = (key: ThreadKey, signal: AbortSignal) =>
  getJson<WaitingCall[]>(chatPath(key, 'waiting'), signal);

/** The threads of an agent in which a call waits: all of them, at first and whenever they are others. */
export function followWaiting(agentId: string, signal: AbortSignal): Promise<AsyncGenerator<WaitingEvent>> {
  return follow({ kind: 'waiting', agentId }, signal);
}

/** What a call is about to do. */
export const previewCall = (key: ThreadKey, call: { tool: string; input: unknown }, signal: AbortSignal) =>
  sendJson<CallPreview>('POST', chatPath(key, 'preview'), { body: call, signal });

export async function decide(key: ThreadKey, decision: Decision): Promise<void> {
  await sendJson('POST', chatPath(key, 'decide'), { body: decision });
}

/** Ends the run, whatever it does or waits for. */
export async function stopRun(key: ThreadKey): Promise<void> {
  await sendJson('POST', chatPath(key, 'stop'));
}
