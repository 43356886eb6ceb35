import { costOf, type EvalResults, type Price, type RunResult } from '../results.ts';
import { type Summary, summaries, summaryOf } from './summary.ts';

export type Row = readonly string[];

export const SUMMARY_HEAD: Row = [
  'agent',
  'passed',
  'success (95 %)',
  'steps',
  'calls',
  'tokens in',
  'out',
  'seconds',
  'cost',
];
export const TASK_HEAD: Row = ['task', 'agent', 'passed', 'steps', 'calls', 'tokens in', 'out', 'seconds', 'cost'];

export function summaryRows(results: EvalResults): Row[] {
  return summaries(results).map(each => [
    each.agent,
    `${each.passed}/${each.runs}${each.errors > 0 ? ` (${each.errors} errors)` : ''}`,
    `${percent(each.success.share)} (${percent(each.success.from)} to ${percent(each.success.to)})`,
    ...figures(each),
  ]);
}

export function taskRows({ runs, settings, price }: EvalResults): Row[] {
  return [...new Set(runs.map(({ task }) => task))].flatMap(task =>
    settings.agents.flatMap(agent => {
      const own = runs.filter(run => run.task === task && run.agent === agent);
      if (own.length === 0) return [];
      const summary = summaryOf(agent, own, price);
      const isError = summary.runs === 0;
      return [[task, agent, isError ? 'error' : `${summary.passed}/${summary.runs}`, ...figures(summary)]];
    }),
  );
}

function figures({ steps, calls, input, output, seconds, cost }: Summary): string[] {
  return [steps.toFixed(1), calls.toFixed(1), thousands(input), thousands(output), seconds.toFixed(1), money(cost)];
}

/** What came of a run, in a line. */
export function runLine(run: RunResult, prices: Price | undefined): string {
  const { passed, error, steps, calls, tokens, seconds, reason } = run;
  const mark = error === undefined ? (passed ? '✓' : '✗') : '!';
  const cost = prices === undefined ? [] : [money(costOf(tokens, prices))];
  const said = [
    `${steps} steps`,
    `${calls} calls`,
    `${thousands(tokens.input)} tokens in`,
    `${seconds.toFixed(1)} s`,
    ...cost,
  ];
  const why = error ?? (passed ? '' : reason);
  return `${mark} ${run.task}, ${run.agent}${run.repeat > 1 ? ` (${run.repeat})` : ''}: ${said.join(', ')}${why === '' ? '' : `\n    ${why}`}`;
}

/** A table for a terminal: the first columns to the left, figures to the right. */
export function textTable(head: Row, rows: readonly Row[], left = 3): string {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map(row => row[i]?.length ?? 0)));
  return all
    .map(row =>
      row.map((cell, i) => (i < left ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .map(line => line.trimEnd())
    .join('\n');
}

export function markdownTable(head: Row, rows: readonly Row[]): string {
  const line = (row: Row): string => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function thousands(tokens: number): string {
  return tokens < 1_000 ? String(Math.round(tokens)) : `${(tokens / 1_000).toFixed(1)}k`;
}

function money(cost: number | undefined): string {
  return cost === undefined ? '-' : `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
