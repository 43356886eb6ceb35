import type { RerunView } from '../../src/server/browser-agent/api.js';
import { shownDuration } from '../timeline/numbers.js';
import { ActionRow } from './action-row.js';

const ENDS = {
  done: 'All recorded actions were repeated.',
  drift: 'Stopped because an element could not be identified for certain.',
  failed: 'Stopped because an action failed.',
  stopped: 'The rerun was stopped.',
} as const;

/** Each recorded action with what came of it this time, and what stopped it. */
export function RerunProgress({ rerun }: { readonly rerun: RerunView }) {
  const { status, actions, success, stopReason, problem, startedAt, endedAt } = rerun;
  const taken = actions.filter(({ status: state }) => state === 'done' || state === 'healed').length;
  return (
    <section className="rerun-progress" aria-label="Progress of the rerun">
      <p role="status" className="rerun-head">
        {status === 'running' && <span className="badge accent pulsing">Rerun</span>}
        {status === 'ended' && (
          <span className={`badge ${success ? 'good' : 'danger'}`}>{success ? 'Done' : 'Stopped'}</span>
        )}
        <span>
          {taken} of {actions.length} actions. {stopReason && ENDS[stopReason]}
        </span>
        {endedAt !== undefined && <span className="cost">{shownDuration(endedAt - startedAt)}</span>}
      </p>
      <progress aria-label="Recorded actions repeated" max={Math.max(1, actions.length)} value={taken} />
      {problem !== undefined && stopReason !== 'stopped' && (
        <p className="notice error" role="alert">
          {problem}
        </p>
      )}
      <ol className="actions" aria-label="Recorded actions">
        {actions.map(({ goal, text = goal, ...action }, index) => (
          <ActionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: actions are told apart by their place
            key={index}
            action={{ ...action, text }}
          />
        ))}
      </ol>
    </section>
  );
}
