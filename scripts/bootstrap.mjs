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
  check                  everything CI checks but the tests (\`npm run check\`)
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
  dev: async ({ node }) => ({ file: node, args: [join(root, 'scripts/dev.mjs')] }),
  test: tests('test'),
  'test:all': tests('test:all'),
  'test:unit': tests('test:unit'),
  'test:stress': tests('test:stress'),
  soak: tests('soak'),
  check: async ({ node }) => ({ file: node, args: [join(root, 'scripts/checks.mjs')] }),
  run: async ({ pnpm }) => pnpm,
};

/**
 * @param {string} command of tests.mjs
 * @returns {Prepared}
 */
function tests(command) {
  return async ({ node }) => ({ file: node, args: [join(root, 'scripts/tests.mjs'), command] });
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
