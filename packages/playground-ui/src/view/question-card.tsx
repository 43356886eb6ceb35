import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Icon } from './icons.js';
import type { BrowserStream } from './use-browser-stream.js';

/** The question of the agent, with the ways to answer. */
export function QuestionCard({ stream }: { stream: BrowserStream }): ReactElement | null {
  const { question } = stream.state;
  // A new question begins with an empty answer.
  return question === undefined ? null : <OpenQuestion key={question.id} stream={stream} question={question} />;
}

interface OpenQuestionProps {
  stream: BrowserStream;
  question: NonNullable<BrowserStream['state']['question']>;
}

function OpenQuestion({ stream, question }: OpenQuestionProps): ReactElement {
  const { state, model } = stream;
  const [text, setText] = useState('');
  const titleId = useId();
  const mayAnswer = state.control === undefined || state.control.mayControl;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') model.answer(text.trim());
  };
  return (
    <section className="bt-question" aria-labelledby={titleId} aria-live="polite">
      <p id={titleId} className="bt-question-text">
        <Icon name="question" />
        {question.question}
      </p>
      {mayAnswer && (
        <div className="bt-answers">
          {question.options?.map(({ label, description }) => (
            <button
              key={label}
              type="button"
              className="bt-button"
              title={description}
              onClick={() => model.answer(label)}
            >
              {label}
            </button>
          ))}
          <form className="bt-answer" onSubmit={submit}>
            <input
              type="text"
              aria-label="Your answer"
              placeholder="Write an answer"
              value={text}
              onChange={event => setText(event.target.value)}
            />
            <button type="submit" className="bt-button" disabled={text.trim() === ''}>
              Send
            </button>
          </form>
          <DoneButton stream={stream} />
        </div>
      )}
    </section>
  );
}

/** Who did what was asked for in the page itself has nothing to write: to hand back resumes the agent. */
function DoneButton({ stream: { state, model } }: { stream: BrowserStream }): ReactElement {
  const finish = () => (state.control?.isYou ? model.releaseControl() : model.answer('Done'));
  return (
    <button type="button" className="bt-button bt-primary" onClick={finish}>
      Done
    </button>
  );
}
