import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { BootstrapError } from './bootstrap/failure.mjs';
import { root } from './bootstrap/layout.mjs';
import { say } from './bootstrap/progress.mjs';
import { browserless } from './testing/browserless.mjs';
import { loopsIn, whileBusy } from './testing/busy.mjs';
import { runTests } from './testing/run.mjs';
import { soak } from './testing/soak.mjs';
import { testFiles } from './testing/test-files.mjs';

/**
 * What each command runs; all take Vitest's arguments, but for the soak.
 * @type {Record<string, (args: string[]) => Promise<number>>}
 */
const COMMANDS = {
  test: args => runTests({ output: isWhole(args) ? 'output' : 'output/chosen', args }),
  'test:all': all,
  'test:unit': args => runTests({ output: 'output/unit', args: [...browserless(root, testFiles(root)), ...args] }),
  'test:stress': stress,
  soak,
};

/**
 * What `npm run check` looks at is a report of all files: any other is left elsewhere.
 * @param {string[]} args
 */
function isWhole(args) {
  return args.length === 0 && process.env.TRIALS_SEED === undefined;
}

/**
 * Also the tests that need more than Node, npm and a Chromium. Those of the image are there where a Docker engine is.
 * @param {string[]} args
 */
async function all(args) {
  const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
  const env = { TEST_OUTSIDE: '1', ...(hasDocker && { TEST_DOCKER: '1' }) };
  const code = await runTests({ output: 'output/all', args, env });
  if (!hasDocker) {
    const left = testFiles(root).filter(file => file.includes('.docker.test.'));
    console.log(`Not run, since no Docker engine answers \`docker info\` here: ${left.join(', ')}`);
  }
  return code;
}

/**
 * The tests on a machine that is busy with other things: `--loops` endless loops a core, two unless told otherwise.
 * @param {string[]} args
 */
function stress(args) {
  const { loops, rest } = loopsIn(args);
  const cores = availableParallelism();
  console.log(`${loops} busy loops on each of ${cores} cores`);
  return whileBusy(loops * cores, () => runTests({ output: 'output/stress', args: rest }));
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined) throw new TypeError(`One of ${Object.keys(COMMANDS).join(', ')} is needed, not "${name}".`);
try {
  process.exitCode = await command(args);
} catch (error) {
  if (!isOfArguments(error) && !(error instanceof BootstrapError)) throw error;
  say(`✗ ${error.message}`);
  process.exitCode = 1;
}

/**
 * @param {unknown} error
 * @returns {error is Error} whether Node's `parseArgs` refuses what was typed
 */
function isOfArguments(error) {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
