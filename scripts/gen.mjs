// Writes all that is generated and committed, each package's own by its script; with --check it writes nothing and fails on drift.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { ensurePnpm } from './bootstrap/pnpm.mjs';

const args = process.argv.slice(2);
const pnpm = await ensurePnpm(process.execPath);
const commands = [
  { file: process.execPath, args: [join(root, 'scripts/gen-manifests.mjs'), ...args] },
  { file: process.execPath, args: [join(root, 'scripts/gen-docker.mjs'), ...args] },
  { file: pnpm.file, args: [...pnpm.args, '-r', '--if-present', 'run', 'gen', ...args] },
];
const failed = commands.filter(
  command => spawnSync(command.file, command.args, { cwd: root, stdio: 'inherit' }).status !== 0,
);
process.exitCode = failed.length === 0 ? 0 : 1;
