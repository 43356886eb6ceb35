import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

/** @param {string} path */
export async function isExecutable(path) {
  const isFile = await stat(path).then(
    found => found.isFile(),
    () => false,
  );
  if (!isFile) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * @param {string[]} names
 * @returns {Promise<string | undefined>} the first of these programs that PATH has
 */
export async function findOnPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (await isExecutable(path)) return path;
    }
  }
  return undefined;
}

/** @param {string} folder made the first place where child processes look for programs */
export function putFirstOnPath(folder) {
  process.env.PATH = [folder, process.env.PATH].filter(Boolean).join(delimiter);
}

/**
 * npm's own script, run by the Node that runs us: no shell and no `.cmd` shim in between.
 * @returns {Promise<import('./processes.mjs').Command>}
 */
export async function npmCommand() {
  const nodeFolder = dirname(process.execPath);
  const onPath = await findOnPath('npm');
  const scripts = [
    process.env.npm_execpath,
    join(nodeFolder, 'node_modules/npm/bin/npm-cli.js'),
    join(nodeFolder, '../lib/node_modules/npm/bin/npm-cli.js'),
    onPath && (await realpath(onPath)),
  ];
  for (const script of scripts) {
    if (script && basename(script) === 'npm-cli.js' && (await isExecutable(script))) {
      return { file: process.execPath, args: [script] };
    }
  }
  return { file: onPath ?? 'npm', args: [] };
}

/**
 * The script behind a command of an installed package, to be run by Node.
 * @param {string} packageFolder
 * @param {string} [name] needed when the package has several commands
 */
export async function binScript(packageFolder, name) {
  const { bin } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const script = typeof bin === 'string' ? bin : name ? bin[name] : Object.values(bin)[0];
  return join(packageFolder, script);
}
