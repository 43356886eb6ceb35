import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
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
    await removeLeftovers(join(root, folder, 'dist'));
    const args = [...pnpm.args, 'pack', '--pack-destination', destination];
    const { ok, output } = await capture({ file: pnpm.file, args }, { log: 'pack', cwd: join(root, folder) });
    if (!ok) throw new Error(`pnpm could not pack ${folder}:\n${output}`);
  }
  return (await readdir(destination)).sort().map(name => join(destination, name));
}

const MAP = /\.js\.map$/;

/**
 * The compiler leaves what it made of sources that are gone since: their names are in the maps.
 * @param {string} dist
 */
async function removeLeftovers(dist) {
  const maps = (await readdir(dist, { recursive: true })).filter(file => MAP.test(file)).map(file => join(dist, file));
  for (const map of maps) {
    const { sources } = JSON.parse(await readFile(map, 'utf8'));
    if (sources.some((/** @type {string} */ source) => existsSync(resolve(dirname(map), source)))) continue;
    for (const ending of ['.js.map', '.js', '.d.ts']) await rm(map.replace(MAP, ending), { force: true });
  }
}
