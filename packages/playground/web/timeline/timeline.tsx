import { useEffect, useState } from 'react';
import type { ActionDetail, ActionSummary } from '../../src/server/api.js';
import { messageOf } from '../api/json.js';
import { getAction, pictureUrl } from '../api/playground.js';
import { CallLines } from '../layout/call-lines.js';
import { JsonTree } from '../layout/json-tree.js';
import { ModelText } from '../layout/model-text.js';
import { plainToolName } from '../tools/tool-name.js';
import { CallCost, EffectChips } from './effect-chips.js';
import { shownDuration, shownTime } from './numbers.js';
import { PersonActions } from './person-actions.js';

interface TimelineProps {
  readonly actions: readonly ActionSummary[];
}

/** All that was done in the thread's browser, by the agent and by hand, the latest first. */
export function Timeline({ actions }: TimelineProps) {
  if (actions.length === 0) {
    return (
      <div className="empty">
        <h2>No actions yet</h2>
        <p>
          Each action of this thread appears here with its effects, how long it took and what its result costs in
          tokens.
        </p>
      </div>
    );
  }
  const total = (value: (action: ActionSummary) => number | undefined) =>
    actions.reduce((sum, action) => sum + (value(action) ?? 0), 0);
  return (
    <div className="timeline">
      <p className="totals">
        <span>{actions.length === 1 ? '1 action' : `${actions.length} actions`}</span>
        <span>{shownDuration(total(action => action.milliseconds))}</span>
        <span>{total(action => action.tokens).toLocaleString()} tokens read</span>
      </p>
      <ol>
        {actions.toReversed().map(action => (
          <Entry key={action.id} action={action} />
        ))}
      </ol>
    </div>
  );
}

function Entry({ action }: { readonly action: ActionSummary }) {
  const [isOpen, setOpen] = useState(false);
  const { tool, by, gist, startedAt, status, effects, person = [] } = action;
  return (
    <li className={`entry ${status}`}>
      <button type="button" className="entry-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Thumbnail action={action} />
        <span className="entry-text">
          <span className="entry-line">
            <span className="tool-name">{plainToolName(tool)}</span>
            {by === 'hand' && <span className="badge">by hand</span>}
            {status === 'waiting' && <span className="badge warning">waiting</span>}
            <time className="when">{shownTime(startedAt)}</time>
            <CallCost action={action} />
          </span>
          <span className="gist">{gist}</span>
        </span>
      </button>
      <PersonActions actions={person} />
      <EffectChips effects={effects} />
      {isOpen && <ActionDetails action={action} />}
    </li>
  );
}

function Thumbnail({ action }: { readonly action: ActionSummary }) {
  const [isMissing, setMissing] = useState(false);
  const isOver = action.status !== 'running';
  return (
    <span className="entry-picture">
      {isOver && !isMissing && <img src={pictureUrl(action)} alt="" loading="lazy" onError={() => setMissing(true)} />}
    </span>
  );
}

function ActionDetails({ action }: { readonly action: ActionSummary }) {
  const { id, threadId, status } = action;
  const [detail, setDetail] = useState<ActionDetail>();
  const [error, setError] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call that has ended has more to tell
  useEffect(() => {
    const leaving = new AbortController();
    getAction(threadId, id, leaving.signal).then(setDetail, reason => {
      if (!leaving.signal.aborted) setError(messageOf(reason));
    });
    return () => leaving.abort();
  }, [id, threadId, status]);
  if (error !== undefined) return <p className="error-text">{error}</p>;
  if (!detail) return null;
  return (
    <div className="call-details">
      <section>
        <h2>Input</h2>
        <p>{detail.words.sentence}</p>
        <CallLines lines={detail.words.lines} />
      </section>
      {detail.text !== undefined && (
        <section>
          <h2>What the model reads</h2>
          <ModelText text={detail.text} />
        </section>
      )}
      {detail.output !== undefined && (
        <section>
          <h2>Object</h2>
          <JsonTree value={detail.output} />
        </section>
      )}
    </div>
  );
}
