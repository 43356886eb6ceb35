import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * Counts the tests of a Vitest JSON report. A file that failed without one failed test, since it did not even load, counts as a failure.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 */
export function totalsOf({ testResults }) {
  const tests = testResults.flatMap(file => file.assertionResults);
  const failedTests = tests.filter(test => test.status === 'failed').length;
  const brokenFiles = testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  ).length;
  return { passed: tests.filter(test => test.status === 'passed').length, failed: failedTests + brokenFiles };
}

/** @param {string} file */
async function printTotals(file) {
  const report = JSON.parse(await readFile(file, 'utf8'));
  const { passed, failed } = totalsOf(report);
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
