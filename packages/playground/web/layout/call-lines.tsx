import type { CallLine } from '../../src/server/call-words.js';

interface CallLinesProps {
  readonly lines: readonly CallLine[];
  /** The element that is shown in the live view. */
  readonly current?: string | undefined;
  /** Shows an element in the live view. */
  readonly onShow?: (ref: string) => void;
}

/** What a call holds, a line each; a line about an element shows it in the live view. */
export function CallLines({ lines, current, onShow }: CallLinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul className="call-lines">
      {lines.map(({ name, value, ref }, index) => {
        const words = (
          <>
            <span className="call-line-name">{name}:</span> <span className="call-line-value">{value}</span>
          </>
        );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two fields can have the same name
          <li key={index}>
            {ref === undefined || onShow === undefined ? (
              words
            ) : (
              <button
                type="button"
                className="call-line"
                aria-pressed={ref === current}
                title="Show in the browser"
                onFocus={() => onShow(ref)}
                onClick={() => onShow(ref)}
              >
                {words}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
