import type { PromptResults } from '../measure/prompt.ts';
import { STEPS } from '../prompt/runs.ts';
import type { Bar, Table } from './table.ts';

const MOST_OF_WHOLE = 1 / 3;

/** The bar holds for each run, for its last prompt and for all of them together. */
export function judgePrompt(results: PromptResults = {}): Bar[] {
  return Object.entries(results).flatMap(([run, { whole, batches }]) => {
    if (whole === undefined || batches === undefined) return [];
    const [last, sum] = [batches.last / whole.last, batches.sum / whole.sum];
    return [
      {
        what: `Prompt of ${STEPS} steps against one that keeps all results, ${run}`,
        bar: `<= ${MOST_OF_WHOLE.toFixed(2)}x`,
        measured: `last ${last.toFixed(2)}x, sum ${sum.toFixed(2)}x`,
        pass: last <= MOST_OF_WHOLE && sum <= MOST_OF_WHOLE,
      },
    ];
  });
}

export function promptTables(results: PromptResults = {}): Table[] {
  const rows = Object.entries(results).flatMap(([run, manners]) =>
    Object.entries(manners).map(([manner, { last, sum, cached, charged }]) => [
      `${run}, ${manner}`,
      String(last),
      String(sum),
      `${(cached * 100).toFixed(0)} %`,
      String(charged),
    ]),
  );
  if (rows.length === 0) return [];
  const head = ['', 'last prompt', 'sum', 'same beginning as before', 'charged, cached at a tenth'];
  return [{ title: `Prompts of ${STEPS} steps, tokens (o200k_base)`, head, rows }];
}
