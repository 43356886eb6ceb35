import { z } from 'zod';
import { follow } from './event-socket.js';
import { getJson, sendJson } from './json.js';

/** A conversation of an agent. Mastra keeps them by resource; here each agent is its own. */
const thread = z.object({
  id: z.string(),
  title: z.string().optional().catch(undefined),
  updatedAt: z.string(),
  /** What the playground's server notes of it. */
  metadata: z.object({ isStopped: z.boolean().optional() }).optional().catch(undefined),
});
export type Thread = z.output<typeof thread>;

const toolInvocation = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  state: z.string(),
  args: z.unknown().optional(),
  result: z.unknown().optional(),
  errorText: z.string().optional().catch(undefined),
});

const storedPart = z.object({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  reasoning: z.string().optional().catch(undefined),
  error: z.unknown().optional(),
  toolInvocation: toolInvocation.optional().catch(undefined),
  providerMetadata: z.unknown().optional(),
});

const storedMessage = z.object({
  id: z.string(),
  role: z.string(),
  type: z.string().optional().catch(undefined),
  content: z.object({ parts: z.array(storedPart) }),
});
export type StoredPart = z.output<typeof storedPart>;
export type StoredMessage = z.output<typeof storedMessage>;

/** One thread of one agent. */
export interface ThreadKey {
  readonly agentId: string;
  readonly threadId: string;
}

const agentPath = (agentId: string, rest: string) => `/api/agents/${encodeURIComponent(agentId)}/${rest}`;
const memoryPath = (threadId: string, rest = '') => `/api/memory/threads/${encodeURIComponent(threadId)}${rest}`;
const of = ({ agentId, threadId }: ThreadKey) => ({ resourceId: agentId, threadId });

export async function listThreads(agentId: string, signal?: AbortSignal): Promise<Thread[]> {
  const query = new URLSearchParams({ agentId, resourceId: agentId, perPage: '100' });
  const { threads } = z
    .object({ threads: z.array(thread) })
    .parse(await getJson(`/api/memory/threads?${query}`, signal));
  return threads.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

export async function createThread(key: ThreadKey, title: string): Promise<void> {
  const query = new URLSearchParams({ agentId: key.agentId });
  await sendJson('POST', `/api/memory/threads?${query}`, { body: { ...of(key), title } });
}

export async function renameThread(key: ThreadKey, title: string): Promise<void> {
  const query = new URLSearchParams({ agentId: key.agentId });
  await sendJson('PATCH', `${memoryPath(key.threadId)}?${query}`, { body: { title, resourceId: key.agentId } });
}

export async function deleteThread(key: ThreadKey): Promise<void> {
  const query = new URLSearchParams({ agentId: key.agentId, resourceId: key.agentId });
  await sendJson('DELETE', `${memoryPath(key.threadId)}?${query}`);
}

export async function listMessages(key: ThreadKey, signal: AbortSignal): Promise<StoredMessage[]> {
  const query = new URLSearchParams({ agentId: key.agentId, perPage: '500' });
  const answer = await getJson(`${memoryPath(key.threadId, '/messages')}?${query}`, signal);
  return z.object({ messages: z.array(storedMessage) }).parse(answer).messages;
}

/** What the agent does from now on, and what it did since its present run began. */
export function subscribe({ agentId, threadId }: ThreadKey, signal: AbortSignal): Promise<AsyncGenerator<unknown>> {
  return follow({ kind: 'thread', agentId, threadId }, signal);
}

export interface SendOptions {
  readonly asksBeforeActions: boolean;
}

const MAX_STEPS = 60;

export async function sendMessage(key: ThreadKey, contents: string, options: SendOptions): Promise<void> {
  const streamOptions = { maxSteps: MAX_STEPS, requireToolApproval: options.asksBeforeActions };
  const body = { message: { contents }, ...of(key), ifIdle: { streamOptions } };
  await sendJson('POST', agentPath(key.agentId, 'send-message'), { body });
}
