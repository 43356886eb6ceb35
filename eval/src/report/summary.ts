import { costOf, type EvalResults, type Price, type RunResult } from '../results.ts';

/** An agent's runs in figures. Means are of runs that are results: a failing model says nothing about an agent. */
export interface Summary {
  agent: string;
  runs: number;
  passed: number;
  errors: number;
  /** Share of the runs that passed, and the range in which the true one lies with 95 %. */
  success: { share: number; from: number; to: number };
  /** Means of a run. */
  steps: number;
  calls: number;
  input: number;
  output: number;
  seconds: number;
  /** Of all runs together. */
  cost?: number;
}

export function summaries({ settings, runs, price }: EvalResults): Summary[] {
  return settings.agents.map(agent =>
    summaryOf(
      agent,
      runs.filter(run => run.agent === agent),
      price,
    ),
  );
}

export function summaryOf(agent: string, all: readonly RunResult[], price?: Price): Summary {
  const runs = all.filter(({ error }) => error === undefined);
  const passed = runs.filter(run => run.passed).length;
  const mean = (of: (run: RunResult) => number): number =>
    runs.length === 0 ? 0 : runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  return {
    agent,
    runs: runs.length,
    passed,
    errors: all.length - runs.length,
    success: { share: runs.length === 0 ? 0 : passed / runs.length, ...wilson(passed, runs.length) },
    steps: mean(({ steps }) => steps),
    calls: mean(({ calls }) => calls),
    input: mean(({ tokens }) => tokens.input),
    output: mean(({ tokens }) => tokens.output),
    seconds: mean(({ seconds }) => seconds),
    ...(price && { cost: all.reduce((sum, { tokens }) => sum + costOf(tokens, price), 0) }),
  };
}

/** Wilson's interval of a share, at 95 %. */
export function wilson(passed: number, runs: number): { from: number; to: number } {
  if (runs === 0) return { from: 0, to: 1 };
  const z = 1.96;
  const share = passed / runs;
  const width = 1 + z ** 2 / runs;
  const middle = (share + z ** 2 / (2 * runs)) / width;
  const half = (z * Math.sqrt((share * (1 - share)) / runs + z ** 2 / (4 * runs ** 2))) / width;
  return { from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}
