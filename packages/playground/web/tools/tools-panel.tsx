import { useState } from 'react';
import type { ToolInfo, ToolRun } from '../../src/server/api.js';
import { KnownRefs } from './known-refs.js';
import { ToolForm } from './tool-form.js';
import { plainToolName } from './tool-name.js';

interface ToolsPanelProps {
  readonly threadId: string;
  readonly tools: readonly ToolInfo[];
  /** Told before the first tool runs on a thread and after each run. */
  readonly onUse: () => Promise<void>;
  readonly onDone: () => void;
}

/** Every tool by hand, on the browser of the present thread. */
export function ToolsPanel({ threadId, tools, onUse, onDone }: ToolsPanelProps) {
  const [chosen, setChosen] = useState('browser_snapshot');
  const [pageText, setPageText] = useState('');
  const tool = tools.find(({ id }) => id === chosen) ?? tools[0];
  if (!tool) return null;
  const done = ({ action }: ToolRun) => {
    if (/@e\d+/.test(action.text ?? '')) setPageText(action.text ?? '');
    onDone();
  };
  return (
    <div className="tools">
      <KnownRefs text={pageText} />
      <ul className="tool-list" aria-label="Tools">
        {tools.map(({ id, description }) => (
          <li key={id}>
            <button
              type="button"
              className="row-button"
              aria-current={id === tool.id}
              title={description}
              onClick={() => setChosen(id)}
            >
              {plainToolName(id)}
            </button>
          </li>
        ))}
      </ul>
      <ToolForm key={`${tool.id} ${threadId}`} tool={tool} threadId={threadId} onUse={onUse} onDone={done} />
    </div>
  );
}
