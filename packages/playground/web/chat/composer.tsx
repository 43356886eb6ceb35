import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import type { SuggestedTask } from '../../src/server/api.js';
import { messageOf } from '../api/json.js';
import { Icon } from '../layout/icon.js';
import { goToWritingPlace, writingPlace } from '../layout/writing-place.js';

export interface ComposerProps {
  readonly status: 'idle' | 'running' | 'waiting';
  /** What is written answers the agent's question, or declines the call that waits for approval. */
  readonly waitsWith: 'question' | 'approval' | undefined;
  readonly tasks: readonly SuggestedTask[];
  readonly asksBeforeActions: boolean;
  readonly onAsksChange: (asks: boolean) => void;
  readonly onSubmit: (text: string) => Promise<void>;
  readonly onSuggest: (prompt: string) => void;
  /** Leaves the agent's question unanswered. */
  readonly onSkip: () => void;
  readonly onStop: () => void;
}

/** What is written, by what the agent waits with. */
const TEXTS = {
  message: { label: 'Message to the agent', placeholder: 'Give the agent a task…', send: 'Send' },
  question: { label: 'Your answer', placeholder: 'Answer in your own words…', send: 'Answer' },
  approval: { label: 'Why not', placeholder: 'Say why not, or what to do instead…', send: 'Send as reason' },
};

/** Where messages are written, and answers while the agent asks. */
export function Composer({ status, waitsWith, tasks, onSubmit, onSuggest, onSkip, onStop, ...asking }: ComposerProps) {
  const { text, setText, error, send } = useDraft(onSubmit);
  const field = useId();
  const texts = TEXTS[waitsWith ?? 'message'];
  const isOpen = status === 'idle' || waitsWith !== undefined;
  const maySend = isOpen && text.trim() !== '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (maySend) void send();
  };
  return (
    <form className="composer" onSubmit={submit}>
      {status === 'idle' && <TaskChips tasks={tasks} onChoose={onSuggest} />}
      <div className="composer-box">
        <label className="visually-hidden" htmlFor={field}>
          {texts.label}
        </label>
        <textarea
          ref={writingPlace}
          id={field}
          rows={1}
          value={text}
          placeholder={texts.placeholder}
          aria-describedby={error === undefined ? undefined : `${field}-error`}
          onChange={event => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-foot">
          <AskingSwitch isOn={asking.asksBeforeActions} onChange={asking.onAsksChange} />
          {waitsWith === 'question' && (
            <button type="button" className="button" onClick={onSkip}>
              Skip question
            </button>
          )}
          {status !== 'idle' && <StopButton onStop={onStop} />}
          {isOpen && <SendButton label={texts.send} disabled={!maySend} />}
        </div>
      </div>
      {error !== undefined && (
        <p id={`${field}-error`} className="error-text" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

/** What is being written. A message that could not be sent is not lost. */
function useDraft(onSubmit: (text: string) => Promise<void>) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const send = async () => {
    setText('');
    setError(undefined);
    try {
      await onSubmit(text.trim());
    } catch (reason) {
      setText(text);
      setError(messageOf(reason));
    }
  };
  return { text, setText, error, send };
}

interface TaskChipsProps {
  readonly tasks: readonly SuggestedTask[];
  readonly onChoose: (prompt: string) => void;
}

function TaskChips({ tasks, onChoose }: TaskChipsProps) {
  if (tasks.length === 0) return null;
  const begin = (prompt: string) => {
    onChoose(prompt);
    goToWritingPlace();
  };
  return (
    <div className="chips">
      {tasks.map(({ id, title, prompt }) => (
        <button key={id} type="button" className="chip" title={prompt} onClick={() => begin(prompt)}>
          {title}
        </button>
      ))}
    </div>
  );
}

interface AskingSwitchProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function AskingSwitch({ isOn, onChange }: AskingSwitchProps) {
  return (
    <label className="switch" title="From the next message on, each tool call waits for your approval">
      <input type="checkbox" checked={isOn} onChange={event => onChange(event.target.checked)} />
      Ask before each action
    </label>
  );
}

function StopButton({ onStop }: { readonly onStop: () => void }) {
  return (
    <button type="button" className="button" onClick={onStop}>
      <Icon name="stop" />
      Stop
    </button>
  );
}

function SendButton({ label, disabled }: { readonly label: string; readonly disabled: boolean }) {
  return (
    <button type="submit" className="button primary" disabled={disabled}>
      <Icon name="send" />
      {label}
    </button>
  );
}
