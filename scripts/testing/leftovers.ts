import { readdirSync, readFileSync } from 'node:fs';
import { keptByWorker } from './endings.ts';

/** What a test file finds in its process, and has to leave so. */
interface Present {
  /** How much the worker keeps for the files after. */
  kept: number;
  /** Listeners on the process, by event. */
  listeners: ReadonlyMap<string, number>;
  /** Servers that listen. */
  servers: number;
  /** Processes that this one has started. */
  children: ReadonlySet<number>;
}

export function present(): Present {
  const events = process.eventNames().filter(event => typeof event === 'string');
  return {
    kept: keptByWorker(),
    listeners: new Map(events.map(event => [event, process.listenerCount(event)])),
    servers: process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length,
    children: new Set(childrenOf(process.pid)),
  };
}

/** What is there now and was not before. A file that began what the worker keeps is not asked. */
export function leftoversSince(before: Present): string[] {
  const now = present();
  if (now.kept !== before.kept) return [];
  const left: string[] = [];
  for (const [event, count] of now.listeners) {
    const more = count - (before.listeners.get(event) ?? 0);
    if (more > 0) left.push(`${more} listeners for ${event}`);
  }
  if (now.servers > before.servers) left.push(`${now.servers - before.servers} servers`);
  for (const pid of now.children) if (!before.children.has(pid)) left.push(`process ${pid}: ${commandOf(pid)}`);
  return left;
}

/** Where the kernel tells of processes in files; elsewhere none is found. */
function childrenOf(parent: number): number[] {
  return foldersOfProcesses().filter(pid => {
    // proc(5): pid (name) state parent; the name may hold anything. What has ended and waits for its parent does not count.
    const stat = read(`/proc/${pid}/stat`);
    const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state !== 'Z' && Number(ppid) === parent;
  });
}

function foldersOfProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200);
}

/** A file of a process that may be gone by now. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
