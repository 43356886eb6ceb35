import type { StudioAgent, StudioState } from '../../src/server/api.js';
import { messageOf } from '../api/json.js';
import { deleteThread, stopRun, type Thread } from '../api/mastra.js';
import { forgetThread } from '../api/playground.js';
import { Icon } from '../layout/icon.js';
import { formatRoute } from '../layout/route.js';
import { ThemeButton } from '../layout/theme.js';
import type { Threads } from './use-threads.js';

interface SidebarProps {
  readonly state: StudioState;
  readonly agent: StudioAgent;
  readonly threadId: string;
  readonly threads: Threads;
  readonly onOpen: (agentId: string, threadId?: string) => void;
  readonly onFailure: (reason: string | undefined) => void;
}

export function Sidebar({ state, agent, threadId, threads, onOpen, onFailure }: SidebarProps) {
  const remove = async (thread: Thread) => {
    try {
      const key = { agentId: agent.id, threadId: thread.id };
      // A run that goes on would start the browser again.
      await stopRun(key);
      await Promise.all([deleteThread(key), forgetThread(thread.id)]);
      onFailure(undefined);
      if (thread.id === threadId) onOpen(agent.id);
    } catch (error) {
      onFailure(messageOf(error));
    }
    threads.refresh();
  };
  return (
    <div className="sidebar">
      <header className="brand">
        <img src="/icon.svg" alt="" width={24} height={24} />
        <span>BrowserToolset</span>
        <ThemeButton />
      </header>
      <AgentList agents={state.agents} current={agent.id} onOpen={onOpen} />
      <section className="threads" aria-labelledby="threads-heading">
        <div className="section-head">
          <h2 id="threads-heading">Threads</h2>
          <button
            type="button"
            className="icon-button"
            aria-label="New thread"
            title="New thread"
            onClick={() => onOpen(agent.id)}
          >
            <Icon name="plus" />
          </button>
        </div>
        {threads.error !== undefined && <p className="error-text">{threads.error}</p>}
        {threads.all?.length === 0 && <p className="hint">Threads appear here with their first message.</p>}
        <ul>
          {threads.all?.map(thread => (
            <ThreadRow
              key={thread.id}
              thread={thread}
              href={formatRoute(agent.id, thread.id)}
              isCurrent={thread.id === threadId}
              onDelete={() => void remove(thread)}
            />
          ))}
        </ul>
      </section>
      <Footer state={state} />
    </div>
  );
}

interface AgentListProps {
  readonly agents: readonly StudioAgent[];
  readonly current: string;
  readonly onOpen: (agentId: string) => void;
}

function AgentList({ agents, current, onOpen }: AgentListProps) {
  return (
    <section aria-labelledby="agents-heading">
      <div className="section-head">
        <h2 id="agents-heading">Agents</h2>
      </div>
      <ul>
        {agents.map(({ id, name, model }) => (
          <li key={id}>
            <button
              type="button"
              className="row-button"
              aria-current={id === current}
              onClick={() => id !== current && onOpen(id)}
            >
              <Icon name="agent" />
              <span className="row-text">
                <span className="row-title">{name}</span>
                <span className="row-sub">{model ?? 'follows scripts, no model'}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ThreadRowProps {
  readonly thread: Thread;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly onDelete: () => void;
}

function ThreadRow({ thread, href, isCurrent, onDelete }: ThreadRowProps) {
  const title = thread.title || 'Untitled';
  return (
    <li className="thread-row">
      <a className="row-button" href={href} aria-current={isCurrent ? 'page' : undefined} title={title}>
        <span className="row-text">
          <span className="row-title">{title}</span>
          <span className="row-sub">{timeOf(thread.updatedAt)}</span>
        </span>
      </a>
      <button type="button" className="icon-button" aria-label={`Delete ${title}`} title="Delete" onClick={onDelete}>
        <Icon name="trash" />
      </button>
    </li>
  );
}

function Footer({ state }: { readonly state: StudioState }) {
  const versions = Object.entries(state.versions).map(([name, version]) => `${name.split('/').at(-1)} ${version}`);
  return (
    <footer className="sidebar-foot">
      <a className="row-button" href={state.demo.url} target="_blank" rel="noreferrer">
        <Icon name="external" />
        <span className="row-text">
          <span className="row-title">Demo shop</span>
          <span className="row-sub">{new URL(state.demo.url).host}</span>
        </span>
      </a>
      <p className="versions">{versions.join(' · ')}</p>
    </footer>
  );
}

function timeOf(iso: string): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString([], { hourCycle: 'h23', hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString([], { day: 'numeric', month: 'short' });
}
