/** Says that no model is at work. */
export function ScriptBanner() {
  return (
    <p className="banner" role="note">
      <strong>No model:</strong> a script decides, and it only knows the suggested tasks. Set <code>MODEL</code> and its
      API key for a real agent.
    </p>
  );
}

export function Notice({ kind, text }: { readonly kind: 'error' | 'info'; readonly text: string }) {
  return (
    <p className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {text}
    </p>
  );
}
