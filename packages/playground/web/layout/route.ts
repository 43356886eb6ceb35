import { useSyncExternalStore } from 'react';

/** Which thread of which agent the page shows, in the fragment of its address: a reload or a bookmark leads back. */
export interface Route {
  readonly agentId: string | undefined;
  readonly threadId: string | undefined;
}

export function parseRoute(fragment: string): Route {
  const [, agentId, threadId] = fragment.replace(/^#/, '').split('/').map(decode);
  return { agentId: agentId || undefined, threadId: threadId || undefined };
}

export function formatRoute(agentId: string, threadId: string): string {
  return `#/${encodeURIComponent(agentId)}/${encodeURIComponent(threadId)}`;
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
