import type { ReactNode } from 'react';

/** A value as JSON that folds: objects and lists open, long ones closed. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div className="json-tree" tabIndex={0}>
      <Node value={value} depth={0} />
    </div>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}

const OPEN_ENTRIES = 12;
const OPEN_DEPTH = 2;

function Node({ name, value, depth }: NodeProps) {
  const label = name !== undefined && <span className="json-name">{name}: </span>;
  if (typeof value === 'string' && value.includes('\n')) return <TextLines label={label} text={value} />;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return <div className="json-leaf">{[label, `${open}${close}`]}</div>;
  return (
    <details open={depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES}>
      <summary>
        {label}
        <span className="json-count">{`${open} ${entries.length} ${close}`}</span>
      </summary>
      {entries.map(([key, entry]) => (
        <Node key={key} name={key} value={entry} depth={depth + 1} />
      ))}
    </details>
  );
}

const OPEN_LINES = 8;

/** Line breaks are easier to read as such than as escapes. */
function TextLines({ label, text }: { readonly label: ReactNode; readonly text: string }) {
  const count = text.split('\n').length;
  return (
    <details open={count <= OPEN_LINES}>
      <summary>
        {label}
        <span className="json-count">{`${count} lines of text`}</span>
      </summary>
      <pre className="json-string json-lines">{text}</pre>
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value !== 'string')
    return <span className={`json-${typeof value}`}>{JSON.stringify(value) ?? 'undefined'}</span>;
  return <span className="json-string">{JSON.stringify(value)}</span>;
}
