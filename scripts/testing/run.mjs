import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binScript } from '../bootstrap/executables.mjs';
import { root } from '../bootstrap/layout.mjs';
import { foreground } from '../bootstrap/processes.mjs';
import { withOwnTemporary } from './own-temporary.mjs';
import { readReport } from './report.mjs';
import { printedTimes, timesOf } from './times.mjs';
import { printedTotals } from './totals.mjs';

const REPORTER = join(root, 'scripts/testing/times-reporter.mjs');

/**
 * Runs tests, prints where their time went and what failed, and leaves both in a folder: `vitest.json`, `test-times.md`.
 * Tests that leave processes fail it.
 * @param {{ output: string, args: string[], env?: Record<string, string> }} run `args` are Vitest's
 * @returns {Promise<number>} Vitest's exit code, or 1 where processes are left
 */
export async function runTests({ output, args, env = {} }) {
  const folder = join(root, output);
  const file = join(folder, 'vitest.json');
  await mkdir(folder, { recursive: true });
  // What is there afterwards is of this run.
  await rm(file, { force: true });
  // The command alone says which files run and how long trials are.
  delete process.env.TEST_OUTSIDE;
  delete process.env.TEST_DOCKER;
  delete process.env.TRIALS;
  Object.assign(process.env, env);
  const vitest = [await binScript(join(root, 'node_modules/vitest')), 'run', '--config', 'vitest.workspace.ts'];
  const shown = args.some(argument => argument.startsWith('--reporter')) ? [] : ['--reporter=default'];
  const reports = [...shown, `--reporter=${REPORTER}`, `--outputFile.json=${file}`];
  const command = { file: process.execPath, args: [...vitest, ...reports, ...args] };
  const { value: code, left } = await withOwnTemporary(() => foreground(command));
  await tell(file, join(folder, 'test-times.md'));
  for (const what of left) console.error(`✗ left over by the tests: ${what}`);
  return code === 0 && left.length > 0 ? 1 : code;
}

/** @param {string} file @param {string} timesFile */
async function tell(file, timesFile) {
  const report = await readReport(file);
  if (report === undefined) return;
  const { startTime = 0, endTime = 0 } = report;
  const times = printedTimes(timesOf(report, root), endTime - startTime);
  await writeFile(timesFile, times);
  console.log(`\n${times}\n${printedTotals(report)}`);
}
