import { sumOf } from './times.mjs';

/**
 * @typedef {{ workerSeconds: number, files: number }} Suite how long all files took together, loading included
 * @typedef {{ record: Suite, files: Record<string, string>, tests: Record<string, Record<string, string>> }} SlowTests
 * @typedef {{ file: string, test?: string, seconds: number, limit: number }} Slow
 */

/** Seconds on the machine of record. Loading does not count: it is paid by whichever file comes first in a worker. */
const FILE_LIMIT = 30;
const TEST_LIMIT = 5;

/** @param {import('./times.mjs').FileTime[]} files @returns {Suite} */
export function suiteOf(files) {
  const { seconds, loading } = sumOf(files);
  return { workerSeconds: seconds + loading, files: files.length };
}

/**
 * How much slower the machine of a run was than that of the record, never below 1: the limits grow with it. Seconds a file
 * are compared, for a suite with more files is no slower machine.
 * @param {Suite} suite
 * @param {Suite} record
 */
export function slownessOf(suite, record) {
  if (suite.files === 0) return 1;
  return Math.max(1, suite.workerSeconds / suite.files / (record.workerSeconds / record.files));
}

/**
 * The files and tests over their limit that do not stand in the list. One that failed has no time worth a look: it may have
 * waited for what never came, and it fails the run as it is.
 * @param {import('./times.mjs').FileTime[]} files
 * @param {SlowTests} list
 * @param {number} slowness
 * @returns {Slow[]}
 */
export function slowIn(files, list, slowness) {
  return files.flatMap(({ file, passed, seconds, tests }) => {
    const ofFile = passed && !(file in list.files) ? [{ file, seconds, limit: FILE_LIMIT * slowness }] : [];
    const ofTests = tests
      .filter(test => test.passed && list.tests[file]?.[test.name] === undefined)
      .map(test => ({ file, test: test.name, seconds: test.seconds, limit: TEST_LIMIT * slowness }));
    return [...ofFile, ...ofTests].filter(each => each.seconds > each.limit);
  });
}

/**
 * What was slow both times: a pause of the machine hits one run. Something that the second run does not tell of stays slow.
 * @param {Slow[]} slow
 * @param {import('./times.mjs').FileTime[]} again
 * @returns {Slow[]}
 */
export function slowTwice(slow, again) {
  return slow
    .map(each => ({ ...each, seconds: Math.min(each.seconds, secondsOf(each, again) ?? Number.POSITIVE_INFINITY) }))
    .filter(({ seconds, limit }) => seconds > limit);
}

/** @param {Slow} slow @param {import('./times.mjs').FileTime[]} files */
function secondsOf({ file, test }, files) {
  const found = files.find(each => each.file === file);
  const measured = test === undefined ? found : found?.tests.find(({ name }) => name === test);
  return measured?.passed ? measured.seconds : undefined;
}

/**
 * The entries of the list that name nothing.
 * @param {SlowTests} list
 * @param {(file: string) => boolean} exists
 * @param {import('./times.mjs').FileTime[]} files that are now as they were when they ran
 */
export function goneIn(list, exists, files) {
  const named = new Set([...Object.keys(list.files), ...Object.keys(list.tests)]);
  const gone = [...named].filter(file => !exists(file));
  const tests = files.flatMap(({ file, tests }) => {
    const names = new Set(tests.map(({ name }) => name));
    return Object.keys(list.tests[file] ?? {})
      .filter(name => !names.has(name))
      .map(name => `${file}: ${name}`);
  });
  return [...gone, ...tests];
}
