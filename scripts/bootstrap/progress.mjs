const HEARTBEAT_MS = 10_000;

// Progress goes to stderr: stdout belongs to the command that is run in the end.
/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** @param {number} since a `performance.now()` */
export function secondsSince(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Runs one step between a line that says what happens and a line that says how long it took.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const started = performance.now();
  say(`→ ${label} …`);
  const heartbeat = setInterval(() => say(`  … still at it after ${secondsSince(started)}`), HEARTBEAT_MS);
  try {
    const result = await work();
    say(`✓ ${label} (${secondsSince(started)})`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
