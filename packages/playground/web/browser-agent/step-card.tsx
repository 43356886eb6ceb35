import { memo } from 'react';
import type { StepView } from '../../src/server/browser-agent/api.js';
import { pictureOfStep } from '../api/runs.js';
import { shownDuration } from '../timeline/numbers.js';
import { ActionRow } from './action-row.js';
import { evaluationOf } from './evaluation.js';

interface StepCardProps {
  readonly runId: string;
  readonly step: StepView;
  /** What the agent was shown that the step is about stands beside it already. */
  readonly hidesPicture?: boolean;
}

const PHASES = { looking: 'Looking', thinking: 'Thinking', acting: 'Acting', ended: '' } as const;

/** One step: what came of the one before, what the agent remembers and wants, what it did and what came of that. */
export const StepCard = memo(function StepCard({ runId, step, hidesPicture = false }: StepCardProps) {
  const { step: number, phase, evaluation, thinking, memory, nextGoal, actions, error, said, title, url } = step;
  const name = number === 0 ? 'Start' : `Step ${number}`;
  const isPictured = step.hasPicture && !hidesPicture;
  return (
    <article className={`step-card ${phase}`} aria-label={name} aria-busy={phase !== 'ended'}>
      <header>
        <h2>{name}</h2>
        {phase !== 'ended' && <span className="badge accent pulsing">{PHASES[phase]}</span>}
        <span className="step-page" title={url}>
          {title}
        </span>
        <StepCost step={step} />
      </header>
      {said.map(words => (
        <p key={words} className="step-said">
          <strong>You said</strong> {words}
        </p>
      ))}
      {evaluation !== undefined && <EvaluationText text={evaluation} />}
      {nextGoal !== undefined && <p className="goal">{nextGoal}</p>}
      {memory !== undefined && (
        <p className="memory">
          <strong>Memory</strong> {memory}
        </p>
      )}
      {thinking !== undefined && (
        <details className="reasoning">
          <summary>Reasoning</summary>
          <p>{thinking}</p>
        </details>
      )}
      {(actions.length > 0 || isPictured) && (
        <div className={isPictured ? 'step-body pictured' : 'step-body'}>
          <ul className="actions" aria-label={`Actions of ${name.toLowerCase()}`}>
            {actions.map((action, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: actions are told apart by their place
              <ActionRow key={index} action={action} />
            ))}
          </ul>
          {isPictured && <StepPicture runId={runId} number={number} name={name} />}
        </div>
      )}
      {error !== undefined && (
        <p className="notice error" role="alert">
          {error}
        </p>
      )}
    </article>
  );
});

function StepPicture({
  runId,
  number,
  name,
}: {
  readonly runId: string;
  readonly number: number;
  readonly name: string;
}) {
  const url = pictureOfStep(runId, number);
  return (
    <a className="thumbnail" href={url} target="_blank" rel="noreferrer">
      <img src={url} alt={`The page after ${name.toLowerCase()}`} loading="lazy" />
    </a>
  );
}

function EvaluationText({ text }: { readonly text: string }) {
  const { verdict, words } = evaluationOf(text);
  const kind = { success: 'good', failed: 'danger', unknown: '' }[verdict];
  const label = { success: 'Success', failed: 'Failed', unknown: 'Unknown' }[verdict];
  return (
    <p className="evaluation">
      <span className={`badge ${kind}`} title="Outcome of the previous step">
        {label}
      </span>
      <span>{words}</span>
    </p>
  );
}

function StepCost({ step: { tokens, duration, modelDuration = 0 } }: { readonly step: StepView }) {
  if (duration === undefined) return null;
  return (
    <span className="cost">
      {tokens !== undefined && tokens.input > 0 && (
        <span title={`${tokens.input} input tokens, ${tokens.output} output tokens`}>
          {(tokens.input + tokens.output).toLocaleString()} tok
        </span>
      )}
      <span title={`Including ${shownDuration(modelDuration)} for the model`}>{shownDuration(duration)}</span>
    </span>
  );
}
