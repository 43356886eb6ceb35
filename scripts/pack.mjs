// Packs what is published into output/packages, and prints the line that installs it: the packages are on no registry yet.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { ensurePnpm } from './bootstrap/pnpm.mjs';
import { packAll } from './packaging/pack.mjs';

const folder = join(root, 'output/packages');
await rm(folder, { recursive: true, force: true });
const tarballs = await packAll(await ensurePnpm(process.execPath), folder);
console.log(`npm i ${tarballs.map(quoted).join(' ')} @mastra/core zod`);

/** @param {string} path */
function quoted(path) {
  return /^[\w@./:\\-]+$/.test(path) ? path : JSON.stringify(path);
}
