import type { LiveDialog } from '@browser-toolset/core';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Icon } from './icons.js';
import type { BrowserStream } from './use-browser-stream.js';

/** What each kind of dialog asks, and the words of its buttons. */
const WORDS: Record<LiveDialog['type'], { title: string; accept: string; dismiss?: string }> = {
  alert: { title: 'The page says', accept: 'OK' },
  confirm: { title: 'The page asks', accept: 'OK', dismiss: 'Cancel' },
  prompt: { title: 'The page asks', accept: 'OK', dismiss: 'Cancel' },
  beforeunload: { title: 'The page asks before it is left', accept: 'Leave', dismiss: 'Stay' },
};

/** The dialog that the page waits with: no frame shows it, and nothing else moves until it is answered. */
export function DialogCard({ stream }: { stream: BrowserStream }): ReactElement | null {
  const { dialog } = stream.state;
  return dialog === undefined ? null : <OpenDialog key={dialog.message} stream={stream} dialog={dialog} />;
}

function OpenDialog({ stream: { state, model }, dialog }: { stream: BrowserStream; dialog: LiveDialog }): ReactElement {
  const [text, setText] = useState(dialog.defaultValue ?? '');
  const titleId = useId();
  const { title, accept, dismiss } = WORDS[dialog.type];
  const mayAnswer = state.control === undefined || state.control.mayControl;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    model.answerDialog(true, dialog.type === 'prompt' ? text : undefined);
  };
  return (
    <section className="bt-question" role="alertdialog" aria-labelledby={titleId}>
      <p id={titleId} className="bt-question-text">
        <Icon name="question" />
        <span>
          {title}: {dialog.message || 'Leave without saving?'}
        </span>
      </p>
      {mayAnswer && (
        <form className="bt-answers" onSubmit={submit}>
          {dialog.type === 'prompt' && (
            <input
              type="text"
              aria-label="Answer to the page"
              value={text}
              onChange={event => setText(event.target.value)}
            />
          )}
          {dismiss !== undefined && (
            <button type="button" className="bt-button" onClick={() => model.answerDialog(false)}>
              {dismiss}
            </button>
          )}
          <button type="submit" className="bt-button bt-primary">
            {accept}
          </button>
        </form>
      )}
    </section>
  );
}
