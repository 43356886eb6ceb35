import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { documents } from './docs/documents.mjs';
import { deadLinks } from './docs/links.mjs';

// No relative link of a document of the repository leads nowhere, and no heading that it names is missing. The table of
// contents, from which the site makes its own, has every page.
const linking = documents().filter(({ file }) => !file.startsWith('.changeset/'));
const dead = linking.flatMap(({ file, text }) => deadLinks(root, file, text));
const contents = readFileSync(join(root, 'docs/README.md'), 'utf8');
const pages = linking.map(({ file }) => file).filter(file => file.startsWith('docs/') && file !== 'docs/README.md');
const unlisted = pages.filter(file => !contents.includes(`(${file.slice('docs/'.length)})`));
dead.push(...unlisted.map(file => `docs/README.md: ${file} is not listed`));
console.log(dead.length === 0 ? `The links of ${linking.length} documents lead somewhere.` : dead.join('\n'));
process.exitCode = dead.length === 0 ? 0 : 1;
