import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * One hash over facts and the contents of files; a file that is not there counts as such.
 * @param {string[]} files
 * @param {string[]} facts
 */
export async function fingerprint(files, facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of files) {
    const content = await readIfThere(file);
    hash.update(JSON.stringify([file, content ?? null]));
  }
  return hash.digest('hex');
}

/** @param {string} file @param {string} value */
export async function writeStamp(file, value) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, value);
}

/**
 * @param {string} file
 * @returns {Promise<string | undefined>}
 */
export async function readIfThere(file) {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
