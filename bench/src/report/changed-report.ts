import { type ChangedResult, type Moment, moments } from '../measure/changed-snapshots.ts';
import { median } from '../statistics.ts';
import type { Bar, Table } from './table.ts';

const OURS = 'ours/interactive';
const ARIA = 'playwright/aria';
const WALK = 'playwright/walk';

const NAMES: Readonly<Record<Moment, string>> = {
  node: 'a node was added',
  text: 'a text was changed',
  class: 'the body got a class',
  list: 'a list was replaced',
  load: 'first after a load',
};

/** Pages that the bars speak of. */
const isMiddling = ({ elements }: ChangedResult): boolean => elements >= 500 && elements <= 3_000;

function ratiosByMoment(results: readonly ChangedResult[], which: readonly Moment[], other: string) {
  return results.filter(isMiddling).flatMap(({ page, moments: times }) =>
    which.flatMap(moment => {
      const [a, b] = [times[moment][OURS]?.median, times[moment][other]?.median];
      return a === undefined || b === undefined ? [] : [{ page, value: a / b }];
    }),
  );
}

/** The median over pages of a look at one of the moments, in milliseconds; undefined where nobody looked. */
export function medianAfter(
  results: readonly ChangedResult[] | undefined,
  moment: Moment,
  name: string,
): number | undefined {
  const values = (results ?? []).filter(isMiddling).flatMap(({ moments: times }) => times[moment][name]?.median ?? []);
  return values.length === 0 ? undefined : median(values);
}

export function changedTables(results: readonly ChangedResult[] | undefined): Table[] {
  if (results === undefined) return [];
  const names = Object.keys(results[0]?.moments.node ?? {});
  const cell = (moment: Moment, name: string): string => medianAfter(results, moment, name)?.toFixed(1) ?? '-';
  return [
    {
      title: 'Snapshot of a page that has changed, ms (median of pages)',
      head: ['', ...names],
      rows: moments.map(moment => [NAMES[moment], ...names.map(name => cell(moment, name))]),
    },
    {
      title: 'The same by page: a node added, ms',
      head: ['page', 'elements', ...names],
      rows: results.map(({ page, elements, moments: { node } }) => [
        page,
        String(elements),
        ...names.map(name => node[name]?.median.toFixed(1) ?? '-'),
      ]),
    },
  ];
}

/** Medians and the worst page, each against the same change of the same page. */
export function judgeChanged(results: readonly ChangedResult[] | undefined): Bar[] {
  if (results === undefined) return [];
  const bar = (
    what: string,
    found: readonly { page: string; value: number }[],
    middle: number,
    most?: number,
  ): Bar[] => {
    const worst = found.toSorted((a, b) => b.value - a.value)[0];
    if (worst === undefined) return [];
    const half = median(found.map(({ value }) => value));
    const least = most === undefined ? '' : `, worst <= ${most}x`;
    return [
      {
        what,
        bar: `median <= ${middle}x${least}`,
        measured: `median ${half.toFixed(2)}x, worst ${worst.value.toFixed(2)}x (${worst.page})`,
        pass: half <= middle && (most === undefined || worst.value <= most),
      },
    ];
  };
  const small: Moment[] = ['node', 'text'];
  const large: Moment[] = ['class', 'list'];
  return [
    ...bar('Snapshot after a small change against ariaSnapshot', ratiosByMoment(results, small, ARIA), 0.25, 0.5),
    ...bar('The same against a bare DOM walk', ratiosByMoment(results, small, WALK), 1.5, 2.5),
    ...bar('After a large change against ariaSnapshot', ratiosByMoment(results, large, ARIA), 0.3),
    ...bar('First after a load against ariaSnapshot', ratiosByMoment(results, ['load'], ARIA), 0.25),
  ];
}
