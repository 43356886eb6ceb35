import type { LiveDialog } from '@browser-toolset/core';
import { type FormEvent, type ReactElement, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { mayAct } from '../stream/state.js';
import { Icon } from './icons.js';
import type { BrowserStream } from './use-browser-stream.js';

/** The question of each kind of dialog, and the words of its buttons. */
const WORDS: Record<LiveDialog['type'], { title: string; accept: string; dismiss?: string }> = {
  alert: { title: 'The page says', accept: 'OK' },
  confirm: { title: 'The page asks', accept: 'OK', dismiss: 'Cancel' },
  prompt: { title: 'The page asks', accept: 'OK', dismiss: 'Cancel' },
  beforeunload: { title: 'The page asks before you leave it', accept: 'Leave', dismiss: 'Stay' },
};

/** The dialog that the page waits with: no frame shows it, and nothing else moves until it is answered. */
export function DialogCard({ stream }: { stream: BrowserStream }): ReactElement | null {
  const { dialog } = stream.state;
  return dialog === undefined ? null : <OpenDialog key={dialog.message} stream={stream} dialog={dialog} />;
}

function OpenDialog({ stream: { state, model }, dialog }: { stream: BrowserStream; dialog: LiveDialog }): ReactElement {
  const [text, setText] = useState(dialog.defaultValue ?? '');
  const titleId = useId();
  const form = useRef<HTMLFormElement>(null);
  useBorrowedFocus(form);
  const { title, accept, dismiss } = WORDS[dialog.type];
  const mayAnswer = mayAct(state);
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
        <form ref={form} className="bt-answers" onSubmit={submit}>
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

/**
 * Brings the keyboard of a person who works in the panel to the ways to answer, and back to where it was when they go: until
 * then the page takes no key.
 */
function useBorrowedFocus(answers: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const form = answers.current;
    const root = form?.getRootNode() as Document | ShadowRoot | undefined;
    const before = root?.activeElement as HTMLElement | null | undefined;
    const panel = form?.closest('.bt-panel');
    if (!form || !before || !panel?.contains(before)) return;
    form.querySelector<HTMLElement>('input, [type="submit"]')?.focus();
    return () => {
      if (form.contains(root?.activeElement ?? null)) before.focus({ preventScroll: true });
    };
  }, [answers]);
}
