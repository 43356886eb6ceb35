import { useRef, useState } from 'react';
import type { StudioAgent } from '../../src/server/api.js';
import type { ExportFormat, RunDetail } from '../../src/server/browser-agent/api.js';
import { exportUrl } from '../api/runs.js';
import { useStickToEnd } from '../chat/use-stick-to-end.js';
import { Icon } from '../layout/icon.js';
import { TabList } from '../layout/tab-list.js';
import { Ending } from './ending.js';
import { PlanPanel } from './plan-panel.js';
import { Replay } from './replay.js';
import { Rerun } from './rerun.js';
import { StepCard } from './step-card.js';

const RUN_TABS = ['Steps', 'Replay', 'Rerun'] as const;
export type RunTab = (typeof RUN_TABS)[number];

interface RunViewProps {
  readonly agent: StudioAgent;
  readonly detail: RunDetail;
  readonly tab: RunTab;
  readonly onTab: (tab: RunTab) => void;
}

/** A run as it goes on; one that has ended can be stepped through, done again and taken along as well. */
export function RunBody({ agent, detail, tab, onTab }: RunViewProps) {
  const { run, steps, rerun } = detail;
  const isOver = run.status === 'ended' || run.status === 'interrupted';
  const shown = isOver ? tab : 'Steps';
  return (
    <>
      {isOver && (
        <div className="run-tabs">
          <TabList label="Run" tabs={RUN_TABS} chosen={tab} onChoose={onTab} />
          {steps.length > 0 && <Exports runId={run.id} />}
        </div>
      )}
      {shown === 'Steps' && <PlanPanel key={String(isOver)} run={run} steps={steps} />}
      <div
        key={shown}
        className="scroller"
        {...(isOver && { role: 'tabpanel', id: `panel-${shown}`, 'aria-labelledby': `tab-${shown}` })}
      >
        {shown === 'Steps' && <Steps detail={detail} />}
        {shown === 'Replay' && <Replay runId={run.id} steps={steps} />}
        {shown === 'Rerun' && <Rerun key={run.id} runId={run.id} hasModel={agent.model !== undefined} rerun={rerun} />}
      </div>
    </>
  );
}

function Steps({ detail: { run, steps } }: { readonly detail: RunDetail }) {
  const list = useRef<HTMLDivElement>(null);
  useStickToEnd(list, run.id);
  return (
    <div ref={list} className="messages">
      <div className="message user">
        <p className="said">{run.task}</p>
      </div>
      <ol className="steps" aria-label="Steps" aria-busy={run.status === 'running'}>
        {steps.map(step => (
          <li key={step.step}>
            <StepCard runId={run.id} step={step} />
          </li>
        ))}
      </ol>
      <Ending run={run} steps={steps} />
    </div>
  );
}

const EXPORTS: readonly (readonly [ExportFormat, string, string])[] = [
  ['mastra', 'Mastra', 'The source of a Mastra workflow'],
  ['playwright', 'Playwright', 'The source of a function of a Playwright page'],
  ['json', 'JSON', 'The whole history'],
];

function Exports({ runId }: { readonly runId: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: links are no fields
    <div className="exports" role="group" aria-label="Export">
      {EXPORTS.map(([format, label, title]) => (
        <a key={format} className="button small" href={exportUrl(runId, format)} download title={title}>
          <Icon name="download" /> {label}
        </a>
      ))}
    </div>
  );
}

/** Which part of a run is shown; another run begins with its steps. */
export function useRunTab(runId: string | undefined): readonly [RunTab, (tab: RunTab) => void] {
  const [chosen, setChosen] = useState<{ readonly runId: string | undefined; readonly tab: RunTab }>();
  const tab = chosen?.runId === runId ? (chosen?.tab ?? 'Steps') : 'Steps';
  return [tab, next => setChosen({ runId, tab: next })];
}
