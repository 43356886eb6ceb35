import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program in a process of its own, as `npm start` runs it. */
export class Running {
  readonly #child;
  readonly #ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[] = [], env: Record<string, string> = {}) {
    const { MODEL: _, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [MAIN, ...args], { env: { ...inherited, ...env } });
    this.#child.stdout.on('data', chunk => {
      this.#stdout += stripVTControlCharacters(String(chunk));
    });
    this.#child.stderr.on('data', chunk => {
      this.#stderr += stripVTControlCharacters(String(chunk));
    });
    this.#ended = once(this.#child, 'close').then(([code]) => ({ code, stdout: this.#stdout, stderr: this.#stderr }));
  }

  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Waits until it has printed something; returns what matched. */
  async printed(text: string | RegExp): Promise<readonly string[]> {
    const match = () =>
      typeof text === 'string' ? (this.#stdout.includes(text) ? [text] : null) : text.exec(this.#stdout);
    for (;;) {
      const found = match();
      if (found) return found;
      const more = await Promise.race([once(this.#child.stdout, 'data'), this.#ended.then(() => undefined)]);
      if (!more) throw new Error(`it ended without printing "${text}":\n${this.#stdout}\n${this.#stderr}`);
    }
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }

  /** Ends it with no chance to tidy up, as a crash does. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** The processes below it, such as its Chromium's. */
  descendants(): number[] {
    const all = processes();
    const below = (parent: number): number[] =>
      all.flatMap(({ pid, ppid }) => (ppid === parent ? [pid, ...below(pid)] : []));
    return below(this.#child.pid ?? -1);
  }
}

export function isAlive(pid: number): boolean {
  return processes().some(entry => entry.pid === pid);
}

/** Those that run: a zombie has ended, only its parent has not asked yet. */
function processes(): { pid: number; ppid: number }[] {
  const lines = existsSync('/proc/self/stat') ? fromProc() : execFileSync('ps', ['-Ao', 'pid=,ppid=,stat=']).toString();
  return lines.split('\n').flatMap(line => {
    const [pid, ppid, state] = line.trim().split(/\s+/);
    return pid && ppid && !state?.startsWith('Z') ? [{ pid: Number(pid), ppid: Number(ppid) }] : [];
  });
}

/** What `ps` prints, for the slim systems that lack it: proc(5), `/proc/[pid]/stat`. */
function fromProc(): string {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return pids.map(pid => `${pid} ${parentAndState(pid)}`).join('\n');
}

function parentAndState(pid: string): string {
  try {
    // The name, in parentheses, may itself hold spaces and parentheses.
    const [state, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return `${ppid} ${state}`;
  } catch {
    // It ended since the folder was read.
    return '';
  }
}
