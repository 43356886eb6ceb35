import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ fullName?: string, status: string, failureMessages?: string[] }} TestResult
 * @typedef {{ name?: string, status: string, message?: string, assertionResults: TestResult[] }} FileResult
 * @typedef {{ testResults: FileResult[] }} Report Vitest's JSON report, as far as it is read here.
 */

/** Where a wrong element may have been acted on, one failure in many runs is a failure. */
const NO_SECOND_ATTEMPT = /[\\/]test[\\/](refs|policy)[\\/]/;

/**
 * Counts the tests of a run. A file that failed without one failed test, since it did not even load, counts as a failure.
 * @param {Report} report
 * @param {Report} [second] Of the files that failed, run once more: it decides about them.
 */
export function totalsOf(report, second) {
  const again = new Map(second?.testResults.map(file => [file.name, file]));
  const files = report.testResults.map(file => again.get(file.name) ?? file);
  const tests = files.flatMap(file => file.assertionResults);
  const failures = files.flatMap(failuresIn);
  const unsteady = report.testResults.filter(file => again.get(file.name)?.status === 'passed').flatMap(failuresIn);
  return { passed: tests.filter(test => test.status === 'passed').length, failed: failures.length, failures, unsteady };
}

/**
 * Files with failures that may be run once more: a browser on a busy machine can miss a time limit.
 * @param {Report} report
 */
export function filesToRepeat({ testResults }) {
  return testResults.flatMap(({ name, status }) =>
    status === 'failed' && name !== undefined && !NO_SECOND_ATTEMPT.test(name) ? [name] : [],
  );
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

/** @param {string} file @returns {Promise<Report>} */
const read = async file => JSON.parse(await readFile(file, 'utf8'));

/** @param {string} file @param {string} [secondFile] */
async function printTotals(file, secondFile) {
  const second = secondFile && (await read(secondFile).catch(() => undefined));
  const { passed, failed, failures, unsteady } = totalsOf(await read(file), second || undefined);
  for (const failure of failures) console.log(`✗ ${failure}`);
  for (const failure of unsteady) console.log(`! passed at the second attempt only: ${failure}`);
  if (passed + failed === 0) console.error('No test ran.');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
}

/** @param {string} file */
async function printFilesToRepeat(file) {
  for (const name of filesToRepeat(await read(file))) console.log(relative(process.cwd(), name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file = '', second] = process.argv.slice(2);
  await (second === '--repeat' ? printFilesToRepeat(file) : printTotals(file, second)).catch(error => {
    console.error(`Vitest left no report that can be read: ${error.message}`);
    if (second !== '--repeat') console.log('0 passed, 0 failed');
    process.exitCode = 1;
  });
}
