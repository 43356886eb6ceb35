import { type KeyboardEvent, useRef, useState } from 'react';
import type { ToolInfo } from '../src/server/api.js';
import type { ThreadKey } from './api/mastra.js';
import { LiveView } from './live-view.js';
import { Timeline } from './timeline/timeline.js';
import type { Actions } from './timeline/use-actions.js';
import { ToolsPanel } from './tools/tools-panel.js';

interface SidePanelProps {
  readonly threadKey: ThreadKey;
  readonly tools: readonly ToolInfo[];
  readonly actions: Actions;
  readonly onUse: () => Promise<void>;
}

const TABS = ['Live', 'Tools', 'Timeline'] as const;
type Tab = (typeof TABS)[number];

/** What the thread's browser shows, what it can do, and what it did. */
export function SidePanel({ threadKey, tools, actions, onUse }: SidePanelProps) {
  const [tab, setTab] = useState<Tab>('Live');
  return (
    <div className="side-panel">
      <TabList chosen={tab} count={actions.all.length} onChoose={setTab} />
      {TABS.map(name => (
        // A panel that is out of sight stays as it was left: the live view connected, a form filled.
        <div
          key={name}
          role="tabpanel"
          id={`panel-${name}`}
          aria-labelledby={`tab-${name}`}
          hidden={name !== tab}
          className="tab-panel"
        >
          {name === 'Live' && <LiveView threadKey={threadKey} />}
          {name === 'Tools' && (
            <ToolsPanel threadId={threadKey.threadId} tools={tools} onUse={onUse} onDone={actions.refresh} />
          )}
          {name === 'Timeline' && name === tab && <Timeline actions={actions.all} />}
        </div>
      ))}
    </div>
  );
}

interface TabListProps {
  readonly chosen: Tab;
  readonly count: number;
  readonly onChoose: (tab: Tab) => void;
}

/** Tabs as ARIA's patterns have them: one stop of the Tab key, arrows move between them. */
function TabList({ chosen, count, onChoose }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = TABS[(TABS.indexOf(chosen) + step + TABS.length) % TABS.length] ?? 'Live';
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label="Browser" className="tabs" onKeyDown={onKeyDown}>
      {TABS.map(name => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === chosen}
          aria-controls={`panel-${name}`}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {name}
          {name === 'Timeline' && count > 0 && <span className="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
