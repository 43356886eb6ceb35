import { join } from 'node:path';
import { binScript } from './bootstrap/executables.mjs';
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
  check                  everything CI checks but the tests (\`npm run check\`)
  run <pnpm arguments>   any pnpm command in the prepared environment: \`run lint\`, \`run --filter … exec …\``;

/**
 * What each command runs once everything is there.
 * @type {Record<string, (tools: import('./bootstrap/prepare.mjs').Tools) => Promise<import('./bootstrap/processes.mjs').Command>>}
 */
const COMMANDS = {
  start: async ({ node }) => ({ file: node, args: [join(root, 'packages/playground/dist/main.js')] }),
  dev: async ({ node }) => ({ file: node, args: [join(root, 'scripts/dev.mjs')] }),
  test: async ({ node }) => ({
    file: node,
    args: [await binScript(join(root, 'node_modules/vitest')), 'run', '--config', join(root, 'vitest.workspace.ts')],
  }),
  check: async ({ node }) => ({ file: node, args: [join(root, 'scripts/checks.mjs')] }),
  run: async ({ pnpm }) => pnpm,
};

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
