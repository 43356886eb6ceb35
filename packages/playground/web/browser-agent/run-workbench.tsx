import { useBrowserStream } from '@browser-toolset/playground-ui';
import { useMemo, useState } from 'react';
import type { StudioAgent } from '../../src/server/api.js';
import { messageOf } from '../api/json.js';
import type { ThreadKey } from '../api/mastra.js';
import type { Connection } from '../api/reconnecting.js';
import {
  answerRun,
  type RunAnswer,
  type Steering,
  sayToRun,
  showInRun,
  startRun,
  steerRun,
  takeBackInRun,
} from '../api/runs.js';
import { Composer } from '../chat/composer.js';
import { Suggestions } from '../chat/suggestions.js';
import { useAsksBeforeActions } from '../chat/use-asks-before-actions.js';
import { ActivityBadge, usePageTitle } from '../layout/activity.js';
import { type Activity, runActivity } from '../layout/activity-now.js';
import { Columns } from '../layout/columns.js';
import { ModelBanner } from '../layout/model-status.js';
import { Notice } from '../layout/notices.js';
import { openThread } from '../layout/route.js';
import { Sidebar } from '../layout/sidebar.js';
import { LIVE_BASE, outlinesOf } from '../live-view.js';
import { SidePanel } from '../side-panel.js';
import { titleOf } from '../threads/title.js';
import { useActions } from '../timeline/use-actions.js';
import type { WorkbenchProps } from '../workbench.js';
import { RunControls } from './run-controls.js';
import { RunList } from './run-list.js';
import { RunBody, type RunTab, useRunTab } from './run-view.js';
import { useRun, useRuns } from './use-runs.js';

interface RunWorkbenchProps extends WorkbenchProps {
  /** The latest run of the thread is shown when none is named. */
  readonly runId: string | undefined;
}

/** Runs of the browser agent: the history at the left, one run in the middle, and at the right its browser. */
export function RunWorkbench({ state, tools, agent, threadId, runId, onReconnect }: RunWorkbenchProps) {
  const runs = useRuns(onReconnect);
  const shownId = runId ?? runs.all?.find(run => run.threadId === threadId)?.id;
  const detail = useRun(shownId, () => openThread(agent.id));
  const [tab, setTab] = useRunTab(shownId);
  // A rerun happens in a browser of its own.
  const browserOf = tab === 'Rerun' && detail?.rerun ? detail.rerun.threadId : threadId;
  const key = useMemo<ThreadKey>(() => ({ agentId: agent.id, threadId: browserOf }), [agent.id, browserOf]);
  const acted = [...(detail?.steps ?? []).flatMap(step => step.actions), ...(detail?.rerun?.actions ?? [])];
  const actions = useActions(browserOf, acted.map(({ status }) => status).join() + detail?.run.status);
  const isEmpty = runs.all !== undefined && shownId === undefined;
  const stream = useBrowserStream({ ...key, baseUrl: LIVE_BASE });
  const activity = runActivity(detail?.run, stream.state);
  usePageTitle(detail ? titleOf(detail.run.task) : 'New task', activity);
  const [current, setCurrent] = useState<string>();
  const outlines = outlinesOf(detail?.run.question?.preview, current);
  return (
    <Columns
      isWaiting={detail?.run.status === 'waiting'}
      left={
        <Sidebar state={state} agent={agent} onOpen={openThread}>
          <RunList agentId={agent.id} current={shownId} runs={runs.all} />
        </Sidebar>
      }
      middle={
        <RunPane
          key={threadId}
          {...{ state, agent, threadId, detail, isEmpty, activity, tab }}
          connection={runs.connection}
          onTab={setTab}
          current={current}
          onCurrent={setCurrent}
        />
      }
      right={<SidePanel {...{ tools, actions, stream, outlines }} threadKey={key} onUse={nothingToKeep} />}
    />
  );
}

/** Tools by hand leave no run. */
const nothingToKeep = () => Promise.resolve();

interface RunPaneProps extends Pick<WorkbenchProps, 'state' | 'agent' | 'threadId'> {
  readonly detail: ReturnType<typeof useRun>;
  readonly isEmpty: boolean;
  readonly connection: Connection;
  readonly activity: Activity;
  readonly tab: RunTab;
  readonly onTab: (tab: RunTab) => void;
  /** The element of the call that waits that the person looks at. */
  readonly current: string | undefined;
  readonly onCurrent: (ref: string) => void;
}

function RunPane({ state, agent, threadId, detail, isEmpty, connection, activity, tab, ...rest }: RunPaneProps) {
  const { onTab, current, onCurrent } = rest;
  const control = useRunControl(agent, threadId, detail?.run);
  const onShow = (ref: string) => {
    onCurrent(ref);
    control.onShow(ref);
  };
  const { run, steps = [] } = detail ?? {};
  const isOver = run === undefined || run.status === 'ended' || run.status === 'interrupted';
  const isActing = steps.at(-1)?.phase !== 'ended';
  const { tasks } = state.demo;
  return (
    <div className="chat">
      <header className="pane-head">
        <h1 title={run?.task}>{run ? titleOf(run.task) : 'New task'}</h1>
        <ActivityBadge activity={activity} connection={connection} />
      </header>
      <ModelBanner agent={agent} />
      {detail && <RunBody agent={agent} detail={detail} tab={tab} onTab={onTab} />}
      {!detail && (
        <div className="scroller">
          {isEmpty && <Suggestions agent={agent} tasks={tasks} onChoose={control.suggest} />}
        </div>
      )}
      {isOver && control.error !== undefined && <Notice kind="error" text={control.error} />}
      {!isOver && <RunControls run={run} isActing={isActing} {...control} {...{ current, onShow }} />}
      {isOver && tab === 'Steps' && (detail || isEmpty) && (
        <Composer
          status="idle"
          waitsWith={undefined}
          tasks={isEmpty ? [] : tasks}
          asksBeforeActions={control.asksBeforeActions}
          onAsksChange={control.setAsks}
          onSubmit={control.start}
          onSuggest={control.suggest}
          onSkip={() => {}}
          onStop={() => {}}
        />
      )}
    </div>
  );
}

/** What a person can do to the runs of a thread. What is refused is shown, and what was written is not lost. */
function useRunControl(
  agent: StudioAgent,
  threadId: string,
  run: { id: string; question?: { id: string } } | undefined,
) {
  const [error, setError] = useState<string>();
  const [asksBeforeActions, setAsks] = useAsksBeforeActions();
  const attempt = async (what: () => Promise<unknown>) => {
    try {
      await what();
      setError(undefined);
    } catch (reason) {
      setError(messageOf(reason));
      throw reason;
    }
  };
  const tell = (what: () => Promise<unknown>) =>
    void what().then(
      () => setError(undefined),
      reason => setError(messageOf(reason)),
    );
  const start = async (task: string) => {
    const { id } = await startRun({ threadId, task, asksBeforeActions });
    setError(undefined);
    openThread(agent.id, threadId, id);
  };
  const id = run?.id ?? '';
  return {
    error,
    asksBeforeActions,
    setAsks,
    start,
    suggest: (task: string) => tell(() => start(task)),
    onSteer: (how: Steering) => tell(() => steerRun(id, how)),
    onSay: (words: string) => attempt(() => sayToRun(id, words)),
    onAnswer: (answer: RunAnswer) => attempt(() => answerRun(id, run?.question?.id ?? '', answer)),
    onShow: (ref: string) => tell(() => showInRun(id, run?.question?.id ?? '', ref)),
    onTakeBack: (kind: string) => tell(() => takeBackInRun(id, kind)),
  };
}
