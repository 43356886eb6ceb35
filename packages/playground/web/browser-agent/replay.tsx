import { type KeyboardEvent, useId, useState } from 'react';
import type { StepView } from '../../src/server/browser-agent/api.js';
import { pictureOfStep } from '../api/runs.js';
import { Icon } from '../layout/icon.js';
import { StepCard } from './step-card.js';

interface ReplayProps {
  readonly runId: string;
  readonly steps: readonly StepView[];
}

/** A recorded run to step through: the page after each step, and what was thought and done. */
export function Replay({ runId, steps }: ReplayProps) {
  const [at, setAt] = useState(0);
  const step = steps[at];
  if (!step) return <p className="notice">Nothing was recorded of this run.</p>;
  const go = (index: number) => setAt(Math.max(0, Math.min(steps.length - 1, index)));
  const onKeyDown = (event: KeyboardEvent) => {
    // The slider has its own arrows.
    const move = event.target instanceof HTMLInputElement ? undefined : { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move !== undefined) go(at + move);
  };
  const name = step.step === 0 ? 'Start' : `Step ${step.step}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move what its buttons move
    <div className="replay" onKeyDown={onKeyDown}>
      <ReplayBar at={at} count={steps.length} name={name} onGo={go} />
      <div className="replay-picture">
        {step.hasPicture ? (
          <img src={pictureOfStep(runId, step.step)} alt={`The page after ${name.toLowerCase()}`} />
        ) : (
          <p className="hint">There is no picture of this step.</p>
        )}
      </div>
      <div aria-live="polite">
        <StepCard runId={runId} step={step} hidesPicture />
      </div>
    </div>
  );
}

interface ReplayBarProps {
  /** Counted from 0. */
  readonly at: number;
  readonly count: number;
  /** Of the step. */
  readonly name: string;
  readonly onGo: (at: number) => void;
}

function ReplayBar({ at, count, name, onGo }: ReplayBarProps) {
  const slider = useId();
  const button = (label: string, to: number, className: string) => (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      title={label}
      disabled={to < 0 || to >= count}
      onClick={() => onGo(to)}
    >
      <Icon name="chevron" />
    </button>
  );
  return (
    <div className="replay-bar">
      {button('Previous step', at - 1, 'back')}
      <label className="visually-hidden" htmlFor={slider}>
        Step
      </label>
      <input
        id={slider}
        type="range"
        min={0}
        max={count - 1}
        value={at}
        aria-valuetext={name}
        onChange={event => onGo(Number(event.target.value))}
      />
      {button('Next step', at + 1, 'next')}
      <span className="cost">
        {at + 1} of {count}
      </span>
    </div>
  );
}
