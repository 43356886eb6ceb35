import { join } from 'node:path';
import { BootstrapError, Interrupted, systemFailure } from './bootstrap/failure.mjs';
import { root } from './bootstrap/layout.mjs';
import { prepare } from './bootstrap/prepare.mjs';
import { exitCodeOf, foreground } from './bootstrap/processes.mjs';
import { say } from './bootstrap/progress.mjs';

const HELP = `node scripts/bootstrap.mjs <command> [arguments]

Brings what is missing (a Node, pnpm, the dependencies, the build, a Chromium), then runs
  start [arguments]      the playground (\`npm start\`)
  dev [arguments]        the playground, built and started anew at each change (\`npm run dev\`)
  test [arguments]       the tests, with Vitest's arguments (\`npm test\`)
  test:all [arguments]   those that need more than Node, npm and a Chromium too (\`npm run test:all\`)
  test:unit [arguments]  those that need no browser (\`npm run test:unit\`)
  test:stress [folder]   the tests beside two busy loops a core, or \`--loops <count>\` (\`npm run test:stress\`)
  soak [arguments]       all trials at full size, or \`--only <name>\`, from \`--seed <number>\` (\`npm run soak\`)
  check [package]        everything CI checks but the tests, of one package if it is named (\`npm run check\`)
  format [paths]         writes files as they are to be formatted (\`npm run format\`)
  gen                    writes the generated parts of docs and manifests (\`npm run gen\`)
  pack                   packs what is published into output/packages (\`npm run pack\`)
  run <pnpm arguments>   any pnpm command in the prepared environment: \`run lint\`, \`run --filter … exec …\``;

/**
 * @typedef {(tools: import('./bootstrap/prepare.mjs').Tools) => Promise<import('./bootstrap/processes.mjs').Command>} Prepared
 */

/**
 * What each command runs once everything is there.
 * @type {Record<string, Prepared>}
 */
const COMMANDS = {
  start: async ({ node }) => ({ file: node, args: [join(root, 'packages/playground/dist/main.js')] }),
  dev: script('dev.mjs'),
  test: script('tests.mjs', 'test'),
  'test:all': script('tests.mjs', 'test:all'),
  'test:unit': script('tests.mjs', 'test:unit'),
  'test:stress': script('tests.mjs', 'test:stress'),
  soak: script('tests.mjs', 'soak'),
  check: script('checks.mjs'),
  format: script('format.mjs'),
  gen: script('gen.mjs'),
  pack: script('pack.mjs'),
  run: async ({ pnpm }) => pnpm,
};

/**
 * @param {string} file in this folder
 * @param {string[]} args before those that were typed
 * @returns {Prepared}
 */
function script(file, ...args) {
  return async ({ node }) => ({ file: node, args: [join(root, 'scripts', file), ...args] });
}

/**
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function main([name = '--help', ...rest]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    say(HELP);
    return name === '--help' ? 0 : 1;
  }
  const { file, args } = await command(await prepare());
  return foreground({ file, args: [...args, ...rest] });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const sentence = error instanceof BootstrapError ? error.message : systemFailure(error);
  if (error instanceof Interrupted) process.exitCode = exitCodeOf(error.signal);
  else if (sentence) {
    say(`✗ ${sentence}`);
    process.exitCode = 1;
  } else throw error;
}
