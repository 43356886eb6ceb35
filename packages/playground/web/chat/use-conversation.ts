import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { Decision } from '../../src/server/api.js';
import { listWaiting } from '../api/chat.js';
import { listMessages, listThreads, subscribe, type ThreadKey } from '../api/mastra.js';
import { type Connection, reconnecting, useVisibility } from '../api/reconnecting.js';
import { apply } from './chunks.js';
import { type Conversation, EMPTY, withDecision, withoutSent, withSent } from './conversation.js';
import { conversationOf } from './history.js';

export interface ConversationView {
  readonly conversation: Conversation;
  readonly connection: Connection;
  /** Shows what was sent before the stream tells of it. */
  readonly sent: (text: string) => void;
  /** Shows what was decided before the stream tells of it. */
  readonly decided: (decision: Decision) => void;
  readonly fail: (message: string) => void;
}

/** A thread as it is stored, and from then on as it happens. It does not listen while nobody can see the page. */
export function useConversation({ agentId, threadId }: ThreadKey, onReconnect: () => void): ConversationView {
  const reconnected = useEffectEvent(onReconnect);
  const isVisible = useVisibility();
  const [conversation, setConversation] = useState(EMPTY);
  const [connection, setConnection] = useState<Connection>('connecting');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread starts empty
  useEffect(() => setConversation(EMPTY), [agentId, threadId]);

  useEffect(() => {
    if (!isVisible) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const key = { agentId, threadId };
    void reconnecting({
      signal,
      listen: (onOpen, signal) => listen(key, { signal, setConversation, onOpen }),
      onConnection: setConnection,
      onReconnect: () => reconnected(),
    });
    return () => leaving.abort();
  }, [agentId, threadId, isVisible]);

  const sent = useCallback((text: string) => setConversation(current => withSent(current, text)), []);
  const decided = useCallback((decision: Decision) => setConversation(current => withDecision(current, decision)), []);
  const fail = useCallback(
    (text: string) =>
      setConversation(current => ({ ...withoutSent(current), status: 'idle', notice: { kind: 'error', text } })),
    [],
  );
  return { conversation, connection, sent, decided, fail };
}

interface Listener {
  readonly signal: AbortSignal;
  setConversation(change: Conversation | ((current: Conversation) => Conversation)): void;
  /** The stream is there, and what was stored is shown. */
  onOpen(): void;
}

async function listen(key: ThreadKey, { signal, setConversation, onOpen }: Listener): Promise<void> {
  // Before the messages are read, so that nothing is missed in between; what comes twice is put in its place.
  const stream = await subscribe(key, signal);
  setConversation(await storedConversation(key, signal));
  onOpen();
  for await (const chunk of stream) setConversation(current => apply(current, chunk));
}

/** A thread exists from its first message on; asking Mastra for a part of one that does not is an error. */
async function storedConversation(key: ThreadKey, signal: AbortSignal): Promise<Conversation> {
  const threads = await listThreads(key.agentId, signal);
  const thread = threads.find(({ id }) => id === key.threadId);
  if (!thread) return EMPTY;
  const [stored, waiting] = await Promise.all([listMessages(key, signal), listWaiting(key, signal)]);
  return conversationOf(stored, waiting, thread.metadata?.isStopped === true);
}
