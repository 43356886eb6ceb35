import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binScript } from './bootstrap/executables.mjs';
import { root } from './bootstrap/layout.mjs';
import { ensurePnpm } from './bootstrap/pnpm.mjs';
import { publishedPackages } from './packaging/published.mjs';

/**
 * Packs each package that is published and looks at the tarball as a consumer's bundler, Node and TypeScript would.
 * @param {string[]} chosen their folders; all when there is none
 */
async function checkPackages(chosen) {
  const pnpm = await ensurePnpm(process.execPath);
  const linters = [
    { file: process.execPath, args: [await binScript(join(root, 'node_modules/publint')), 'run', '--strict'] },
    {
      file: process.execPath,
      args: [await binScript(join(root, 'node_modules/@arethetypeswrong/cli')), '--profile', 'esm-only'],
    },
  ];
  const failed = [];
  const packages = (await publishedPackages()).filter(({ folder }) => chosen.length === 0 || chosen.includes(folder));
  for (const { folder, manifest } of packages) {
    const isFound = manifest.keywords?.length > 0;
    if (!isFound) console.error(`${folder}/package.json has no keywords.`);
    const isSound = await withTarball(pnpm, folder, tarball =>
      linters.every(({ file, args }) => run(file, [...args, tarball])),
    );
    const sound = isFound && isSound;
    console.log(`${sound ? '✓' : '✗'} ${folder}`);
    if (!sound) failed.push(folder);
  }
  return failed.length === 0;
}

/**
 * @param {import('./bootstrap/processes.mjs').Command} pnpm
 * @param {string} folder
 * @param {(tarball: string) => boolean} look
 */
async function withTarball(pnpm, folder, look) {
  const place = await mkdtemp(join(tmpdir(), 'browser-toolset-pack-'));
  try {
    if (!run(pnpm.file, [...pnpm.args, 'pack', '--pack-destination', place], join(root, folder))) return false;
    const [tarball = ''] = await readdir(place);
    return look(join(place, tarball));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Shows what a tool said only when it failed. @param {string} file @param {string[]} args */
function run(file, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, encoding: 'utf8' });
  if (status !== 0) console.error(error?.message ?? `${stdout}${stderr}`);
  return status === 0;
}

process.exitCode = (await checkPackages(process.argv.slice(2))) ? 0 : 1;
