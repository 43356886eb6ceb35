import { useEffect, useState } from 'react';
import type { StudioAgent, StudioState, ToolInfo } from '../src/server/api.js';
import { messageOf } from './api/json.js';
import { getState, getTools } from './api/playground.js';
import { RunWorkbench } from './browser-agent/run-workbench.js';
import { ModelStatusProvider } from './layout/model-status.js';
import { currentRoute, formatRoute, type Route, useRoute } from './layout/route.js';
import { Workbench } from './workbench.js';

interface Loaded {
  readonly state: StudioState;
  readonly tools: readonly ToolInfo[];
}

/** Renders nothing while it loads: the skeleton of index.html is shown until then. */
export function App() {
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    Promise.all([getState(), getTools()]).then(
      ([state, tools]) => setLoaded({ state, tools }),
      reason => setError(messageOf(reason)),
    );
  }, []);
  if (error !== undefined) return <LoadingFailed reason={error} />;
  return loaded ? <Routed {...loaded} /> : null;
}

/** What a page knows of a server that was started anew is no longer so: the demo shop, for one, is elsewhere. And the page may have been built anew. */
async function reloadIfRenewed(known: StudioState): Promise<void> {
  const { demo, page } = await getState();
  if (demo.url !== known.demo.url || page !== known.page) window.location.reload();
}

/** Shows the thread that the address names; an address without one gets a new thread. */
function Routed({ state, tools }: Loaded) {
  const route = useRoute();
  const { agent, threadId } = placeOf(state, route);
  useEffect(() => {
    // Where somebody went since this was rendered: nothing takes its place.
    const current = placeOf(state, currentRoute());
    if (!current.agent || current.threadId) return;
    window.location.replace(formatRoute({ agentId: current.agent.id, threadId: crypto.randomUUID() }));
  });
  if (!agent || !threadId) return null;
  const onReconnect = () => void reloadIfRenewed(state);
  const shown = { state, tools, agent, threadId, onReconnect };
  return (
    <ModelStatusProvider agents={state.agents}>
      {agent.kind === 'chat' ? <Workbench {...shown} /> : <RunWorkbench {...shown} runId={route.runId} />}
    </ModelStatusProvider>
  );
}

/** The agent that a route names, or the first one, and the thread of it, if it names one. */
function placeOf({ agents }: StudioState, route: Route): { agent?: StudioAgent; threadId?: string } {
  const agent = agents.find(({ id }) => id === route.agentId) ?? agents[0];
  if (!agent) return {};
  return { agent, ...(route.agentId === agent.id && route.threadId && { threadId: route.threadId }) };
}

function LoadingFailed({ reason }: { readonly reason: string }) {
  return (
    <main className="fault">
      <h1>The playground did not load</h1>
      <p>{reason}</p>
      <button type="button" className="button" onClick={() => window.location.reload()}>
        Try again
      </button>
    </main>
  );
}
