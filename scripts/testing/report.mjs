import { relative, sep } from 'node:path';
import { readIfThere } from '../bootstrap/stamp.mjs';

/**
 * Vitest's JSON report, as far as it is read here, with what times-reporter.mjs adds: `loading`, `duration`, `endTime` of the
 * run and its `reason`. Times are milliseconds.
 * @typedef {{ fullName?: string, status: string, duration?: number | null, failureMessages?: string[] | null }} TestResult
 * @typedef {{ name?: string, status: string, message?: string, loading?: number, duration?: number, assertionResults: TestResult[] }} FileResult
 * @typedef {{ startTime?: number, endTime?: number, reason?: string, testResults: FileResult[] }} Report
 */

/**
 * @param {string} path
 * @returns {Promise<Report | undefined>} nothing where no run has left one
 */
export async function readReport(path) {
  const text = await readIfThere(path);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * @param {string} root
 * @param {string} file
 */
export function pathIn(root, file) {
  return relative(root, file).split(sep).join('/');
}
