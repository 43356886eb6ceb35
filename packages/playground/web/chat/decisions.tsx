import { useState } from 'react';
import type { Decision } from '../api/mastra.js';
import type { ToolPart } from './conversation.js';

interface DecisionProps {
  readonly part: ToolPart;
  readonly onDecide: (decision: Decision) => void;
}

/** A call that runs only when a person lets it. */
export function Approval({ part, onDecide }: DecisionProps) {
  const [isDecided, setDecided] = useState(false);
  const choose = (approved: boolean) => {
    setDecided(true);
    onDecide({ toolCallId: part.id, approved });
  };
  return (
    <fieldset className="decision" disabled={isDecided}>
      <legend>May the agent do this?</legend>
      <button type="button" className="button primary" onClick={() => choose(true)}>
        Approve
      </button>
      <button type="button" className="button" onClick={() => choose(false)}>
        Decline
      </button>
    </fieldset>
  );
}

/** A question of the agent; an answer in other words than the options' is written below, where messages are. */
export function QuestionCard({ part, onDecide }: DecisionProps) {
  const [isAnswered, setAnswered] = useState(false);
  const { question = 'The agent is waiting for you.', options = [] } = part.question ?? {};
  const answer = (resumeData: string) => {
    setAnswered(true);
    onDecide({ toolCallId: part.id, approved: true, resumeData });
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
