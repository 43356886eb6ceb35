import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { deadLinks } from './docs/links.mjs';

// No relative link of a document of the repository leads nowhere, and no heading that it names is missing.
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter(file => file !== '' && !file.startsWith('.changeset/'));
const dead = files.flatMap(file => deadLinks(root, file, readFileSync(join(root, file), 'utf8')));
console.log(dead.length === 0 ? `The links of ${files.length} documents lead somewhere.` : dead.join('\n'));
process.exitCode = dead.length === 0 ? 0 : 1;
