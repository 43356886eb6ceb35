import { type FormEvent, type ReactElement, useRef, useState } from 'react';
import { IconButton } from './icon-button.js';
import { Icon } from './icons.js';
import type { BrowserStream } from './use-browser-stream.js';

interface UrlBarProps {
  stream: BrowserStream;
  disabled: boolean;
}

/** Back, forward, reload and the address. */
export function UrlBar({ stream: { state, model }, disabled }: UrlBarProps): ReactElement {
  // The address that is being written; undefined while that of the page is shown.
  const [draft, setDraft] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const url = state.url === 'about:blank' ? '' : (state.url ?? '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const target = (draft ?? url).trim();
    if (target === '' || disabled) return;
    input.current?.blur();
    // A refused address stays, to be corrected.
    if (await model.navigate({ url: target })) setDraft(undefined);
  };
  const travel = (direction: 'back' | 'forward' | 'reload') => void model.navigate({ direction });
  return (
    <div className="bt-url-bar">
      <IconButton icon="back" label="Back" disabled={disabled} onClick={() => travel('back')} />
      <IconButton icon="forward" label="Forward" disabled={disabled} onClick={() => travel('forward')} />
      <IconButton icon="reload" label="Reload" disabled={disabled} onClick={() => travel('reload')} />
      <form className="bt-address" onSubmit={submit}>
        <Icon name={url.startsWith('https:') && draft === undefined ? 'lock' : 'globe'} />
        <input
          ref={input}
          type="text"
          inputMode="url"
          aria-label="Address"
          placeholder="Enter an address"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          readOnly={disabled}
          value={draft ?? url}
          onChange={event => setDraft(event.target.value)}
          onFocus={event => event.target.select()}
          onBlur={() => draft === url && setDraft(undefined)}
          // While an input method composes, Escape is its own.
          onKeyDown={event => event.key === 'Escape' && !event.nativeEvent.isComposing && setDraft(undefined)}
        />
      </form>
    </div>
  );
}
