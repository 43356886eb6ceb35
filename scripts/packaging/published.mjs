import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../bootstrap/layout.mjs';
import { workspaceFolders } from '../bootstrap/workspace-folders.mjs';

/** @typedef {{ folder: string, manifest: Record<string, any> }} Package `folder` is relative to the root */

/** @returns {Promise<Package[]>} the packages that are published */
export async function publishedPackages() {
  const packages = await Promise.all(
    workspaceFolders(root).map(async folder => ({ folder, manifest: await manifestIn(folder) })),
  );
  return packages.filter(({ manifest }) => !manifest.private);
}

/**
 * @param {string} folder
 * @returns {Promise<Record<string, any>>}
 */
export async function manifestIn(folder) {
  return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
}
