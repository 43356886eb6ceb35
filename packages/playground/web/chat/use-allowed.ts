import { useCallback, useEffect, useState } from 'react';
import type { CallKind } from '../../src/server/api.js';
import { listAllowed, takeBack } from '../api/chat.js';
import { messageOf } from '../api/json.js';
import type { ThreadKey } from '../api/mastra.js';

/**
 * What a person has approved for the rest of the run.
 * @param moment changes whenever it may be something else
 */
export function useAllowed(
  key: ThreadKey,
  { isRunning, moment, fail }: { isRunning: boolean; moment: string; fail: (message: string) => void },
): readonly [readonly CallKind[], (kind: string) => void] {
  const [kinds, setKinds] = useState<readonly CallKind[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment is a reason to look
  useEffect(() => {
    if (!isRunning) return setKinds([]);
    const leaving = new AbortController();
    listAllowed(key, leaving.signal).then(
      setKinds,
      error => leaving.signal.aborted || console.warn('The server does not list what is approved:', error),
    );
    return () => leaving.abort();
  }, [key, isRunning, moment]);
  const onTakeBack = useCallback(
    (kind: string) => {
      takeBack(key, kind).then(
        () => setKinds(all => all.filter(each => each.key !== kind)),
        (error: unknown) => fail(messageOf(error)),
      );
    },
    [key, fail],
  );
  return [kinds, onTakeBack];
}
