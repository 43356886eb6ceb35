import { BrowserViewPanel, useBrowserStream } from '@browser-toolset/playground-ui';
import { createRoot } from 'react-dom/client';
import '@browser-toolset/playground-ui/styles.css';

// The fragment stays in the browser: no server and no log sees the token that stands in it.
const given = new URLSearchParams(location.hash.slice(1));

function Live() {
  const stream = useBrowserStream({
    agentId: 'browser',
    threadId: given.get('thread') ?? undefined,
    token: given.get('token') ?? undefined,
  });
  return <BrowserViewPanel stream={stream} size="large" title="Browser of the MCP client" />;
}

const root = document.querySelector('main');
if (root !== null) createRoot(root).render(<Live />);
