import { UsageError } from '@browser-toolset/playground/dist/demo/usage-error.js';
import { caveat } from './eval-folder.ts';
import { evaluate, TooManyErrors } from './evaluation.ts';
import { HELP, parseOptions } from './options.ts';
import { prepare } from './prepare.ts';
import { FAULT_HEAD, faultProblems, faultRows } from './report/faults.ts';
import { SUMMARY_HEAD, summaryRows, TASK_HEAD, taskRows, textTable } from './report/tables.ts';
import { TerminalProgress } from './report/terminal-progress.ts';
import type { EvalResults } from './results.ts';

// Mastra's core posts telemetry unless told not to; an eval talks to the model and the sites alone.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

/** What a shell reports for a program that Ctrl-C ended: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  const { results, tasks, model, out } = await prepare(options, process.env);
  if (options.list) {
    console.log(
      textTable(
        ['task', 'site', 'level'],
        tasks.map(({ id, site, level = '' }) => [id, site, level]),
      ),
    );
    return 0;
  }
  console.log(`${results.settings.modelName} plays ${tasks.length} tasks. Results and traces go to ${out}`);
  const said = caveat(results);
  if (said !== undefined) console.log(said);
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      // A browser that is just being started ends the process when it has gone: all is said here.
      console.error(`\nInterrupted: closing the browser. ${goOn(out)}`);
      interruption.abort(new Error('interrupted'));
    });
  const { signal } = interruption;
  const progress = new TerminalProgress(process.stderr, results.price);
  try {
    await evaluate({ results, tasks, model: model?.config, out, headed: options.headed, signal, progress });
  } catch (error) {
    if (!signal.aborted && !(error instanceof TooManyErrors)) throw error;
    if (!signal.aborted)
      console.error(`\nStopped: three runs in a row failed with an error: ${(error as Error).message} ${goOn(out)}`);
    show(results);
    console.log(`${results.runs.length} of ${results.planned} runs are there.`);
    return signal.aborted ? INTERRUPTED : 1;
  }
  show(results);
  console.log(`Traces: ${out}/report.md`);
  if (results.settings.faults) {
    const problems = faultProblems(results.runs);
    for (const problem of problems) console.error(`✗ ${problem}`);
    return problems.length > 0 ? 1 : 0;
  }
  // A script that does not pass is a fault of the harness; a model that does not is a result.
  return results.scripted && results.runs.some(({ passed }) => !passed) ? 1 : 0;
}

function goOn(out: string): string {
  return `Go on with: pnpm eval --resume --out ${out}`;
}

function show(results: EvalResults): void {
  if (results.runs.length === 0) return;
  console.log(`\n${textTable(TASK_HEAD, taskRows(results))}\n\n${textTable(SUMMARY_HEAD, summaryRows(results))}\n`);
  console.log('Steps, calls, tokens and seconds are means of a run; cost is that of all runs together.');
  if (results.settings.faults) console.log(`\n${textTable(FAULT_HEAD, faultRows(results), 1)}\n`);
  const said = caveat(results);
  if (said !== undefined) console.log(said);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
