import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmCommand } from './executables.mjs';
import { causeOf } from './failure.mjs';
import { toolchain } from './layout.mjs';
import { capture } from './processes.mjs';

// npm's own patience (up to two minutes) is too long for a person who is offline.
const RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];

/**
 * Installs packages into `.toolchain/<folder>`, all or nothing: a half-done install is never seen, by this run or the next.
 * @param {string} folder
 * @param {{ packages: string[], manifest?: object, verify: (folder: string) => Promise<string | undefined> }} options
 *   `verify` answers what is wrong with the installed packages, if anything
 * @returns {Promise<string | undefined>} why it could not be done, if it could not
 */
export async function installTool(folder, { packages, manifest = {}, verify }) {
  const target = join(toolchain, folder);
  // Named for this process: when an earlier one was killed, its npm may still be writing.
  const partial = `${target}.partial-${process.pid}`;
  await mkdir(partial, { recursive: true });
  await writeFile(join(partial, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  const npm = await npmCommand();
  const flags = ['--prefix', partial, '--no-audit', '--no-fund', '--no-package-lock', ...RETRIES];
  const { ok, output } = await capture(
    { file: npm.file, args: [...npm.args, 'install', ...flags, ...packages] },
    { log: `install-${folder}`, cwd: partial },
  );
  const defect = ok ? await verify(partial) : (causeOf(output) ?? 'npm failed');
  if (!defect) {
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
  }
  await removePartial(folder);
  return defect;
}

/** @param {string} folder whose unfinished installs are removed, those of killed processes too */
async function removePartial(folder) {
  const names = (await readdir(toolchain)).filter(name => name.startsWith(`${folder}.partial-`));
  await Promise.all(names.map(name => rm(join(toolchain, name), { recursive: true, force: true, maxRetries: 10 })));
}
