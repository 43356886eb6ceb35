import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { binScript } from './bootstrap/executables.mjs';
import { workspaceFolders } from './bootstrap/workspace-folders.mjs';
import { Builds } from './dev/builds.mjs';

// Builds what changes. A playground whose server changed is started anew, one whose page changed takes that: open pages notice and reload.
const root = resolve(import.meta.dirname, '..');
const turbo = await binScript(join(root, 'node_modules/turbo'));
const playground = join(root, 'packages/playground/dist');
/** A build is done when no built file has changed for this long: its steps write one after another. */
const QUIET_MS = 1_500;

const folders = workspaceFolders(root).filter(folder => /^(?:packages|integrations)\//.test(folder));
const builds = new Builds({ server: folders.map(folder => join(root, folder, 'dist')), page: join(playground, 'web') });
await builds.look();

const building = spawn(process.execPath, [turbo, 'watch', 'build', '--output-logs=errors-only'], {
  cwd: root,
  stdio: 'inherit',
});
let server = start();
let isStopped = false;

/** @type {NodeJS.Timeout | undefined} */
let quiet;
let looking = Promise.resolve();
const watchers = builds.folders.map(folder =>
  watch(folder, { recursive: true }, () => {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      looking = looking.then(takeChanges);
    }, QUIET_MS);
  }),
);

function start() {
  const main = [join(playground, 'main.js'), ...process.argv.slice(2)];
  return spawn(process.execPath, main, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
}

async function takeChanges() {
  const changed = await builds.look().catch(error => {
    // It is still being written: the next change leads here again.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (isStopped || changed === undefined) return;
  if (changed === 'page' && server.connected) server.send('page');
  else {
    await end(server);
    if (!isStopped) server = start();
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const stop = () => {
  isStopped = true;
  clearTimeout(quiet);
  for (const watcher of watchers) watcher.close();
  for (const child of [building, server]) child.kill('SIGTERM');
};
// Ctrl+C reaches the children as well, but a signal to this process alone does not.
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
await once(building, 'exit');
stop();
await looking;
await end(server);
