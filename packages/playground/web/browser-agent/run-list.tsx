import { useState } from 'react';
import type { RunStatus, RunSummary } from '../../src/server/browser-agent/api.js';
import { messageOf } from '../api/json.js';
import { deleteRun } from '../api/runs.js';
import { formatRoute, openThread } from '../layout/route.js';
import { SidebarList, SidebarRow } from '../layout/sidebar.js';
import { titleOf } from '../threads/title.js';
import { shownDay, shownSteps } from '../timeline/numbers.js';

interface RunListProps {
  readonly agentId: string;
  /** The one that is shown. */
  readonly current: string | undefined;
  readonly runs: readonly RunSummary[] | undefined;
}

/** The history: all runs that were recorded, and those that go on. */
export function RunList({ agentId, current, runs }: RunListProps) {
  const [error, setError] = useState<string>();
  const remove = async (id: string) => {
    try {
      await deleteRun(id);
      setError(undefined);
    } catch (reason) {
      setError(messageOf(reason));
    }
  };
  return (
    <SidebarList
      heading="History"
      newLabel="New task"
      onNew={() => openThread(agentId)}
      error={error}
      hint={runs?.length === 0 ? 'Runs are recorded here step by step and kept when the playground stops.' : undefined}
    >
      {runs?.map(({ id, threadId, task, startedAt, steps, ...run }) => (
        <SidebarRow
          key={id}
          title={titleOf(task)}
          sub={`${shownDay(startedAt)} · ${stateOf(run)}${run.endedAt === undefined ? '' : ` · ${shownSteps(steps)}`}`}
          href={formatRoute({ agentId, threadId, runId: id })}
          isCurrent={id === current}
          onDelete={() => void remove(id)}
        />
      ))}
    </SidebarList>
  );
}

const RUN_STATES: Record<Exclude<RunStatus, 'ended'>, string> = {
  running: 'working',
  paused: 'paused',
  waiting: 'waiting for you',
  interrupted: 'interrupted',
};

function stateOf({ status, success, stopReason }: Pick<RunSummary, 'status' | 'success' | 'stopReason'>): string {
  if (status !== 'ended') return RUN_STATES[status];
  if (success) return 'done';
  return stopReason === 'stopped' ? 'stopped' : 'not done';
}
