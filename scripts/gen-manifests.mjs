// Writes into each published package where it is from, as the root's package.json says. With --check it writes nothing and fails on drift.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { addressesOf } from './packaging/addresses.mjs';
import { manifestIn, publishedPackages } from './packaging/published.mjs';

const { repository } = await manifestIn('.');
for (const { folder, manifest } of await publishedPackages()) {
  const { name, version, description, keywords, license, ...rest } = manifest;
  const first = { name, version, description, keywords, license, ...addressesOf(repository.url, folder) };
  const wanted = JSON.stringify({ ...first, ...withoutAddresses(rest) }, null, 2);
  if (wanted === JSON.stringify(manifest, null, 2)) continue;
  if (process.argv.includes('--check')) {
    console.error(
      `${folder}/package.json does not say where it is from as the root's package.json does.\nRun: npm run gen`,
    );
    process.exitCode = 1;
  } else await writeFile(join(root, folder, 'package.json'), `${wanted}\n`);
}

/** @param {Record<string, unknown>} manifest */
function withoutAddresses({ homepage, bugs, repository, ...rest }) {
  return rest;
}
