import { type Rate, TokenBucket } from './rate.js';

/** Writes a line on a subject. */
export type Log = (subject: string, line: string) => void;

/** Three lines on a subject, then one every ten seconds: nobody who can cause lines can flood the log. */
const LINES: Rate = { perSecond: 0.1, burst: 3 };

/** Limits the lines on each subject; a line that gets through says how many before it did not. */
export function limitedLog(write: (line: string) => void, clock: () => number): Log {
  const subjects = new Map<string, { bucket: TokenBucket; dropped: number }>();
  return (subject, line) => {
    const now = clock();
    const known = subjects.get(subject) ?? { bucket: new TokenBucket(LINES, now), dropped: 0 };
    subjects.set(subject, known);
    if (!known.bucket.tryTake(now)) {
      known.dropped += 1;
      return;
    }
    const shown = onOneLine(line);
    write(known.dropped === 0 ? shown : `${shown} (and ${known.dropped} more like it)`);
    known.dropped = 0;
  };
}

/** Writes control characters as escapes: a name from a viewer ends no line and steers no terminal. */
function onOneLine(line: string): string {
  return line.replaceAll(/[\p{Cc}\u2028\u2029]/gu, character => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}
