import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../bootstrap/layout.mjs';
import { capture } from '../bootstrap/processes.mjs';
import { publishedPackages } from './published.mjs';

/**
 * Packs each package that is published, as it is built now.
 * @param {import('../bootstrap/processes.mjs').Command} pnpm
 * @param {string} destination an empty folder, or none
 * @returns {Promise<string[]>} the tarballs
 */
export async function packAll(pnpm, destination) {
  for (const { folder } of await publishedPackages()) {
    const args = [...pnpm.args, 'pack', '--pack-destination', destination];
    const { ok, output } = await capture({ file: pnpm.file, args }, { log: 'pack', cwd: join(root, folder) });
    if (!ok) throw new Error(`pnpm could not pack ${folder}:\n${output}`);
  }
  return (await readdir(destination)).sort().map(name => join(destination, name));
}
