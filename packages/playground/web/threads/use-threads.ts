import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../api/json.js';
import { listThreads, type Thread } from '../api/mastra.js';

export interface Threads {
  readonly all: readonly Thread[] | undefined;
  readonly error: string | undefined;
  readonly refresh: () => void;
}

/** The threads of an agent, the latest used first. */
export function useThreads(agentId: string): Threads {
  const [all, setAll] = useState<readonly Thread[]>();
  const [error, setError] = useState<string>();
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` says when there is news
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
  }, [agentId, asked]);

  return { all, error, refresh: useCallback(() => setAsked(count => count + 1), []) };
}
