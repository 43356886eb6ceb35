/** Milliseconds between two looks at who the parent is; no event tells. */
const INTERVAL = 2_000;

/** Calls back when the process that started this one is gone: a client that is killed closes nothing. */
export function watchParent(onGone: () => void): void {
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) onGone();
  }, INTERVAL).unref();
}
