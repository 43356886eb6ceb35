import { useMemo } from 'react';
import type { RunView, StepView } from '../../src/server/browser-agent/api.js';
import { Icon } from '../layout/icon.js';
import { shownSteps } from '../timeline/numbers.js';
import { planOf } from './plan.js';

/** The steps are worth more where there is little of it. */
const hasRoom = () => window.innerHeight > 700 && window.innerWidth > 880;

interface PlanPanelProps {
  readonly run: RunView;
  readonly steps: readonly StepView[];
}

const LABELS = { done: 'Done', current: 'Now', open: 'To do' } as const;

/** How far a run is: its plan if the agent has one, otherwise only its steps. */
export function PlanPanel({ run, steps }: PlanPanelProps) {
  const items = useMemo(() => planOf(steps, run), [steps, run]);
  const last = steps.at(-1);
  if (!last) return null;
  const done = items.filter(({ state }) => state === 'done').length;
  const isOver = run.status === 'ended' || run.status === 'interrupted';
  const stepText = isOver || !run.maxSteps ? shownSteps(last.step) : `Step ${last.step} of at most ${run.maxSteps}`;
  const current = items.find(({ state }) => state === 'current')?.text ?? (isOver ? '' : last.nextGoal);
  return (
    <details className="plan" open={!isOver && hasRoom()}>
      <summary>
        <span className="plan-head">
          <span className="plan-title">{items.length > 0 ? `Plan: ${done} of ${items.length} done` : 'Progress'}</span>
          <span className="plan-now">{current}</span>
          <span className="cost">{stepText}</span>
        </span>
        <progress
          aria-label="Progress of the run"
          max={items.length || run.maxSteps || last.step}
          value={items.length > 0 ? done : last.step}
        />
      </summary>
      <ol aria-label="Plan">
        {items.map(({ text, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items are told apart by their place
          <li key={index} className={state} aria-current={state === 'current' ? 'step' : undefined}>
            <span className="state" role="img" aria-label={LABELS[state]} title={LABELS[state]}>
              {state === 'done' && <Icon name="check" />}
              {state === 'current' && <Icon name="arrow" />}
            </span>
            {text}
          </li>
        ))}
      </ol>
    </details>
  );
}
