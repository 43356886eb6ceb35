import { readdir, readFile } from 'node:fs/promises';

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
  const pids = await descendants(process.pid);
  const sizes = await Promise.all(pids.map(pssOf));
  return {
    mebibytes: sizes.reduce((total, size) => total + size, 0) / 1024,
    processes: pids.length,
    strangers: await browsersBeside(pids),
  };
}

async function browsersBeside(ours: readonly number[]): Promise<number> {
  const others = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry) && !ours.includes(Number(entry)));
  const names = await Promise.all(others.map(pid => readOrGone(`/proc/${pid}/comm`)));
  return names.filter(name => /chrom/i.test(name ?? '')).length;
}

async function descendants(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc')) {
    const parent = /^\d+$/.test(entry) ? await parentOf(entry) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap(child => [child, ...below(child)]);
  return below(root);
}

async function parentOf(pid: string): Promise<number | undefined> {
  const stat = await readOrGone(`/proc/${pid}/stat`);
  // The command's name stands in parentheses and may hold spaces: fields are counted from the last one.
  const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
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
