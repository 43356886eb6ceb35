import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { eventsOf } from '../api/event-stream.js';
import { ApiError } from '../api/json.js';
import { listMessages, listSuspended, listThreads, subscribe, type ThreadKey } from '../api/mastra.js';
import { apply } from './chunks.js';
import { type Conversation, EMPTY } from './conversation.js';
import { conversationOf } from './history.js';

export interface ConversationView {
  readonly conversation: Conversation;
  readonly connection: 'connecting' | 'open' | 'lost';
  /** Shows what was asked for before the stream tells of it. */
  readonly expectRun: () => void;
  readonly fail: (message: string) => void;
}

const RETRY_MS = [500, 1000, 2000, 4000, 8000];

/** A thread as it is stored, and from then on as it happens. It does not listen while nobody can see the page. */
export function useConversation({ agentId, threadId }: ThreadKey, onReconnect: () => void): ConversationView {
  const reconnected = useEffectEvent(onReconnect);
  const isVisible = useVisibility();
  const [conversation, setConversation] = useState(EMPTY);
  const [connection, setConnection] = useState<ConversationView['connection']>('connecting');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread starts empty
  useEffect(() => setConversation(EMPTY), [agentId, threadId]);

  useEffect(() => {
    if (!isVisible) return;
    const leaving = new AbortController();
    void follow(
      { agentId, threadId },
      { signal: leaving.signal, setConversation, setConnection, onReconnect: () => reconnected() },
    );
    return () => leaving.abort();
  }, [agentId, threadId, isVisible]);

  const expectRun = useCallback(
    () => setConversation(current => ({ ...current, status: 'running', notice: undefined })),
    [],
  );
  const fail = useCallback(
    (text: string) => setConversation(current => ({ ...current, status: 'idle', notice: { kind: 'error', text } })),
    [],
  );
  return { conversation, connection, expectRun, fail };
}

interface Listener {
  readonly signal: AbortSignal;
  setConversation(change: Conversation | ((current: Conversation) => Conversation)): void;
  setConnection(connection: ConversationView['connection']): void;
  onReconnect(): void;
}

async function follow(key: ThreadKey, listener: Listener): Promise<void> {
  const { signal } = listener;
  let isFirst = true;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await listen(key, listener, () => {
        // The server may have gone before the stream was first open.
        if (!isFirst || attempt > 0) listener.onReconnect();
        isFirst = false;
        attempt = 0;
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) console.warn('The stream of the thread broke off:', error);
    }
    if (signal.aborted) return;
    listener.setConnection('lost');
    await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0, signal);
  }
}

async function listen(key: ThreadKey, listener: Listener, onOpen: () => void): Promise<void> {
  const { signal, setConversation, setConnection } = listener;
  // Before the messages are read, so that nothing is missed in between; what comes twice is put in its place.
  const stream = await subscribe(key, signal);
  setConversation(await storedConversation(key, signal));
  setConnection('open');
  onOpen();
  for await (const chunk of eventsOf(stream)) setConversation(current => apply(current, chunk));
}

/** A thread exists from its first message on; asking Mastra for a part of one that does not is an error. */
async function storedConversation(key: ThreadKey, signal: AbortSignal): Promise<Conversation> {
  const threads = await listThreads(key.agentId, signal);
  if (!threads.some(({ id }) => id === key.threadId)) return EMPTY;
  const [stored, suspended] = await Promise.all([listMessages(key, signal), listSuspended(key, signal)]);
  return conversationOf(stored, suspended);
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const read = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, []);
  return isVisible;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
