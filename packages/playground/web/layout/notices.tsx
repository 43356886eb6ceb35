import { useState } from 'react';

/** Says that no model is at work. */
export function ScriptBanner() {
  return (
    <p className="banner" role="note">
      <strong>No model:</strong> a script decides, and it only knows the suggested tasks. Set <code>MODEL</code> and its
      API key for a real agent.
    </p>
  );
}

/** What went wrong can be copied. */
export function Notice({ kind, text }: { readonly kind: 'error' | 'info'; readonly text: string }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {text}
      {kind === 'error' && <CopyButton text={text} />}
    </div>
  );
}

function CopyButton({ text }: { readonly text: string }) {
  const [label, setLabel] = useState('Copy');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setLabel('Copied'),
      () => setLabel('Copying is not allowed'),
    );
  return (
    <button type="button" className="button small" onClick={() => void copy()}>
      {label}
    </button>
  );
}
