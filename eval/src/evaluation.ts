import type { MastraModelConfig } from '@mastra/core/llm';
import { saveResults, slug } from './eval-folder.ts';
import { playRun } from './play/play-run.ts';
import { type AgentName, faultyModelFor, scriptedModelFor } from './play/players.ts';
import type { EvalResults, RunResult } from './results.ts';
import type { EvalTask, TracedStep } from './suite/task.ts';

export interface Evaluation {
  /** With the runs that there are already; each run that ends is added, and all is saved. */
  results: EvalResults;
  tasks: readonly EvalTask[];
  /** Undefined: a script plays. */
  model: MastraModelConfig | undefined;
  out: string;
  headed: boolean;
  signal: AbortSignal;
  progress: Progress;
}

export interface Progress {
  begun(run: PlannedRun, place: { number: number; of: number }): void;
  stepped(run: PlannedRun, step: TracedStep): void;
  ended(run: RunResult): void;
}

export interface PlannedRun {
  task: EvalTask;
  agent: AgentName;
  repeat: number;
}

/** Runs after which an eval stops that all had an error: nothing will be better without a person. */
const MOST_ERRORS = 3;

/** Runs in a row failed for reasons that are not the agent's. */
export class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors';
}

/** Both agents play a task one after the other, so that whatever changes with the time of day meets both. */
function plan(tasks: readonly EvalTask[], agents: readonly AgentName[], repeats: number): PlannedRun[] {
  return Array.from({ length: repeats }, (_, i) => i + 1).flatMap(repeat =>
    tasks.flatMap(task => agents.map(agent => ({ task, agent, repeat }))),
  );
}

/**
 * Plays what is left to play, and saves after each run.
 *
 * @throws {TooManyErrors}, and what the signal was aborted with.
 */
export async function evaluate(evaluation: Evaluation): Promise<void> {
  const { results, tasks, out, progress, signal } = evaluation;
  const { agents, repeat } = results.settings;
  const planned = plan(tasks, agents, repeat);
  results.planned = planned.length;
  // What had an error is no result, and is played again.
  results.runs = results.runs.filter(({ error }) => error === undefined);
  await saveResults(out, results);
  const isPlayed = ({ task, agent, repeat: n }: PlannedRun): boolean =>
    results.runs.some(run => run.task === task.id && run.agent === agent && run.repeat === n);
  const left = planned.filter(run => !isPlayed(run));
  let errors = 0;
  for (const run of left) {
    signal.throwIfAborted();
    progress.begun(run, { number: planned.indexOf(run) + 1, of: planned.length });
    const result = await playOrExcuse(run, evaluation);
    results.runs.push(result);
    await saveResults(out, results);
    progress.ended(result);
    errors = result.error === undefined ? 0 : errors + 1;
    if (errors === MOST_ERRORS) throw new TooManyErrors(result.error);
  }
}

/** What the harness itself fails at is a run with an error, so that the others are played. */
async function playOrExcuse(run: PlannedRun, evaluation: Evaluation): Promise<RunResult> {
  const { task, agent, repeat } = run;
  const { results, model, out, headed, signal, progress } = evaluation;
  const { maxSteps, seconds, faults } = results.settings;
  const folder = `runs/${slug(task.id)}/${agent}-${repeat}`;
  try {
    const faulty = faults ? faultyModelFor(task, repeat) : undefined;
    return await playRun({
      task,
      agent,
      repeat,
      model: faulty?.model ?? model ?? scriptedModelFor(agent, task),
      ...(faulty && { faulty }),
      maxSteps,
      seconds,
      headed,
      out,
      folder,
      signal,
      onStep: step => progress.stepped(run, step),
    });
  } catch (error) {
    signal.throwIfAborted();
    return failedRun(run, { folder, error: error instanceof Error ? error.message : String(error) });
  }
}

function failedRun(
  { task, agent, repeat }: PlannedRun,
  { folder, error }: { folder: string; error: string },
): RunResult {
  const nothing = { steps: 0, calls: 0, failedCalls: 0, seconds: 0, tokens: { input: 0, output: 0, cached: 0 } };
  return {
    task: task.id,
    site: task.site,
    agent,
    repeat,
    passed: false,
    by: 'server',
    reason: '',
    answer: '',
    ended: 'failures',
    error,
    folder,
    ...nothing,
  };
}
