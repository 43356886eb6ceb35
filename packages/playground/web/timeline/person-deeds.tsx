/** What a person did in the browser before an action ended. */
export function PersonDeeds({ deeds }: { readonly deeds: readonly string[] }) {
  if (deeds.length === 0) return null;
  return (
    <div className="person-deeds">
      <strong>You</strong>
      <ul>
        {deeds.map((deed, index) => {
          // The same can be done twice.
          const key = `${index} ${deed}`;
          return <li key={key}>{deed}</li>;
        })}
      </ul>
    </div>
  );
}
