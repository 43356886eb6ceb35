import { type FormEvent, type Ref, useId, useState } from 'react';
import type { RunQuestion } from '../../src/server/browser-agent/api.js';
import type { RunAnswer } from '../api/runs.js';
import { ApprovalButtons, CallWords } from '../chat/decisions.js';

interface QuestionProps {
  readonly question: RunQuestion;
  /** Rejects when the answer did not arrive. */
  readonly onAnswer: (answer: RunAnswer) => Promise<void>;
  /** The element that the person looks at. */
  readonly current: string | undefined;
  /** Shows an element in the live view. */
  readonly onShow: (ref: string) => void;
}

/** What the agent waits for. */
export function QuestionForm({ question, onAnswer, current, onShow }: QuestionProps) {
  const { kind, text, options, preview } = question;
  const [isSent, setSent] = useState(false);
  const answer = async (given: RunAnswer) => {
    setSent(true);
    try {
      await onAnswer(given);
    } catch {
      // Whoever sends it says why it did not arrive; here it can be given again.
      setSent(false);
    }
  };
  return (
    <fieldset className="run-question" disabled={isSent}>
      <legend>{text}</legend>
      {preview && <CallWords {...{ preview, current, onShow }} />}
      {kind === 'approval' ? (
        <ApprovalButtons
          kind={preview?.kind}
          onApprove={() => void answer({ approved: true })}
          onDecline={() => void answer({ approved: false })}
          onApproveAll={() => void answer({ approved: true, allOfKind: true })}
        />
      ) : (
        <>
          <div className="form-foot">
            {options.map(({ label, description }) => (
              <button
                key={label}
                type="button"
                className="button"
                title={description}
                onClick={() => void answer(label)}
              >
                {label}
              </button>
            ))}
          </div>
          <LineForm label="Your answer" submit="Answer" onSubmit={answer} />
        </>
      )}
    </fieldset>
  );
}

interface LineFormProps {
  readonly label: string;
  readonly submit: string;
  readonly onSubmit: (text: string) => Promise<void>;
  readonly fieldRef?: Ref<HTMLInputElement>;
}

/** One line of words to send. It is empty again once it was sent. */
export function LineForm({ label, submit, onSubmit, fieldRef }: LineFormProps) {
  const id = useId();
  const [text, setText] = useState('');
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    setText('');
    try {
      await onSubmit(text.trim());
    } catch {
      // Whoever sends it says why it did not arrive; the words are not lost.
      setText(text);
    }
  };
  return (
    <form className="line-form" onSubmit={event => void send(event)}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        ref={fieldRef}
        id={id}
        value={text}
        placeholder={label}
        autoComplete="off"
        onChange={event => setText(event.target.value)}
      />
      <button type="submit" className="button" disabled={text.trim() === ''}>
        {submit}
      </button>
    </form>
  );
}
