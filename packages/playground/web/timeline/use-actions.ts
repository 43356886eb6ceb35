import { useCallback, useEffect, useState } from 'react';
import type { ActionSummary } from '../../src/server/api.js';
import { listActions } from '../api/playground.js';

export interface Actions {
  /** Oldest first. */
  readonly all: readonly ActionSummary[];
  readonly refresh: () => void;
}

/** What was done in a thread, read again whenever `version` changes. */
export function useActions(threadId: string, version: unknown): Actions {
  const [all, setAll] = useState<readonly ActionSummary[]>([]);
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread starts empty
  useEffect(() => setAll([]), [threadId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: they say when there is news
  useEffect(() => {
    const leaving = new AbortController();
    listActions(threadId, leaving.signal).then(setAll, error => {
      if (!leaving.signal.aborted) console.warn('The actions of the thread could not be read:', error);
    });
    return () => leaving.abort();
  }, [threadId, version, asked]);

  return { all, refresh: useCallback(() => setAsked(count => count + 1), []) };
}
