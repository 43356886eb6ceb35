import { useEffect, useEffectEvent, useState } from 'react';
import type { RunDetail, RunSummary } from '../../src/server/browser-agent/api.js';
import { type Connection, reconnecting, useVisibility } from '../api/reconnecting.js';
import { followRun, followRuns } from '../api/runs.js';
import { after } from './run-detail.js';

export interface Runs {
  /** The latest first; undefined until they are known. */
  readonly all: readonly RunSummary[] | undefined;
  readonly connection: Connection;
}

/** All runs, as they are by now. It does not listen while nobody can see the page. */
export function useRuns(onReconnect: () => void): Runs {
  const reconnected = useEffectEvent(onReconnect);
  const isVisible = useVisibility();
  const [all, setAll] = useState<readonly RunSummary[]>();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    if (!isVisible) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const listen = async (onOpen: () => void, signal: AbortSignal) => {
      for await (const { runs } of await followRuns(signal)) {
        setAll(runs);
        onOpen();
      }
    };
    void reconnecting({ signal, listen, onConnection: setConnection, onReconnect: () => reconnected() });
    return () => leaving.abort();
  }, [isVisible]);
  return { all, connection };
}

/** One run as it happens, or as it was recorded; undefined until it is known. */
export function useRun(id: string | undefined, onGone: () => void): RunDetail | undefined {
  const gone = useEffectEvent(onGone);
  const isVisible = useVisibility();
  const [detail, setDetail] = useState<RunDetail>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run starts empty
  useEffect(() => setDetail(undefined), [id]);
  useEffect(() => {
    if (!isVisible || id === undefined) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const listen = async (onOpen: () => void, signal: AbortSignal) => {
      for await (const event of await followRun(id, signal)) {
        if (event.type === 'all') onOpen();
        if (event.type === 'deleted') return leave();
        setDetail(current => after(current, event));
      }
    };
    const leave = () => {
      leaving.abort();
      gone();
    };
    void reconnecting({ signal, listen, onConnection: () => {}, onReconnect: () => {}, onRefused: leave });
    return () => leaving.abort();
  }, [id, isVisible]);
  return detail?.run.id === id ? detail : undefined;
}
