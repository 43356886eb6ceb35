import { useCallback, useEffect, useState } from 'react';
import type { WaitingKind } from '../../src/server/api.js';
import { followWaiting } from '../api/chat.js';
import { messageOf } from '../api/json.js';
import { listThreads, type Thread } from '../api/mastra.js';
import { reconnecting, useVisibility } from '../api/reconnecting.js';

export interface Threads {
  readonly all: readonly Thread[] | undefined;
  /** What a call waits for in those in which one does, by their ids. */
  readonly waiting: ReadonlyMap<string, WaitingKind>;
  readonly error: string | undefined;
  readonly refresh: () => void;
}

/**
 * The threads of an agent, the latest used first.
 * @param occasion They are read again whenever this is another.
 */
export function useThreads(agentId: string, occasion: string): Threads {
  const [all, setAll] = useState<readonly Thread[]>();
  const waiting = useWaiting(agentId);
  const [error, setError] = useState<string>();
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` and `occasion` say when there is news
  useEffect(() => {
    let isCurrent = true;
    listThreads(agentId).then(
      threads => {
        if (!isCurrent) return;
        setAll(threads);
        setError(undefined);
      },
      reason => isCurrent && setError(messageOf(reason)),
    );
    return () => {
      isCurrent = false;
    };
  }, [agentId, asked, occasion]);

  return { all, waiting, error, refresh: useCallback(() => setAsked(count => count + 1), []) };
}

/** The threads of an agent that wait, from when they do. It does not listen while nobody can see the page. */
function useWaiting(agentId: string): ReadonlyMap<string, WaitingKind> {
  const isVisible = useVisibility();
  const [waiting, setWaiting] = useState<ReadonlyMap<string, WaitingKind>>(new Map());
  useEffect(() => {
    if (!isVisible) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const listen = async (onOpen: () => void, signal: AbortSignal) => {
      for await (const { threads } of await followWaiting(agentId, signal)) {
        setWaiting(new Map(threads.map(({ threadId, kind }) => [threadId, kind])));
        onOpen();
      }
    };
    // The thread that is shown says when the server is gone and back.
    void reconnecting({ signal, listen, onConnection: () => {}, onReconnect: () => {} });
    return () => leaving.abort();
  }, [agentId, isVisible]);
  return waiting;
}
