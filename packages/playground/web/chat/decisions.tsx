import { useState } from 'react';
import type { CallPreview, Decision } from '../../src/server/api.js';
import type { ToolPart } from './conversation.js';

interface DecisionProps {
  readonly part: ToolPart;
  readonly onDecide: (decision: Decision) => void;
}

interface ApprovalProps extends DecisionProps {
  /** Undefined until the server has said. */
  readonly preview: CallPreview | undefined;
}

/** A call that runs only when a person lets it; a reason to decline is written below, where messages are. */
export function Approval({ part, preview, onDecide }: ApprovalProps) {
  const [isDecided, setDecided] = useState(false);
  const choose = (approved: boolean) => {
    setDecided(true);
    onDecide({ kind: 'approval', toolCallId: part.id, approved });
  };
  return (
    <fieldset className="decision" disabled={isDecided}>
      <legend>May the agent do this?</legend>
      {preview && <CallWords preview={preview} />}
      <button type="button" className="button primary" onClick={() => choose(true)}>
        Approve
      </button>
      <button type="button" className="button" onClick={() => choose(false)}>
        Decline
      </button>
    </fieldset>
  );
}

/** What a call is about to do, in words. */
export function CallWords({ preview: { sentence, effects } }: { readonly preview: CallPreview }) {
  return (
    <p className="decision-what">
      {sentence}
      {effects.map(effect => (
        <span key={effect} className="badge warning">
          {effect}
        </span>
      ))}
    </p>
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
