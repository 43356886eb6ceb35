// Prints how many lines the toolset's source has, and fails where they are more than its budget.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { repositoryFiles } from './docs/documents.mjs';
import { TAKEN_IN } from './packaging/taken-in.mjs';

/** The toolset, and the packages that it takes in. */
const FOLDERS = ['integrations/agent-browser', ...TAKEN_IN.map(name => `packages/${name}`)];
const FILES = repositoryFiles();
/** Lines of all of them, and of the largest. What comes is paid for by what is simplified. */
const BUDGET = 44_313;
const LARGEST_BUDGET = 26_000;

const sizes = FOLDERS.map(folder => ({ folder, lines: linesIn(`${folder}/src`) }));
const total = sizes.reduce((sum, { lines }) => sum + lines, 0);
const largest = Math.max(...sizes.map(({ lines }) => lines));
for (const { folder, lines } of sizes) console.log(`${lines.toLocaleString('en')} lines in ${folder}/src`);
console.log(`${total.toLocaleString('en')} in all, of ${BUDGET.toLocaleString('en')}`);
if (total > BUDGET || largest > LARGEST_BUDGET) {
  console.error(
    `The toolset's source may have ${BUDGET} lines, and its largest package ${LARGEST_BUDGET}: simplify what is there.`,
  );
  process.exitCode = 1;
}

/** @param {string} folder */
function linesIn(folder) {
  const sources = FILES.filter(file => file.startsWith(`${folder}/`) && file.endsWith('.ts'));
  return sources.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
}
