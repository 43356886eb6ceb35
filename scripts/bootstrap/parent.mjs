const LOOK_MS = 500;
const parent = process.ppid;

/**
 * Calls back when the shell that npm put between itself and this process is gone. npm hands SIGTERM to that shell alone, which
 * dies of it without a word to us; nothing else tells, and no event exists for the death of a parent.
 * @param {() => void} callback
 * @returns {() => void} stops looking
 */
export function onParentGone(callback) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, LOOK_MS);
  return () => clearInterval(timer);
}
