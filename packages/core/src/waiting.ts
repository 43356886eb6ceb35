/** The limits of a wait. What came in time counts, also when the program was held up and reads it late. */
export interface WaitLimits {
  /** Milliseconds; no limit when left out. */
  timeout?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** An answer through a pipe or a socket reaches whoever awaits it some turns of the event loop after it came. */
const TURNS_OF_AN_ANSWER = 5;

/**
 * Calls `pass` once that many milliseconds are over and what came by then has been read: a program that was held up runs
 * its timers first, and would take answers that are already there for late ones. Returns a function that cancels.
 */
function after(milliseconds: number, pass: () => void): () => void {
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turns < TURNS_OF_AN_ANSWER ? turn : pass);
  };
  const timer = setTimeout(turn, milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(next);
  };
}

/**
 * Resolves to whether the condition holds: as soon as it does, or when the limits end the wait.
 *
 * @param listen Calls `check` whenever the condition may hold by now, and `giveUp` when it cannot hold any more. Answers
 * with the way to stop.
 */
export function until(
  holds: () => boolean,
  { timeout, signal }: WaitLimits,
  listen: (check: () => void, giveUp: () => void) => () => void,
): Promise<boolean> {
  if (holds()) return Promise.resolve(true);
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise(resolve => {
    const finish = (): void => {
      cancel?.();
      signal?.removeEventListener('abort', finish);
      stop();
      resolve(holds());
    };
    const cancel = timeout === undefined ? undefined : after(timeout, finish);
    signal?.addEventListener('abort', finish);
    const stop = listen(() => {
      if (holds()) finish();
    }, finish);
  });
}

/** The result of work; rejects with the reason of the signal when that is aborted first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}

/**
 * What work brings; undefined when that takes longer than so many milliseconds. An error in time is the caller's, a later
 * one nobody's.
 */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = after(milliseconds, () => resolve(undefined));
    work.then(resolve, reject).finally(cancel);
  });
}

/** The result of work; rejects with the error that `late` makes when it takes longer than so many milliseconds. */
export function inTime<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(milliseconds, () => reject(late()));
    work.then(resolve, reject).finally(cancel);
  });
}
