import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../bootstrap/layout.mjs';

const FRAGMENT = /(<!-- gen:([\w-]+):start -->\n)[\s\S]*?(<!-- gen:\2:end -->)/g;

/**
 * Writes what stands between `<!-- gen:NAME:start -->` and `<!-- gen:NAME:end -->` anew, so that documents say what the
 * schemas and files say that they show. With `--check` on the command line nothing is written: the process fails if a document differs.
 * @param {readonly string[]} files paths from the root of the repository
 * @param {Readonly<Record<string, () => string>>} tables by the name of their markers
 */
export async function writeGenerated(files, tables) {
  const isCheck = process.argv.includes('--check');
  const unused = new Set(Object.keys(tables));
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    const fresh = text.replace(FRAGMENT, (_, start, name, end) => {
      const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
      if (table === undefined) throw new Error(`${file} asks for ${name}; there are ${Object.keys(tables).join(', ')}`);
      unused.delete(name);
      return `${start}\n${table()}\n\n${end}`;
    });
    if (fresh === text) continue;
    if (isCheck) fail(`${file} is not what is generated for it. Run: npm run gen`);
    else await writeFile(join(root, file), fresh);
  }
  if (unused.size > 0) fail(`No document shows ${[...unused].join(', ')}: ${files.join(', ')} lack the markers.`);
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
