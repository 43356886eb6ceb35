import { type FormEvent, useMemo, useState } from 'react';
import type { ToolInfo, ToolRun } from '../../src/server/api.js';
import { Icon } from '../layout/icon.js';
import { emptyObject, objectOf } from './draft.js';
import { membersOf } from './fields.js';
import { SchemaForm } from './schema-form.js';
import { ToolResult } from './tool-result.js';
import { useToolRun } from './use-tool-run.js';

interface ToolFormProps {
  readonly tool: ToolInfo;
  readonly threadId: string;
  readonly onUse: () => Promise<void>;
  readonly onDone: (run: ToolRun) => void;
}

export function ToolForm({ tool, threadId, onUse, onDone }: ToolFormProps) {
  const members = useMemo(() => membersOf(tool.inputSchema), [tool]);
  const [draft, setDraft] = useState(() => emptyObject(members));
  const { run, error, isRunning, start, stop } = useToolRun({ toolId: tool.id, threadId, onUse, onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start(objectOf(members, draft));
  };
  const { '': wholeError, ...fieldErrors } = run?.fieldErrors ?? {};
  const fault = error ?? wholeError;
  return (
    <div className="tool-pane">
      <form className="tool-form" aria-label={tool.id} noValidate onSubmit={submit}>
        <header>
          <h2>{tool.id}</h2>
          <p className="help">{tool.description}</p>
        </header>
        <SchemaForm members={members} draft={draft} errors={fieldErrors} onChange={setDraft} />
        <div className="form-foot">
          <button type="submit" className="button primary" disabled={isRunning}>
            {isRunning ? 'Running…' : 'Run'}
          </button>
          {isRunning && (
            <button type="button" className="button" onClick={stop}>
              <Icon name="stop" /> Stop
            </button>
          )}
          {fault !== undefined && (
            <p className="error-text" role="alert">
              {fault}
            </p>
          )}
        </div>
      </form>
      {run && <ToolResult run={run} />}
    </div>
  );
}
