import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binScript, findOnPath, putFirstOnPath } from './executables.mjs';
import { BootstrapError } from './failure.mjs';
import { root, toolchain } from './layout.mjs';
import { step } from './progress.mjs';
import { installTool } from './registry.mjs';
import { readIfThere } from './stamp.mjs';
import { majorOf } from './version.mjs';

const FOLDER = 'pnpm';

/**
 * The pnpm on PATH when it has the wanted major, else the exact wanted one from the npm registry (then it is put on PATH,
 * where turbo looks for it).
 * @param {string} node
 * @returns {Promise<import('./processes.mjs').Command>}
 */
export async function ensurePnpm(node) {
  // A pnpm of the same major is good enough: neither pnpm nor corepack may go and fetch another one.
  Object.assign(process.env, { npm_config_manage_package_manager_versions: 'false', COREPACK_ENABLE_NETWORK: '0' });
  const wanted = await wantedVersion();
  const present = await pnpmOnPath(wanted);
  if (present) return { file: present, args: [] };
  const folder = join(toolchain, FOLDER);
  if ((await installedVersion(folder)) !== wanted)
    await step(`pnpm ${wanted} from the npm registry`, () => installPnpm(wanted));
  putFirstOnPath(join(folder, 'node_modules/.bin'));
  return { file: node, args: [await binScript(join(folder, 'node_modules/pnpm'), 'pnpm')] };
}

async function wantedVersion() {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return packageManager.replace(/^pnpm@/, '').replace(/\+.*$/, '');
}

/** @param {string} wanted */
async function pnpmOnPath(wanted) {
  // On Windows PATH holds a .cmd shim, which cannot be run without a shell.
  const path = process.platform === 'win32' ? undefined : await findOnPath('pnpm');
  if (!path) return undefined;
  return promisify(execFile)(path, ['--version'], { cwd: root }).then(
    ({ stdout }) => (majorOf(stdout) === majorOf(wanted) ? path : undefined),
    // A shim of corepack without its pnpm, or a pnpm too new for this Node: as good as none.
    () => undefined,
  );
}

/** @param {string} wanted */
async function installPnpm(wanted) {
  const defect = await installTool(FOLDER, {
    packages: [`pnpm@${wanted}`],
    verify: async folder => ((await installedVersion(folder)) === wanted ? undefined : 'npm installed something else'),
  });
  if (!defect) return;
  throw new BootstrapError(
    `pnpm ${wanted} could not be installed from the npm registry: ${defect} (see .toolchain/logs).`,
  );
}

/** @param {string} folder */
async function installedVersion(folder) {
  const manifest = await readIfThere(join(folder, 'node_modules/pnpm/package.json'));
  return manifest && JSON.parse(manifest).version;
}
