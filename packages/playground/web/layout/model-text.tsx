const LINE_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\+ /, 'added'],
  [/^- /, 'removed'],
  [/^~ /, 'changed'],
];

/** Text as a model reads it, to the letter; the lines that say what changed stand out. */
export function ModelText({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className="model-text" tabIndex={0}>
      {text.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity, and never move
        <span key={index} className={LINE_KINDS.find(([pattern]) => pattern.test(line))?.[1]}>
          {line}
        </span>
      ))}
    </pre>
  );
}
