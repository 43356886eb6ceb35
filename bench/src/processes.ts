import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export const execFileAsync = promisify(execFile);

/** A process as the kernel tells of it. */
export interface Entry {
  pid: number;
  parent: number;
  /** Of the program, as far as the kernel keeps it. */
  name: string;
  command: string;
}

/** All processes that run, as /proc tells; what has ended and waits for its parent does not. */
export function allProcesses(): Entry[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return [{ pid: Number(pid), parent: Number(parent), name, command }];
      } catch {
        // It has ended since the folder was listed.
        return [];
      }
    });
}

export function descendants(root: number = process.pid, all: readonly Entry[] = allProcesses()): Entry[] {
  const below = (parent: number): Entry[] =>
    all.filter(entry => entry.parent === parent).flatMap(entry => [entry, ...below(entry.pid)]);
  return below(root);
}

/** The browsers that this process has started, without their helpers. */
export function ownBrowsers(): number[] {
  return allProcesses()
    .filter(({ parent, command }) => parent === process.pid && /chrom/i.test(command) && !command.includes('--type='))
    .map(({ pid }) => pid);
}

/** The processes that show the pages of a browser. */
export function renderers(browser: number): number[] {
  return descendants(browser)
    .filter(({ command }) => command.includes('--type=renderer'))
    .map(({ pid }) => pid);
}

/** Ends a process at once; one that has ended by itself is as good. */
export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
