import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Tells what a build has changed. Compilers write all files anew, whatever changed: contents are compared, not times. */
export class Builds {
  #server;
  #page;
  /** @type {Record<'server' | 'page', string>} */
  #known = { server: '', page: '' };

  /** @param {{ server: string[], page: string }} folders `page` may be in one of `server` */
  constructor({ server, page }) {
    this.#server = server;
    this.#page = page;
  }

  /** Where builds write. */
  get folders() {
    return this.#server;
  }

  /** @returns {Promise<'server' | 'page' | undefined>} what is not as it was at the look before; the server before the page */
  async look() {
    const known = this.#known;
    const isOfPage = (/** @type {string} */ path) => path.startsWith(this.#page + sep);
    const paths = (await Promise.all(this.#server.map(filesIn))).flat().sort();
    this.#known = {
      server: await digest(paths.filter(path => /\.(?:js|json)$/.test(path) && !isOfPage(path))),
      page: await digest(paths.filter(isOfPage)),
    };
    if (this.#known.server !== known.server) return 'server';
    return this.#known.page === known.page ? undefined : 'page';
  }
}

/** @param {string} folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}

/** @param {string[]} paths */
async function digest(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\n`).update(await readFile(path));
  return hash.digest('hex');
}
