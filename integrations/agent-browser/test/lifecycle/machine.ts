import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A process as the kernel tells of it. */
interface ProcessEntry {
  pid: number;
  parent: number;
  command: string;
}

/** All processes of the machine that run; what has ended and waits for its parent does not. */
function allProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        // proc(5): pid (name) state parent; the name may hold anything.
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(pid), parent: Number(parent), command }];
      } catch {
        // It has ended since the folder was listed.
        return [];
      }
    });
}

/** The browsers that a process has started: one for each Chromium, without its helpers. */
export function browsersOf(parent: number = process.pid): number[] {
  return allProcesses()
    .filter(entry => entry.parent === parent && /chrom/i.test(entry.command) && !entry.command.includes('--type='))
    .map(entry => entry.pid);
}

/** All processes below a process. */
export function descendantsOf(parent: number): number[] {
  const all = allProcesses();
  const below = (pid: number): number[] =>
    all.filter(entry => entry.parent === pid).flatMap(entry => [entry.pid, ...below(entry.pid)]);
  return below(parent);
}

/** Helpers of a browser that show pages. */
export function renderersOf(browser: number): number[] {
  const below = new Set(descendantsOf(browser));
  return allProcesses()
    .filter(entry => below.has(entry.pid) && entry.command.includes('--type=renderer'))
    .map(entry => entry.pid);
}

export function isRunning(pid: number): boolean {
  return allProcesses().some(entry => entry.pid === pid);
}

/** How many sockets this process has, those that listen and keep nothing running included. */
export function openSockets(): number {
  const isSocket = (fd: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
    } catch {
      // The folder was listed by one that is closed by now.
      return false;
    }
  };
  return readdirSync('/proc/self/fd').filter(isSocket).length;
}

/** Gives the tests of a file a folder for files of their own. */
export function ownFiles(): { path(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'test-files-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { path: name => join(folder, name) };
}

/**
 * Gives the tests of a file a folder for temporary files of their own and tells what is in it. It is one of the process:
 * such files stand alone.
 */
export function ownTemporaryFolder(): { entries(): string[]; path(name: string): string } {
  const before = process.env.TMPDIR;
  let folder = '';
  let files = '';
  beforeAll(() => {
    const root = mkdtempSync(join(tmpdir(), 'lifecycle-test-'));
    folder = join(root, 'temporary');
    files = join(root, 'files');
    mkdirSync(folder);
    mkdirSync(files);
    process.env.TMPDIR = folder;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });
  return {
    entries: () => readdirSync(folder),
    /** A place for the test's own files. */
    path: name => join(files, name),
  };
}
