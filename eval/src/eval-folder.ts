import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '@browser-toolset/playground/dist/demo/usage-error.js';
import { z } from 'zod';
import { FAULT_HEAD, faultRows } from './report/faults.ts';
import { markdownTable, SUMMARY_HEAD, summaryRows, TASK_HEAD, taskRows } from './report/tables.ts';
import { type EvalResults, evalResults } from './results.ts';

const RESULTS = 'results.json';

/** Where evals go that were given no folder. */
export const DEFAULT_PARENT = resolve(import.meta.dirname, '../../output/eval');

/** Such as `2031-05-12T10-11-12-openai-gpt-5-mini`: the newest one comes last. */
export function newFolder(parent: string, model: string, now: Date): string {
  return join(parent, `${now.toISOString().slice(0, 19).replaceAll(':', '-')}-${slug(model)}`);
}

/** A name for a file of what may hold anything. */
export function slug(text: string): string {
  return (
    text
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 100) || 'unnamed'
  );
}

/** @throws {UsageError} when none was begun there. */
export async function newestFolder(parent: string): Promise<string> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.toSorted().toReversed()) if (await hasResults(join(parent, name))) return join(parent, name);
  throw new UsageError(`No eval was begun in ${parent} yet: there is nothing to resume.`);
}

export async function hasResults(folder: string): Promise<boolean> {
  return stat(join(folder, RESULTS)).then(
    () => true,
    () => false,
  );
}

/** @throws {UsageError} when there are none, or they are not of this version. */
export async function loadResults(folder: string): Promise<EvalResults> {
  const path = join(folder, RESULTS);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`There is no eval in ${folder} to resume: it has no ${RESULTS}.`);
  });
  try {
    return evalResults.parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof z.ZodError ? z.prettifyError(error) : error}`);
  }
}

/** Writes the results and a page to look at. Whoever reads while it writes sees the ones before. */
export async function saveResults(folder: string, results: EvalResults): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replace(join(folder, RESULTS), `${JSON.stringify(results, null, 2)}\n`);
  await replace(join(folder, 'report.md'), report(results));
}

async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** What has to be said wherever the numbers stand. */
export function caveat({ scripted, settings }: EvalResults): string | undefined {
  if (scripted)
    return 'A scripted model played: these numbers measure the harness alone, and say nothing about any model.';
  if (settings.suite === 'own') return undefined;
  return `What passed is the opinion of a model (${settings.judge ?? settings.modelName}), not a fact: look at the traces.`;
}

function report(results: EvalResults): string {
  const { settings, runs, planned, startedAt } = results;
  const said = caveat(results);
  const traces = runs.map(
    ({ task, agent, repeat, passed, error, folder }) =>
      `- ${error === undefined ? (passed ? '✓' : '✗') : '!'} [${task}, ${agent}, run ${repeat}](${encodeURI(folder)}/transcript.md)`,
  );
  return `${[
    `# ${settings.modelName} on ${settings.suite === 'own' ? 'our own tasks' : settings.suite}`,
    `Begun ${startedAt}; ${runs.length} of ${planned} runs.`,
    ...(said === undefined ? [] : [`**${said}**`]),
    markdownTable(SUMMARY_HEAD, summaryRows(results)),
    'Steps, calls, tokens and seconds are means of a run; cost is that of all runs together.',
    ...(settings.faults ? [markdownTable(FAULT_HEAD, faultRows(results))] : []),
    markdownTable(TASK_HEAD, taskRows(results)),
    '## Traces',
    traces.join('\n'),
  ].join('\n\n')}\n`;
}
