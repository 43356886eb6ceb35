import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BootstrapError } from '../bootstrap/failure.mjs';
import { root } from '../bootstrap/layout.mjs';
import { foreground } from '../bootstrap/processes.mjs';
import { runTests } from './run.mjs';
import { testFiles } from './test-files.mjs';

/** `.alone` and the like may follow `.trials`. */
const TRIALS = /\.trials\.(?:\w+\.)*test\.\w+$/;
/** The soak of `bench/`: hundreds of sessions that act at random while things break. */
const BENCH = 'bench';

/**
 * @typedef {object} Plan what a soak runs
 * @property {string[]} trials files
 * @property {string[] | undefined} sessions arguments of the soak of sessions, where it runs
 * @property {string | undefined} seed
 */

/**
 * All trials at full size, then the soak of sessions, although trials failed.
 * @param {string[]} args
 * @returns {Promise<number>} an exit code
 */
export async function soak(args) {
  const { trials, sessions, seed } = planOf(args, testFiles(root));
  const env = { TRIALS: 'full', ...(seed !== undefined && { TRIALS_SEED: seed }) };
  const code = trials.length === 0 ? 0 : await runTests({ output: 'output/soak', args: trials, env });
  // A signal that ended the trials ends the soak.
  if (sessions === undefined || code > 128) return code;
  const script = { file: process.execPath, args: ['--run', 'soak', '--', ...sessions] };
  return (await foreground(script, join(root, 'bench'))) || code;
}

/**
 * @param {string[]} args
 * @param {string[]} files of tests
 * @returns {Plan}
 */
export function planOf(args, files) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [''] },
      seed: { type: 'string' },
      sessions: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const { only, seed, ...rest } = values;
  /** @param {string} name */
  const isWanted = name => only.some(part => name.includes(part));
  const trials = files.filter(file => TRIALS.test(file));
  const wanted = trials.filter(file => isWanted(basename(file)));
  const options = Object.entries({ seed, ...rest }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  if (wanted.length === 0 && !isWanted(BENCH)) {
    const names = [...trials.map(file => basename(file).replace(TRIALS, '')), BENCH];
    throw new BootstrapError(`--only takes a part of one of these names: ${names.join(', ')}.`);
  }
  return { trials: wanted, sessions: isWanted(BENCH) ? options : undefined, seed };
}
