import { useState } from 'react';
import type { CallKind, CallPreview, Decision } from '../../src/server/api.js';
import { CallLines } from '../layout/call-lines.js';
import type { ToolPart } from './conversation.js';
import type { PendingPreview } from './use-preview.js';

interface DecisionProps {
  readonly part: ToolPart;
  readonly onDecide: (decision: Decision) => void;
}

interface ApprovalProps extends DecisionProps {
  /** Undefined until the server has said. */
  readonly pending: PendingPreview | undefined;
}

/** A call that runs only when a person lets it; a reason to decline is written below, where messages are. */
export function Approval({ part, pending, onDecide }: ApprovalProps) {
  const [isDecided, setDecided] = useState(false);
  const choose = (approved: boolean, more: { allOfKind?: string } = {}) => {
    setDecided(true);
    onDecide({ kind: 'approval', toolCallId: part.id, approved, ...more });
  };
  const kind = pending?.preview.kind;
  return (
    <fieldset className="decision" disabled={isDecided}>
      <legend>May the agent do this?</legend>
      {pending && <CallWords {...pending} />}
      <ApprovalButtons
        kind={kind}
        onApprove={() => choose(true)}
        onDecline={() => choose(false)}
        onApproveAll={() => kind && choose(true, { allOfKind: kind.key })}
      />
    </fieldset>
  );
}

interface ApprovalButtonsProps {
  readonly kind: CallKind | undefined;
  readonly onApprove: () => void;
  readonly onDecline: () => void;
  readonly onApproveAll: () => void;
}

export function ApprovalButtons({ kind, onApprove, onDecline, onApproveAll }: ApprovalButtonsProps) {
  return (
    <div className="decision-buttons">
      <button type="button" className="button primary" onClick={onApprove}>
        Approve
      </button>
      <button type="button" className="button" onClick={onDecline}>
        Decline
      </button>
      {kind && (
        <button type="button" className="button" title={kind.words} onClick={onApproveAll}>
          Allow all of this kind in this run
        </button>
      )}
      {kind && <p className="decision-kind">This kind: {kind.words}</p>}
    </div>
  );
}

interface CallWordsProps {
  readonly preview: CallPreview;
  readonly current?: string | undefined;
  readonly onShow?: ((ref: string) => void) | undefined;
}

/** What a call is about to do, in words. */
export function CallWords({ preview: { sentence, effects, lines }, current, onShow }: CallWordsProps) {
  return (
    <>
      <p className="decision-what">
        {sentence}
        {effects.map(effect => (
          <span key={effect} className="badge warning">
            {effect}
          </span>
        ))}
      </p>
      <CallLines {...{ lines, current }} {...(onShow && { onShow })} />
    </>
  );
}

interface AllowedKindsProps {
  readonly kinds: readonly CallKind[];
  readonly onTakeBack: (key: string) => void;
}

/** What a person has approved for the rest of the run. */
export function AllowedKinds({ kinds, onTakeBack }: AllowedKindsProps) {
  if (kinds.length === 0) return null;
  return (
    <section className="allowed-kinds" aria-label="Approved for this run">
      <h2>Approved for this run</h2>
      <ul>
        {kinds.map(({ key, words }) => (
          <li key={key}>
            <span>{words}</span>
            <button
              type="button"
              className="button small"
              aria-label={`Ask again before: ${words}`}
              onClick={() => onTakeBack(key)}
            >
              Ask again
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A question of the agent; an answer in other words than the options' is written below, where messages are. */
export function QuestionCard({ part, onDecide }: DecisionProps) {
  const [isAnswered, setAnswered] = useState(false);
  const { question = 'The agent is waiting for you.', options = [] } = part.question ?? {};
  const answer = (words: string) => {
    setAnswered(true);
    onDecide({ kind: 'question', toolCallId: part.id, answer: words });
  };
  return (
    <fieldset className="decision" disabled={isAnswered}>
      <legend>{question}</legend>
      {options.map(({ label, description }) => (
        <button key={label} type="button" className="button" title={description} onClick={() => answer(label)}>
          {label}
        </button>
      ))}
      {options.length === 0 && (
        <button type="button" className="button primary" onClick={() => answer('Done')}>
          Done
        </button>
      )}
    </fieldset>
  );
}
