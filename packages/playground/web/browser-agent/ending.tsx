import type { RunView, StepView, StopReason } from '../../src/server/browser-agent/api.js';
import { Markdown } from '../chat/markdown.js';
import { shownDuration, shownSteps } from '../timeline/numbers.js';

interface EndingProps {
  readonly run: RunView;
  readonly steps: readonly StepView[];
}

const REASONS: Record<StopReason, string> = {
  done: 'The agent ended the run, but the task is not complete.',
  max_steps: 'Reached the step limit.',
  failures: 'Stopped after too many consecutive failures.',
  stuck: 'Got stuck: its actions no longer changed anything.',
  budget: 'Reached the limit of time or tokens.',
  stopped: 'The run was stopped.',
  suspended: 'Stopped at a question that nobody was there to answer.',
};

/** How a run ended: whether the task is done, what the agent says, why it stopped, and what it cost. */
export function Ending({ run, steps }: EndingProps) {
  const { status, success, stopReason, result, startedAt, endedAt } = run;
  if (status === 'interrupted') {
    return (
      <section className="ending" aria-label="Outcome">
        <p>
          <span className="badge warning">Interrupted</span> The server was stopped while this run was in progress.
        </p>
      </section>
    );
  }
  if (status !== 'ended' || stopReason === undefined) return null;
  const tokens = steps.reduce((sum, step) => sum + (step.tokens?.input ?? 0) + (step.tokens?.output ?? 0), 0);
  return (
    <section className={success ? 'ending success' : 'ending'} aria-label="Outcome">
      <p>
        <span className={`badge ${success ? 'good' : 'danger'}`}>{success ? 'Done' : 'Not done'}</span>{' '}
        {!success && <span>{REASONS[stopReason]}</span>} <code>{stopReason}</code>
      </p>
      {result !== undefined && <Markdown text={result} />}
      <p className="cost">
        <span>{shownSteps(run.steps)}</span>
        <span>{tokens.toLocaleString()} tokens</span>
        {endedAt !== undefined && <span>{shownDuration(endedAt - startedAt)}</span>}
      </p>
    </section>
  );
}
