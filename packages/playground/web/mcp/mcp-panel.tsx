import { useEffect, useState } from 'react';
import type { McpState } from '../../src/server/api.js';
import { messageOf } from '../api/json.js';
import { getMcp } from '../api/playground.js';
import { type ClientLines, linesOfAddress, linesOfCommand } from './client-lines.js';

/** Milliseconds between two looks at who is connected. */
const INTERVAL = 2_000;

/** How MCP clients get this browser, and which of them have it. */
export function McpPanel() {
  const [state, setState] = useState<McpState>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    const end = new AbortController();
    const look = () =>
      getMcp(end.signal).then(
        found => {
          setState(found);
          setFailure('');
        },
        error => {
          if (!end.signal.aborted) setFailure(messageOf(error));
        },
      );
    void look();
    const timer = setInterval(look, INTERVAL);
    return () => {
      clearInterval(timer);
      end.abort();
    };
  }, []);
  const url = new URL(state?.path ?? '/mcp', location.origin).href;
  return (
    <div className="mcp">
      <section aria-labelledby="mcp-clients">
        <h2 id="mcp-clients">Connected</h2>
        {failure !== '' && <p role="alert">{failure}</p>}
        {state?.clients.length === 0 && <p>No MCP client is connected. Use one of the lines below in yours.</p>}
        <ul>
          {state?.clients.map(({ name, threadId, lastUsed }) => (
            <li key={threadId}>
              {name || 'Unnamed client'}, last seen {new Date(lastUsed).toLocaleTimeString()}
            </li>
          ))}
        </ul>
      </section>
      <ConfigLines id="mcp-here" title="Connect to this playground (HTTP)" lines={linesOfAddress(url)} />
      {state && (
        <ConfigLines
          id="mcp-command"
          title="Run a separate server per client (stdio)"
          lines={linesOfCommand(state.command)}
        />
      )}
    </div>
  );
}

function ConfigLines({ id, title, lines }: { id: string; title: string; lines: readonly ClientLines[] }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lines.map(({ client, where, text }) => (
        <figure key={client}>
          <figcaption>
            {client}, {where}
            <button
              type="button"
              className="button small"
              aria-label={`Copy the lines for ${client}`}
              onClick={() => navigator.clipboard.writeText(text)}
            >
              Copy
            </button>
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre tabIndex={0}>{text}</pre>
        </figure>
      ))}
    </section>
  );
}
