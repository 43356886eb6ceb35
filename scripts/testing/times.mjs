import { dirname } from 'node:path/posix';
import { pathIn } from './report.mjs';

/**
 * What a test file took, in seconds: its tests with all hooks, and what came before them.
 * @typedef {{ name: string, passed: boolean, seconds: number }} TestTime
 * @typedef {{ file: string, passed: boolean, seconds: number, loading: number, tests: TestTime[] }} FileTime
 */

const SLOWEST = 20;

/**
 * @param {import('./report.mjs').Report} report
 * @param {string} root
 * @returns {FileTime[]}
 */
export function timesOf({ testResults }, root) {
  return testResults.map(({ name = '', status, duration = 0, loading = 0, assertionResults }) => ({
    file: pathIn(root, name),
    passed: status === 'passed',
    seconds: duration / 1000,
    loading: loading / 1000,
    tests: assertionResults.map(test => ({
      name: test.fullName ?? '',
      passed: test.status === 'passed',
      seconds: (test.duration ?? 0) / 1000,
    })),
  }));
}

/** @param {FileTime[]} files */
export function slowestFiles(files) {
  return files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
}

/**
 * The sums of each folder, the one with most first.
 * @param {FileTime[]} files
 */
export function byFolder(files) {
  return [...Map.groupBy(files, ({ file }) => dirname(file))]
    .map(([folder, inside]) => ({ folder, files: inside.length, ...sumOf(inside) }))
    .sort((a, b) => b.seconds + b.loading - a.seconds - a.loading);
}

/** @param {FileTime[]} files */
function sumOf(files) {
  return {
    seconds: files.reduce((sum, { seconds }) => sum + seconds, 0),
    loading: files.reduce((sum, { loading }) => sum + loading, 0),
  };
}

/**
 * Readable at a terminal and as Markdown.
 * @param {FileTime[]} files
 * @param {number} milliseconds what a clock on the wall says
 */
export function printedTimes(files, milliseconds) {
  const whole = sumOf(files);
  const slowest = slowestFiles(files).map(({ file, seconds, loading }) => [
    file,
    seconds.toFixed(1),
    loading.toFixed(1),
  ]);
  const folders = byFolder(files).map(({ folder, files, seconds, loading }) => [
    folder,
    String(files),
    minutes(seconds),
    minutes(loading),
  ]);
  return `${files.length} test files took ${minutes(milliseconds / 1000)} minutes. Their workers spent ${minutes(whole.seconds)} minutes on tests and hooks, ${minutes(whole.loading)} on loading files.

${table(['Slowest files', 'tests, s', 'loading, s'], slowest)}

${table(['Folder', 'files', 'tests, min', 'loading, min'], folders)}
`;
}

/** @param {number} seconds */
function minutes(seconds) {
  return (seconds / 60).toFixed(2);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map(row => row[at]?.length ?? 0)));
  const line = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  /** @param {string[]} cells */
  const lineOf = cells => `| ${cells.map((cell, at) => pad(cell, widths[at] ?? 0, at)).join(' | ')} |`;
  return [head, line, ...rows].map(lineOf).join('\n');
}

/** @param {string} cell @param {number} width @param {number} at numbers follow the first column */
function pad(cell, width, at) {
  return at === 0 ? cell.padEnd(width) : cell.padStart(width);
}
