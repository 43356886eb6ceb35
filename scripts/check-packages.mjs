import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binScript } from './bootstrap/executables.mjs';
import { root } from './bootstrap/layout.mjs';
import { ensurePnpm } from './bootstrap/pnpm.mjs';
import { workspaceFolders } from './bootstrap/workspace-folders.mjs';

/** Packs each package that is published and looks at the tarball as a consumer's bundler, Node and TypeScript would. */
async function checkPackages() {
  const pnpm = await ensurePnpm(process.execPath);
  const linters = [
    { file: process.execPath, args: [await binScript(join(root, 'node_modules/publint')), 'run', '--strict'] },
    {
      file: process.execPath,
      args: [await binScript(join(root, 'node_modules/@arethetypeswrong/cli')), '--profile', 'esm-only'],
    },
  ];
  const failed = [];
  for (const folder of await publishedFolders()) {
    const sound = await withTarball(pnpm, folder, tarball =>
      linters.every(({ file, args }) => run(file, [...args, tarball])),
    );
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

async function publishedFolders() {
  const manifests = await Promise.all(
    workspaceFolders(root).map(async folder => ({
      folder,
      ...JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')),
    })),
  );
  return manifests.filter(manifest => !manifest.private).map(manifest => manifest.folder);
}

/** Shows what a tool said only when it failed. @param {string} file @param {string[]} args */
function run(file, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, encoding: 'utf8' });
  if (status !== 0) console.error(error?.message ?? `${stdout}${stderr}`);
  return status === 0;
}

process.exitCode = (await checkPackages()) ? 0 : 1;
