import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ fullName?: string, status: string, failureMessages?: string[] }} TestResult
 * @typedef {{ name?: string, status: string, message?: string, startTime?: number, endTime?: number, assertionResults: TestResult[] }} FileResult Times are milliseconds.
 * @typedef {{ testResults: FileResult[] }} Report Vitest's JSON report, as far as it is read here.
 */

const SLOWEST = 10;

/**
 * Counts the tests of a run. A file that failed without one failed test, since it did not even load, counts as a failure.
 * @param {Report} report
 */
export function totalsOf({ testResults }) {
  const tests = testResults.flatMap(file => file.assertionResults);
  const failures = testResults.flatMap(failuresIn);
  return { passed: tests.filter(test => test.status === 'passed').length, failed: failures.length, failures };
}

/**
 * The files that took longest, with their seconds.
 * @param {Report} report
 */
export function slowestFiles({ testResults }) {
  return testResults
    .map(({ name = '', startTime = 0, endTime = 0 }) => ({ name, seconds: Math.round((endTime - startTime) / 1000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
}

/**
 * One line a failure: file, test, first line of the reason.
 * @param {FileResult} file
 */
function failuresIn(file) {
  const where = file.name === undefined ? '' : `${relative(process.cwd(), file.name)}: `;
  const failed = file.assertionResults.filter(test => test.status === 'failed');
  const lines = failed.map(test => `${where}${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
  return file.status === 'failed' && failed.length === 0 ? [`${where}${firstLine(file.message)}`] : lines;
}

/** @param {string | undefined} text */
function firstLine(text = '') {
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}

/** @param {string} file */
async function printTotals(file) {
  const report = /** @type {Report} */ (JSON.parse(await readFile(file, 'utf8')));
  const { passed, failed, failures } = totalsOf(report);
  console.log('Slowest test files:');
  for (const { name, seconds } of slowestFiles(report)) console.log(`  ${seconds} s ${relative(process.cwd(), name)}`);
  for (const failure of failures) console.log(`✗ ${failure}`);
  if (passed + failed === 0) console.error('No test ran.');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await printTotals(process.argv[2] ?? '').catch(error => {
    console.error(`Vitest left no report that can be read: ${error.message}`);
    console.log('0 passed, 0 failed');
    process.exitCode = 1;
  });
}
