import { join } from 'node:path';
import { binScript } from './executables.mjs';
import { BootstrapError, causeOf } from './failure.mjs';
import { root } from './layout.mjs';
import { capture } from './processes.mjs';
import { say, step } from './progress.mjs';
import { fingerprint, readIfThere, writeStamp } from './stamp.mjs';
import { workspaceFolders } from './workspace-folders.mjs';

// Inside node_modules, so that whoever deletes those deletes the claim that they are complete.
const STAMP = join(root, 'node_modules/.bootstrap-stamp');

/** @param {import('./processes.mjs').Command} pnpm */
export async function ensureDependencies(pnpm) {
  const wanted = await dependencyFingerprint();
  if ((await readIfThere(STAMP)) === wanted) return;
  await step('Workspace dependencies', () => install(pnpm));
  await writeStamp(STAMP, wanted);
}

function dependencyFingerprint() {
  const manifests = ['.', ...workspaceFolders(root)].map(folder => join(root, folder, 'package.json'));
  const files = [...manifests, join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml')];
  return fingerprint(files, [process.platform, process.arch]);
}

/** @param {import('./processes.mjs').Command} pnpm */
async function install(pnpm) {
  // NODE_ENV=production would leave out the build's own tools; without a terminal pnpm may not ask before it replaces node_modules.
  const flags = ['--frozen-lockfile', '--prod=false', '--config.confirmModulesPurge=false', '--reporter=append-only'];
  const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];
  const { ok, output } = await capture(
    { file: pnpm.file, args: [...pnpm.args, 'install', ...flags, ...patience] },
    { log: 'workspace-dependencies' },
  );
  if (ok) return;
  const cause = causeOf(output) ?? 'pnpm failed';
  throw new BootstrapError(
    `The workspace's dependencies could not be installed: ${cause} (what pnpm said is in .toolchain/logs).`,
  );
}

/** @param {string} node */
export async function build(node) {
  const turbo = await binScript(join(root, 'node_modules/turbo'));
  await step('Build', async () => {
    const { ok, output } = await capture(
      { file: node, args: [turbo, 'run', 'build', '--output-logs=errors-only'] },
      { log: 'build' },
    );
    if (ok) return;
    say(output.trimEnd());
    throw new BootstrapError('The build failed, for the reason above.');
  });
}
