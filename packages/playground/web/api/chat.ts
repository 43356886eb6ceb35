import type { CallKind, CallPreview, Decision, WaitingCall, WaitingEvent } from '../../src/server/api.js';
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
export const previewCall = (
  key: ThreadKey,
  call: { tool: string; input: unknown; show?: string },
  signal: AbortSignal,
) => sendJson<CallPreview>('POST', chatPath(key, 'preview'), { body: call, signal });

export async function decide(key: ThreadKey, decision: Decision): Promise<void> {
  await sendJson('POST', chatPath(key, 'decide'), { body: decision });
}

/** What a person has approved for the rest of the run. */
export const listAllowed = (key: ThreadKey, signal: AbortSignal) =>
  getJson<CallKind[]>(chatPath(key, 'allowed'), signal);

export async function takeBack(key: ThreadKey, kind: string): Promise<void> {
  await sendJson('POST', chatPath(key, 'take-back'), { body: { key: kind } });
}

/** Ends the run, whatever it does or waits for. */
export async function stopRun(key: ThreadKey): Promise<void> {
  await sendJson('POST', chatPath(key, 'stop'));
}
