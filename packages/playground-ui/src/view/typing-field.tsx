import type { ReactElement, Ref } from 'react';
import { IconButton } from './icon-button.js';

interface TypingFieldProps {
  fieldRef: Ref<HTMLTextAreaElement>;
  onTyping(isTyping: boolean): void;
}

/** Takes the keys for the page: a text field, because input methods and the clipboard work with nothing less. */
export function TypingField({ fieldRef, onTyping }: TypingFieldProps): ReactElement {
  return (
    <textarea
      ref={fieldRef}
      className="bt-field"
      tabIndex={-1}
      aria-label="Text for the page"
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      onFocus={() => onTyping(true)}
      onBlur={() => onTyping(false)}
    />
  );
}

interface TypingHintProps {
  id: string;
  isTyping: boolean;
  onType(): void;
}

/** How to type into the page and how to leave it; for fingers a button instead. */
export function TypingHint({ id, isTyping, onType }: TypingHintProps): ReactElement {
  return (
    <>
      <p id={id} className="bt-hint">
        {isTyping ? 'Typing into the page. Press ' : 'Press '}
        <kbd>{isTyping ? 'Shift+Esc' : 'Enter'}</kbd>
        {isTyping ? ' to leave.' : ' to type into the page.'}
      </p>
      <IconButton
        icon="keyboard"
        label="Type into the page"
        className="bt-touch-keyboard"
        tabIndex={-1}
        onClick={onType}
      />
    </>
  );
}
