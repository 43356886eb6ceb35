import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { binScript } from './bootstrap/executables.mjs';
import { root } from './bootstrap/layout.mjs';
import { ensurePnpm } from './bootstrap/pnpm.mjs';
import { workspaceFolders } from './bootstrap/workspace-folders.mjs';
import { manifestIn } from './packaging/published.mjs';

/** @typedef {import('./bootstrap/processes.mjs').Command} Command */

/** Every script of the root package.json that CI runs besides the tests. */
const CHECKS = {
  'Lint and format': 'lint',
  Types: 'typecheck',
  'Files, exports and packages that nobody uses': 'knip',
  'Generated documentation': 'gen:check',
  'Links of documents': 'check:links',
  'Documentation site': 'check:site',
  'Published packages': 'check:packages',
  'Size of the toolset': 'check:size',
};

/** @returns {Record<string, Command>} */
function ofAll() {
  return Object.fromEntries(
    Object.entries(CHECKS).map(([title, script]) => [
      `${title} (${script})`,
      { file: process.execPath, args: ['--run', script] },
    ]),
  );
}

/**
 * The checks of one package, without those of the whole repository.
 * @param {string} folder
 * @returns {Promise<Record<string, Command>>}
 */
async function ofPackage(folder) {
  const { name } = await manifestIn(folder);
  const pnpm = await ensurePnpm(process.execPath);
  const tool = async (/** @type {string} */ at, /** @type {string} */ bin, /** @type {string[]} */ ...args) => ({
    file: process.execPath,
    args: [await binScript(join(root, 'node_modules', at), bin), ...args],
  });
  return {
    'Lint and format': await tool('@biomejs/biome', 'biome', 'check', '--error-on-warnings', folder),
    Types: await tool('turbo', 'turbo', 'run', 'typecheck', `--filter=${name}`, '--output-logs=errors-only'),
    'Files, exports and packages that nobody uses': await tool('knip', 'knip', '--workspace', folder),
    'Generated documentation': {
      file: pnpm.file,
      args: [...pnpm.args, '--filter', name, '--if-present', 'run', 'gen', '--check'],
    },
    'Published packages': { file: process.execPath, args: [join(root, 'scripts/check-packages.mjs'), folder] },
  };
}

/**
 * The folder of a package by its folder, the last part of it or its name.
 * @param {string} wanted
 */
async function folderOf(wanted) {
  const folders = workspaceFolders(root);
  for (const folder of folders) {
    if ([folder, folder.split('/').at(-1), (await manifestIn(folder)).name].includes(wanted)) return folder;
  }
  return undefined;
}

const {
  positionals: [wanted],
} = parseArgs({ allowPositionals: true });
const folder = wanted === undefined ? undefined : await folderOf(wanted);
if (wanted !== undefined && folder === undefined) {
  console.error(`No package is called "${wanted}": there are ${workspaceFolders(root).join(', ')}.`);
  process.exitCode = 1;
} else {
  const checks = folder === undefined ? ofAll() : await ofPackage(folder);
  // All of them run, then the failed ones are named.
  const failed = Object.entries(checks).filter(([title, { file, args }]) => {
    console.log(`\n=== ${title}`);
    return spawnSync(file, args, { cwd: root, stdio: 'inherit' }).status !== 0;
  });
  const of = folder === undefined ? '' : ` of ${folder}`;
  console.log(
    failed.length === 0 ? `\nAll checks${of} passed.` : `\nFailed${of}: ${failed.map(([title]) => title).join(', ')}.`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}
