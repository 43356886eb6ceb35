import type { BrowserStream, ViewOutline } from '@browser-toolset/playground-ui';
import { useState } from 'react';
import type { ToolInfo } from '../src/server/api.js';
import type { ThreadKey } from './api/mastra.js';
import { TabList } from './layout/tab-list.js';
import { LiveView } from './live-view.js';
import { McpPanel } from './mcp/mcp-panel.js';
import { Timeline } from './timeline/timeline.js';
import type { Actions } from './timeline/use-actions.js';
import { ToolsPanel } from './tools/tools-panel.js';

interface SidePanelProps {
  readonly threadKey: ThreadKey;
  readonly tools: readonly ToolInfo[];
  readonly actions: Actions;
  readonly onUse: () => Promise<void>;
  readonly stream: BrowserStream;
  /** Where the call that waits for approval would act. */
  readonly outlines: readonly ViewOutline[];
}

const TABS = ['Live', 'Tools', 'Timeline', 'MCP'] as const;
type Tab = (typeof TABS)[number];

/** What the thread's browser shows, what it can do, and what it did. */
export function SidePanel({ threadKey, tools, actions, onUse, stream, outlines }: SidePanelProps) {
  const [tab, setTab] = useState<Tab>('Live');
  return (
    <div className="side-panel">
      <TabList label="Browser" tabs={TABS} chosen={tab} counts={{ Timeline: actions.all.length }} onChoose={setTab} />
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
          {name === 'Live' && <LiveView stream={stream} outlines={outlines} />}
          {name === 'Tools' && (
            <ToolsPanel threadId={threadKey.threadId} tools={tools} onUse={onUse} onDone={actions.refresh} />
          )}
          {name === 'MCP' && name === tab && <McpPanel />}
          {name === 'Timeline' && name === tab && <Timeline actions={actions.all} />}
        </div>
      ))}
    </div>
  );
}
