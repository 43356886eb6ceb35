import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { workspaceFolders } from './bootstrap/workspace-folders.mjs';

const root = resolve(import.meta.dirname, '..');
/** Whoever imports one of these drives a browser or starts processes. */
const HEAVY = /^(?:playwright-core|agent-browser|node:child_process|@mastra\/.*|@browser-toolset\/(?!core).*)$/;
/** Modules that load Chromium's driver by themselves. */
const DRIVERS = /(?:browser\/chromium\/playwright|test\/launched-engine)\.ts$/;
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** @type {Map<string, boolean>} */
const known = new Map();

/** @param {string} file @returns {boolean} whether its imports, types apart, lead to a browser or to processes */
function isHeavy(file) {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false);
  const text = readFileSync(file, 'utf8');
  const found =
    DRIVERS.test(file) ||
    [...text.matchAll(IMPORT)].some(([, name = '', lazy = '']) => leadsToBrowser(file, name || lazy));
  known.set(file, found);
  return found;
}

/** @param {string} from @param {string} name */
function leadsToBrowser(from, name) {
  if (!name.startsWith('.')) return HEAVY.test(name);
  const path = resolve(dirname(from), name).replace(/\.js$/, '');
  const file = ['', '.ts', '.tsx', '.mjs'].map(end => path + end).find(each => /\.\w+$/.test(each) && existsSync(each));
  return file !== undefined && isHeavy(file);
}

const folders = [...workspaceFolders(root), 'scripts'];
const tests = folders
  .flatMap(folder =>
    globSync('test/**/*.test.{ts,tsx,mjs}', { cwd: join(root, folder) }).map(file => join(root, folder, file)),
  )
  .filter(file => !isHeavy(file));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const args = [vitest, 'run', '--config', join(root, 'vitest.workspace.ts'), ...process.argv.slice(2)];
const child = spawn(process.execPath, [...args, ...tests.map(file => relative(root, file))], {
  stdio: 'inherit',
  cwd: root,
});
child.on('exit', code => {
  process.exitCode = code ?? 1;
});
