import type { RunView, StepView, StopReason } from '../../src/server/browser-agent/api.js';
import { Markdown } from '../chat/markdown.js';
import { shownDuration } from '../timeline/numbers.js';

interface EndingProps {
  readonly run: RunView;
  readonly steps: readonly StepView[];
}

const REASONS: Record<StopReason, string> = {
  done: 'The agent ended the task by itself.',
  max_steps: 'It used up its steps.',
  failures: 'Too much failed in a row.',
  stuck: 'It got stuck: nothing changed any more.',
  budget: 'It used up its time or tokens.',
  stopped: 'It was stopped.',
  suspended: 'It waits for an answer that nobody could give.',
};

/** How a run ended: whether the task is done, what the agent says, why it stopped, and what it cost. */
export function Ending({ run, steps }: EndingProps) {
  const { status, success, stopReason, result, startedAt, endedAt } = run;
  if (status === 'interrupted') {
    return (
      <section className="ending" aria-label="How it ended">
        <p>
          <span className="badge warning">Interrupted</span> The server ended while it went on.
        </p>
      </section>
    );
  }
  if (status !== 'ended' || stopReason === undefined) return null;
  const tokens = steps.reduce((sum, step) => sum + (step.tokens?.input ?? 0) + (step.tokens?.output ?? 0), 0);
  return (
    <section className={success ? 'ending success' : 'ending'} aria-label="How it ended">
      <p>
        <span className={`badge ${success ? 'good' : 'danger'}`}>{success ? 'Done' : 'Not done'}</span>{' '}
        <span>{success ? '' : REASONS[stopReason]}</span> <code title={REASONS[stopReason]}>{stopReason}</code>
      </p>
      {result !== undefined && <Markdown text={result} />}
      <p className="cost">
        <span>{run.steps === 1 ? '1 step' : `${run.steps} steps`}</span>
        <span>{tokens.toLocaleString()} tokens</span>
        {endedAt !== undefined && <span>{shownDuration(endedAt - startedAt)}</span>}
      </p>
    </section>
  );
}
