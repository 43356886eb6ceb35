import { readFile } from 'node:fs/promises';
import { allProcesses, descendants, type Entry } from '../processes.ts';

export interface Memory {
  mebibytes: number;
  processes: number;
  /** Browser processes that are not ours: with any, shared pages are split with them and the sum is too low. */
  strangers: number;
}

/**
 * Proportional set size, in MiB, of every process that descends from this one: memory that several of them share
 * counts once in the sum. Only what this process started is looked at.
 */
export async function descendantsPss(): Promise<Memory> {
  const all = allProcesses();
  const pids = descendants(process.pid, all).map(({ pid }) => pid);
  const sizes = await Promise.all(pids.map(pssOf));
  return {
    mebibytes: sizes.reduce((total, size) => total + size, 0) / 1024,
    processes: pids.length,
    strangers: browsersBeside(all, pids),
  };
}

/** The handler of crashes that each Chromium starts is a program of its own, and nobody's child: it shares nothing. */
function browsersBeside(all: readonly Entry[], ours: readonly number[]): number {
  return all.filter(({ pid, name }) => !ours.includes(pid) && /chrom(?!e_crashpad)/i.test(name)).length;
}

async function pssOf(pid: number): Promise<number> {
  const rollup = await readOrGone(`/proc/${pid}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup ?? '')?.[1] ?? 0);
}

/** A process may end between being listed and being read. */
async function readOrGone(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
