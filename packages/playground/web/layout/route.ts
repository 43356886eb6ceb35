import { useSyncExternalStore } from 'react';

/** Which thread of which agent the page shows, and which run where there are several, in the fragment of its address: a reload or a bookmark leads back. */
export interface Route {
  readonly agentId: string | undefined;
  readonly threadId: string | undefined;
  readonly runId: string | undefined;
}

export function parseRoute(fragment: string): Route {
  const [, agentId, threadId, runId] = fragment.replace(/^#/, '').split('/').map(decode);
  return { agentId: agentId || undefined, threadId: threadId || undefined, runId: runId || undefined };
}

export function formatRoute({
  agentId,
  threadId,
  runId,
}: {
  agentId: string;
  threadId: string;
  runId?: string;
}): string {
  const parts = [agentId, threadId, ...(runId === undefined ? [] : [runId])];
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** Shows a thread; a new one when none is named. */
export function openThread(agentId: string, threadId: string = crypto.randomUUID(), runId?: string): void {
  window.location.hash = formatRoute({ agentId, threadId, ...(runId !== undefined && { runId }) });
}

/** What the address says now: a page that was rendered before may show another. */
export function currentRoute(): Route {
  return parseRoute(window.location.hash);
}

export function useRoute(): Route {
  const fragment = useSyncExternalStore(
    onChange => {
      window.addEventListener('hashchange', onChange);
      return () => window.removeEventListener('hashchange', onChange);
    },
    () => window.location.hash,
  );
  return parseRoute(fragment);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Somebody's own fragment with a stray percent sign; it names no thread.
    return '';
  }
}
