import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TAKEN_IN } from '../../../scripts/packaging/taken-in.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// What is taken in is imported as `#<name>/…`.

for (const name of TAKEN_IN) {
  const from = resolve(root, '../../packages', name, 'dist');
  const to = join(root, 'dist', name);
  await rm(to, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true });
  for (const file of await readdir(to, { recursive: true }))
    if (file.endsWith('.map')) await moveMap(join(from, file), join(to, file));
}

/** A source map names its sources from where it is. */
async function moveMap(from, to) {
  const map = JSON.parse(await readFile(from, 'utf8'));
  const sources = map.sources.map(source => relative(dirname(to), resolve(dirname(from), source)));
  await writeFile(to, JSON.stringify({ ...map, sources }));
}
