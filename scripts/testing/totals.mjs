import { fileURLToPath } from 'node:url';
import { root } from '../bootstrap/layout.mjs';
import { pathIn, readReport } from './report.mjs';

/** What a trial failed with: fast-check and trials.ts name it so. */
const SEED = /\bseed\b/i;

/**
 * Counts the tests of a run. A file that failed without one failed test, since it did not even load, counts as a failure.
 * @param {import('./report.mjs').Report} report
 */
export function totalsOf({ testResults }) {
  const tests = testResults.flatMap(file => file.assertionResults);
  const failures = testResults.flatMap(failuresIn);
  return { passed: tests.filter(test => test.status === 'passed').length, failed: failures.length, failures };
}

/**
 * What failed, and last how many tests did.
 * @param {import('./report.mjs').Report} report
 */
export function printedTotals(report) {
  const { passed, failed, failures } = totalsOf(report);
  return [...failures.map(failure => `✗ ${failure}`), `${passed} passed, ${failed} failed`].join('\n');
}

/**
 * One line a failure: file, test, what the reason says first, and the seed it names.
 * @param {import('./report.mjs').FileResult} file
 */
function failuresIn(file) {
  const where = file.name === undefined ? '' : `${pathIn(root, file.name)}: `;
  const failed = file.assertionResults.filter(test => test.status === 'failed');
  const lines = failed.map(test => `${where}${test.fullName}: ${reasonIn(test.failureMessages?.[0])}`);
  return file.status === 'failed' && failed.length === 0 ? [`${where}${reasonIn(file.message)}`] : lines;
}

/** @param {string | undefined} text */
function reasonIn(text = '') {
  const [first = '', ...rest] = text.split('\n');
  const seed = SEED.test(first) ? undefined : rest.find(line => SEED.test(line))?.trim();
  return [first, ...(seed === undefined ? [] : [seed])].map(line => line.slice(0, 300)).join(' … ');
}

/** @param {string} file */
async function printTotals(file) {
  const report = await readReport(file);
  if (report === undefined) throw new Error(`there is no ${file}`);
  const { passed, failed } = totalsOf(report);
  if (passed + failed === 0) console.error('No test ran.');
  console.log(printedTotals(report));
  process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await printTotals(process.argv[2] ?? '').catch(error => {
    console.error(`Vitest left no report that can be read: ${error.message}`);
    console.log('0 passed, 0 failed');
    process.exitCode = 1;
  });
}
