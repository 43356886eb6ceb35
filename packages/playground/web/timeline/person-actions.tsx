/** What a person did in the browser before an action ended. */
export function PersonActions({ actions }: { readonly actions: readonly string[] }) {
  if (actions.length === 0) return null;
  return (
    <div className="person-actions">
      <strong>You</strong>
      <ul>
        {actions.map((action, index) => {
          // The same can be done twice.
          const key = `${index} ${action}`;
          return <li key={key}>{action}</li>;
        })}
      </ul>
    </div>
  );
}
