import type { EvalResults, RunResult } from '../results.ts';
import type { Row } from './tables.ts';

/** Share of the tasks that has to pass with a model that errs: without faults all of them do. */
const MOST_LOST = 0.05;

export const FAULT_HEAD: Row = ['faults', 'number'];

/** How often the model erred, and what came of it. */
export function faultRows({ runs }: EvalResults): Row[] {
  const found = runs.flatMap(({ faults }) => faults ?? []);
  const kinds = [...new Set(found.flatMap(({ counts }) => Object.keys(counts)))].toSorted();
  const sum = (of: (one: (typeof found)[number]) => number): string =>
    String(found.reduce((total, one) => total + of(one), 0));
  return [
    ...kinds.map(kind => [kind, sum(({ counts }) => counts[kind] ?? 0)]),
    ['steps lost', sum(({ lostSteps }) => lostSteps)],
    ['actions that were not meant', sum(({ wrong }) => wrong.length)],
    ['false successes', sum(({ falseSuccess }) => Number(falseSuccess))],
    ['passed', `${runs.filter(({ passed }) => passed).length}/${runs.length}`],
  ];
}

/** What must not be, in words: nothing where faults did no harm. */
export function faultProblems(runs: readonly RunResult[]): string[] {
  const harm = runs.flatMap(({ task, faults }) => [
    ...(faults?.falseSuccess ? [`${task}: says that it is done, and is not`] : []),
    ...(faults?.wrong ?? []).map(wrong => `${task}: ${wrong}`),
  ]);
  const failed = runs.filter(({ passed }) => !passed);
  const isTooMany = failed.length > runs.length * MOST_LOST;
  return [
    ...harm,
    ...(isTooMany
      ? [`${failed.length} of ${runs.length} did not pass: ${failed.map(({ task }) => task).join(', ')}`]
      : []),
  ];
}
