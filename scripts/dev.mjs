import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { binScript } from './bootstrap/executables.mjs';

// Builds what changes and starts the playground anew after each build; its open page notices and reloads.
const root = resolve(import.meta.dirname, '..');
const turbo = await binScript(join(root, 'node_modules/turbo'));
const commands = [
  [turbo, 'watch', 'build', '--output-logs=errors-only'],
  ['--watch', '--watch-preserve-output', join(root, 'packages/playground/dist/main.js'), ...process.argv.slice(2)],
];
const children = commands.map(args => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
// Ctrl+C reaches the children as well, but a signal to this process alone does not.
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
await Promise.race(children.map(child => once(child, 'exit')));
stop();
await Promise.all(children.map(child => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
