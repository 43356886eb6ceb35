import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { librariesFolder } from './site.ts';

/** Installs the libraries as their lockfile pins them, unless they are there. They run in pages alone, not here. */
export function installLibraries(): void {
  const lock = readFileSync(join(librariesFolder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  const stamp = join(librariesFolder, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  const { status, error } = spawnSync('npm', args, { cwd: librariesFolder, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ci of ${librariesFolder} ended with ${status}.`);
  writeFileSync(stamp, wanted);
}
