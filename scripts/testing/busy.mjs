import { Worker } from 'node:worker_threads';
import { BootstrapError } from '../bootstrap/failure.mjs';

/**
 * Does work while endless loops keep the cores busy. They are threads of this process: in whatever way it ends, they end.
 * @template T
 * @param {number} loops
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileBusy(loops, work) {
  const threads = Array.from({ length: loops }, () => new Worker('for (;;);', { eval: true }));
  try {
    return await work();
  } finally {
    await Promise.all(threads.map(thread => thread.terminate()));
  }
}

/**
 * Takes `--loops <a core>` out of arguments that are Vitest's otherwise.
 * @param {string[]} args
 */
export function loopsIn(args) {
  const at = args.indexOf('--loops');
  if (at === -1) return { loops: 2, rest: args };
  const loops = Number(args[at + 1]);
  if (!Number.isInteger(loops) || loops < 1) throw new BootstrapError('--loops takes a whole number: how many a core.');
  return { loops, rest: args.toSpliced(at, 2) };
}
