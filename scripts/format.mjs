import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { binScript } from './bootstrap/executables.mjs';
import { root } from './bootstrap/layout.mjs';

// Formats all files, or those that are named from where the person is.
const from = process.env.INIT_CWD ?? root;
const paths = process.argv.slice(2).map(path => resolve(from, path));
const biome = await binScript(join(root, 'node_modules/@biomejs/biome'), 'biome');
const args = [biome, 'check', '--write', ...(paths.length === 0 ? ['.'] : paths)];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
