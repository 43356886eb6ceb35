import { BrowserViewPanel, useBrowserStream } from '@browser-toolset/playground-ui';
import type { ThreadKey } from './api/mastra.js';
import '@browser-toolset/playground-ui/styles.css';

/** What the thread's browser shows, for a person to watch and to drive. */
export function LiveView({ threadKey: { agentId, threadId } }: { readonly threadKey: ThreadKey }) {
  const stream = useBrowserStream({ agentId, threadId });
  return <BrowserViewPanel stream={stream} size="large" className="live-view" />;
}
