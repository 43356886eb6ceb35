import { type MouseEvent, type ReactNode, useContext } from 'react';
import type { StudioAgent, StudioState } from '../../src/server/api.js';
import { OpenChat } from './columns.js';
import { Icon } from './icon.js';
import { ModelMark } from './model-status.js';
import { ThemeButton } from './theme.js';

interface SidebarProps {
  readonly state: StudioState;
  readonly agent: StudioAgent;
  readonly onOpen: (agentId: string) => void;
  /** What the agent did before. */
  readonly children: ReactNode;
}

export function Sidebar({ state, agent, onOpen, children }: SidebarProps) {
  return (
    <div className="sidebar">
      <header className="brand">
        <img src="/icon.svg" alt="" width={24} height={24} />
        <span>BrowserToolset</span>
        <ThemeButton />
      </header>
      <AgentList agents={state.agents} current={agent.id} onOpen={onOpen} />
      {children}
      <Footer state={state} />
    </div>
  );
}

interface SidebarListProps {
  readonly heading: string;
  readonly newLabel: string;
  readonly onNew: () => void;
  readonly error: string | undefined;
  /** Told where the list is empty. */
  readonly hint: string | undefined;
  readonly children: ReactNode;
}

/** A list with a way to begin something new. */
export function SidebarList({ heading, newLabel, onNew, error, hint, children }: SidebarListProps) {
  const openChat = useContext(OpenChat);
  const begin = () => {
    onNew();
    openChat();
  };
  return (
    <section className="threads" aria-labelledby="threads-heading">
      <div className="section-head">
        <h2 id="threads-heading">{heading}</h2>
        <button type="button" className="icon-button" aria-label={newLabel} title={newLabel} onClick={begin}>
          <Icon name="plus" />
        </button>
      </div>
      {error !== undefined && <p className="error-text">{error}</p>}
      {hint !== undefined && <p className="hint">{hint}</p>}
      <ul>{children}</ul>
    </section>
  );
}

interface SidebarRowProps {
  readonly title: string;
  readonly sub: ReactNode;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly onDelete: () => void;
}

export function SidebarRow({ title, sub, href, isCurrent, onDelete }: SidebarRowProps) {
  const openChat = useContext(OpenChat);
  // With a key held it opens in another window.
  const onOpen = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => !ctrlKey && !metaKey && !shiftKey && openChat();
  return (
    <li className="thread-row">
      <a
        className="row-button"
        href={href}
        aria-current={isCurrent ? 'page' : undefined}
        title={title}
        onClick={onOpen}
      >
        <span className="row-text">
          <span className="row-title">{title}</span>
          <span className="row-sub">{sub}</span>
        </span>
      </a>
      <button type="button" className="icon-button" aria-label={`Delete ${title}`} title="Delete" onClick={onDelete}>
        <Icon name="trash" />
      </button>
    </li>
  );
}

interface AgentListProps {
  readonly agents: readonly StudioAgent[];
  readonly current: string;
  readonly onOpen: (agentId: string) => void;
}

function AgentList({ agents, current, onOpen }: AgentListProps) {
  const openChat = useContext(OpenChat);
  const choose = (id: string) => {
    if (id !== current) onOpen(id);
    openChat();
  };
  return (
    <section aria-labelledby="agents-heading">
      <div className="section-head">
        <h2 id="agents-heading">Agents</h2>
      </div>
      <ul>
        {agents.map(({ id, name, model }) => (
          <li key={id}>
            <button type="button" className="row-button" aria-current={id === current} onClick={() => choose(id)}>
              <Icon name="agent" />
              <span className="row-text">
                <span className="row-title">{name}</span>
                <span className="row-sub">{model ?? 'scripted, no model'}</span>
                {model !== undefined && <ModelMark />}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
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
