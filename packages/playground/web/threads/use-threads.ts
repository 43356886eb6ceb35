import { useCallback, useEffect, useState } from 'react';
import { listWaitingThreads } from '../api/chat.js';
import { messageOf } from '../api/json.js';
import { listThreads, type Thread } from '../api/mastra.js';

export interface Threads {
  readonly all: readonly Thread[] | undefined;
  /** Ids of those in which a call waits for a person. */
  readonly waiting: ReadonlySet<string>;
  readonly error: string | undefined;
  readonly refresh: () => void;
}

/**
 * The threads of an agent, the latest used first.
 * @param occasion They are read again whenever this is another.
 */
export function useThreads(agentId: string, occasion: string): Threads {
  const [all, setAll] = useState<readonly Thread[]>();
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<string>();
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` and `occasion` say when there is news
  useEffect(() => {
    let isCurrent = true;
    Promise.all([listThreads(agentId), listWaitingThreads(agentId)]).then(
      ([threads, waits]) => {
        if (!isCurrent) return;
        setAll(threads);
        setWaiting(new Set(waits));
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
