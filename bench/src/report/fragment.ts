import { type Bar, judge } from './bars.ts';
import { toMarkdown } from './print.ts';
import type { BenchResults } from './results.ts';
import { peerTables, type Table } from './tables.ts';

const start = '<!-- bench:start -->';
const end = '<!-- bench:end -->';

/** What a README shows of a run: the bars, ourselves beside the peers, and what it was measured on. */
export function resultsFragment(results: BenchResults): string {
  const { date, machine, versions, rounds } = results;
  const on = `Run of ${date.slice(0, 10)}, ${rounds} interleaved rounds, medians; ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.platform}.`;
  const of = `Versions: ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}.`;
  return [on, of, ...[barTable(judge(results)), ...peerTables(results)].map(toMarkdown)].join('\n\n');
}

export function replaceBetweenMarkers(document: string, fragment: string): string {
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The file needs the markers ${start} and ${end}, in this order.`);
  return `${document.slice(0, from + start.length)}\n${fragment}\n${document.slice(to)}`;
}

function barTable(bars: readonly Bar[]): Table {
  const rows = bars.map(({ what, bar, measured, pass }) => [
    what,
    bar,
    measured,
    pass === undefined ? 'not known' : pass ? 'yes' : 'no',
  ]);
  return { title: 'Bars', head: ['what', 'bar', 'measured', 'reached'], rows };
}
