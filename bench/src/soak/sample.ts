import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { descendantsPss } from '../measure/process-tree.ts';
import { median, round } from '../statistics.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What the run costs at one moment. */
export interface Sample {
  /** Sessions that were done by then. */
  sessions: number;
  seconds: number;
  /** Of the Node process, in MiB. */
  rss: number;
  heap: number;
  /** Of all processes below it, in MiB (proportional set size). */
  chromium: number;
  processes: number;
  /** Open files of the Node process, and what keeps its event loop alive. */
  files: number;
  handles: number;
}

export async function takeSample(sessions: number, began: number): Promise<Sample> {
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  const { mebibytes, processes } = await descendantsPss();
  return {
    sessions,
    seconds: round((performance.now() - began) / 1000, 0),
    rss: round(rss / 2 ** 20, 1),
    heap: round(heapUsed / 2 ** 20, 1),
    chromium: round(mebibytes, 0),
    processes,
    files: readdirSync('/proc/self/fd').length,
    handles: process.getActiveResourcesInfo().length,
  };
}

/**
 * By how much a value has grown: the median of the last third of all samples against that of the middle third. The first
 * third is left out: code and caches are loaded then.
 */
export function growth(samples: readonly Sample[], value: (sample: Sample) => number): number {
  if (samples.length < 3) return 0;
  const third = Math.floor(samples.length / 3);
  const middle = samples.slice(third, samples.length - third);
  return median(samples.slice(-third).map(value)) - median(middle.map(value));
}
