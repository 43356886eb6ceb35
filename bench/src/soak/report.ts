import { barTable, type Table } from '../report/table.ts';
import { percentile, round } from '../statistics.ts';
import type { Loss } from './ledger.ts';
import type { SoakRun } from './run.ts';
import { growth, type Sample } from './sample.ts';

/** One promise, and what the run says of it. */
interface SoakBar {
  what: string;
  bar: string;
  measured: string;
  pass: boolean;
}

export interface SoakReport {
  seed: string;
  concurrency: number;
  sessions: number;
  actions: number;
  succeeded: number;
  /** Failures by code. */
  failures: Record<string, number>;
  faults: Record<string, number>;
  recoveries: number;
  seconds: number;
  /** Milliseconds. */
  action: { median: number; p95: number };
  usableAgain: Record<string, { median: number; max: number }>;
  bars: SoakBar[];
  lost: { sessions: Loss[]; actions: Loss[] };
  samples: Sample[];
}

/** What a session may cost for good, in KiB of the heap: a closed one keeps the numbers of its refs, a sleeping one its tabs. */
const MOST_HEAP = 100;
/** By how much the memory of the process may grow from the middle third of a run to its last. */
const MOST_RSS_GROWTH = 0.15;

export function report(run: SoakRun, { seed, concurrency }: { seed: string; concurrency: string }): SoakReport {
  const { ledger, faults, samples, seconds } = run;
  return {
    seed,
    concurrency: Number(concurrency),
    sessions: ledger.sessions,
    actions: ledger.actions,
    succeeded: ledger.successes,
    failures: Object.fromEntries([...ledger.codes].sort()),
    faults: Object.fromEntries([...faults.counts].sort()),
    recoveries: ledger.recoveries,
    seconds: round(seconds, 0),
    action: { median: percentileOf(ledger.times, 0.5), p95: percentileOf(ledger.times, 0.95) },
    usableAgain: Object.fromEntries(
      [...ledger.recoveryTimes].map(([fault, times]) => [
        fault,
        { median: percentileOf(times, 0.5), max: percentileOf(times, 1) },
      ]),
    ),
    bars: bars(run),
    lost: { sessions: ledger.lostSessions, actions: ledger.lostActions },
    samples,
  };
}

function percentileOf(times: readonly number[], part: number): number {
  return times.length === 0 ? 0 : round(percentile(times, part), 0);
}

function bars({ ledger, leakedProcesses, leakedFiles, samples }: SoakRun): SoakBar[] {
  // The last sample is of the time when everything is closed.
  const during = samples.slice(0, -1);
  const middle = during[Math.floor(during.length / 2)];
  const counted = Math.max(1, Math.round(ledger.sessions / 3));
  const heap = round((growth(during, ({ heap }) => heap) * 1024) / counted, 1);
  const rss = middle === undefined ? 0 : growth(during, ({ rss }) => rss) / middle.rss;
  const files = growth(during, sample => sample.files);
  const none = (what: string, found: readonly unknown[]): SoakBar => ({
    what,
    bar: '0',
    measured: String(found.length),
    pass: found.length === 0,
  });
  return [
    none('Sessions that were not usable again', ledger.lostSessions),
    none('Actions lost', ledger.lostActions),
    none('Processes left over', leakedProcesses),
    none('Temporary files left over', leakedFiles),
    { what: 'Heap a session keeps', bar: `≤ ${MOST_HEAP} KiB`, measured: `${heap} KiB`, pass: heap <= MOST_HEAP },
    {
      what: 'Growth of the process, last third against middle',
      bar: `≤ ${MOST_RSS_GROWTH * 100} %`,
      measured: `${round(rss * 100, 1)} %`,
      pass: rss <= MOST_RSS_GROWTH,
    },
    { what: 'Growth of open files', bar: '≤ 20', measured: String(files), pass: files <= 20 },
  ];
}

export function soakTables(result: SoakReport): Table[] {
  const counted = (title: string, head: string, counts: Record<string, number>): Table => ({
    title,
    head: [head, 'count'],
    rows: Object.entries(counts).map(([name, count]) => [name, String(count)]),
  });
  return [
    {
      title: 'Faults, and milliseconds until the session was usable again',
      head: ['fault', 'count', 'median', 'longest'],
      rows: Object.entries(result.faults).map(([fault, count]) => {
        const { median = 0, max = 0 } = result.usableAgain[fault] ?? {};
        return [fault, count, median, max].map(String);
      }),
    },
    counted('Honest failures', 'code', result.failures),
    barTable(result.bars),
  ];
}
