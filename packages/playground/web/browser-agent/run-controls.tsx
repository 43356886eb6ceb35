import type { RunView } from '../../src/server/browser-agent/api.js';
import type { RunAnswer, Steering } from '../api/runs.js';
import { AllowedKinds } from '../chat/decisions.js';
import { Icon } from '../layout/icon.js';
import { writingPlace } from '../layout/writing-place.js';
import { LineForm, QuestionForm } from './question.js';

interface RunControlsProps {
  readonly run: RunView;
  /** A step goes on. */
  readonly isActing: boolean;
  readonly error: string | undefined;
  readonly onSteer: (how: Steering) => void;
  readonly onSay: (words: string) => Promise<void>;
  readonly onAnswer: (answer: RunAnswer) => Promise<void>;
  readonly current: string | undefined;
  readonly onShow: (ref: string) => void;
  readonly onTakeBack: (kind: string) => void;
}

/** What a person can do to a run that goes on. */
export function RunControls({ run, isActing, error, onSteer, onSay, onTakeBack, ...asked }: RunControlsProps) {
  const { isPaused, question, said, notice, allowed } = run;
  return (
    <section className="run-controls" aria-label="Steer the run">
      {question && <QuestionForm key={question.id} question={question} {...asked} />}
      <AllowedKinds kinds={allowed} onTakeBack={onTakeBack} />
      <p className="run-note" role="status">
        {notice ?? (isPaused ? (isActing ? 'Pausing after this step.' : 'Paused.') : '')}
        {said.length > 0 && ` The agent reads this at its next step: ${said.map(words => `“${words}”`).join(', ')}`}
      </p>
      <div className="run-buttons">
        {isPaused ? (
          <button type="button" className="button primary" onClick={() => onSteer('resume')}>
            <Icon name="send" /> Resume
          </button>
        ) : (
          <button type="button" className="button" onClick={() => onSteer('pause')}>
            <Icon name="pause" /> Pause
          </button>
        )}
        <button type="button" className="button" onClick={() => onSteer('stop')}>
          <Icon name="stop" /> Stop
        </button>
        <LineForm label="Say something to the agent" submit="Say" onSubmit={onSay} fieldRef={writingPlace} />
      </div>
      {error !== undefined && (
        <p className="error-text" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
