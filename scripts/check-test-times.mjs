import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap/layout.mjs';
import { goneIn, slowIn, slownessOf, slowTwice, suiteOf } from './testing/ratchet.mjs';
import { readReport } from './testing/report.mjs';
import { runTests } from './testing/run.mjs';
import { slowTests } from './testing/slow-tests.mjs';
import { timesOf } from './testing/times.mjs';

/**
 * Holds the last whole `npm test` against the limits. What was over them is measured a second time, without other files beside
 * it and as it is now: what is not slow any more, or was so by chance, does not fail.
 */
async function checkTestTimes() {
  const report = await readReport(join(root, 'output/vitest.json'));
  // A run that was broken off tells of the files it came to, and Vitest by itself gives no reason.
  const isWhole = report?.reason === 'passed' || report?.reason === 'failed';
  const files = isWhole ? timesOf(report, root) : [];
  const { startTime = 0 } = report ?? {};
  const gone = goneIn(
    slowTests,
    exists,
    files.filter(({ file }) => exists(file) && changedAt(file) < startTime),
  );
  for (const entry of gone) console.error(`✗ scripts/testing/slow-tests.mjs names what is not there: ${entry}`);
  if (!isWhole) console.log('No report of a whole `npm test` is here: no times are looked at.');
  const slow = isWhole ? await slowFiles(files) : [];
  for (const { file, test = 'the whole file', seconds, limit } of slow)
    console.error(`✗ ${file}: ${test} takes ${seconds.toFixed(1)} s of ${limit.toFixed(1)}`);
  if (slow.length > 0)
    console.error('Make them faster, split the files, or name them with a reason in scripts/testing/slow-tests.mjs.');
  return gone.length + slow.length === 0;
}

/** @param {import('./testing/times.mjs').FileTime[]} files */
async function slowFiles(files) {
  const suite = suiteOf(files);
  const slowness = slownessOf(suite, slowTests.record);
  console.log(
    `Workers of the last whole \`npm test\` spent ${suite.workerSeconds.toFixed(0)} s on ${suite.files} files: limits are ${slowness.toFixed(2)} times those of the machine of record.`,
  );
  const slow = slowIn(files, slowTests, slowness).filter(({ file }) => exists(file));
  if (slow.length === 0) return [];
  const args = [...new Set(slow.map(({ file }) => file)), '--maxWorkers=1'];
  console.log(`Slow that time, measured again: ${args.slice(0, -1).join(', ')}`);
  await runTests({ output: 'output/slow', args });
  const again = await readReport(join(root, 'output/slow/vitest.json'));
  return slowTwice(slow, again === undefined ? [] : timesOf(again, root));
}

/** @param {string} file */
function exists(file) {
  return existsSync(join(root, file));
}

/** @param {string} file */
function changedAt(file) {
  return statSync(join(root, file)).mtimeMs;
}

process.exitCode = (await checkTestTimes()) ? 0 : 1;
