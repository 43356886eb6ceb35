import { useEffect, useState } from 'react';
import { ApiError } from './json.js';

export type Connection = 'connecting' | 'open' | 'lost';

const RETRY_MS = [500, 1000, 2000, 4000, 8000];

interface Reconnecting {
  readonly signal: AbortSignal;
  /** Listens until the stream ends, and tells when it is open. The signal is that of this attempt. */
  listen(onOpen: () => void, signal: AbortSignal): Promise<void>;
  onConnection(connection: Connection): void;
  /** The server is back. */
  onReconnect(): void;
  /** There is nothing to listen to, and never will be. */
  onRefused?(error: ApiError): void;
}

/** Listens to a stream of the server, again and again while it is lost, until the signal says that nobody reads it. */
export async function reconnecting(options: Reconnecting): Promise<void> {
  const { signal, listen, onConnection, onReconnect, onRefused } = options;
  let isFirst = true;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const ending = new AbortController();
    try {
      await listen(
        () => {
          onConnection('open');
          // The server may have gone before the stream was first open.
          if (!isFirst || attempt > 0) onReconnect();
          isFirst = false;
          attempt = 0;
        },
        AbortSignal.any([signal, ending.signal]),
      );
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) console.warn('A stream of the server broke off:', error);
      else if (error.status === 404 && onRefused) return onRefused(error);
    } finally {
      // A stream that was opened, and then not read to its end.
      ending.abort();
    }
    if (signal.aborted) return;
    onConnection('lost');
    await pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0, signal);
  }
}

/** Whether anybody can see the page. */
export function useVisibility(): boolean {
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
