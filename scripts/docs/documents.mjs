import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/layout.mjs';

/** The paths of the repository's files, from its root: tracked ones, and those that are neither tracked nor ignored. */
export function repositoryFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  return files.filter(file => file !== '');
}

/** The repository's Markdown files. */
export function documents() {
  return repositoryFiles()
    .filter(file => file.endsWith('.md'))
    .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}
