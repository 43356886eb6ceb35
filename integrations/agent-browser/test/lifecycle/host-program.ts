import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { descendantsOf } from './machine.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundle = `${root}node_modules/.host-process-test/${process.pid}/index.mjs`;

export interface Host {
  pid: number;
  /** Processes of the browser that it started. */
  helpers: number[];
  process: ChildProcess;
  /** The next line that it writes. */
  line(): Promise<string>;
  /** How it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
}

/**
 * Makes programs that have a page open and a picture taken, and then do what the test wants (`then`) with their `toolset`
 * and `session`. They end with their test.
 */
export function hostPrograms(): (then: string, options?: string) => Promise<Host> {
  const hosts: ChildProcess[] = [];

  beforeAll(async () => {
    const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node22' } as const;
    await build({ ...options, absWorkingDir: root, entryPoints: ['src/index.ts'], outfile: bundle });
    // Its own process.
    await stop();
  });

  afterAll(() => rmSync(bundle.replace('/index.mjs', ''), { recursive: true, force: true }));

  afterEach(async () => {
    for (const host of hosts.splice(0)) {
      if (host.exitCode !== null || host.signalCode !== null) continue;
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
    }
  });

  return async (then, options = '{}') => {
    const program = `
      import { createServer } from 'node:http';
      import { BrowserToolset } from ${JSON.stringify(bundle)};
      const toolset = new BrowserToolset(${options});
      const session = toolset.session('a');
      const open = async () => console.log((await session.navigate({ url: 'about:blank' })).success ? 'open' : 'failed');
      await open();
      await session.screenshot();
      ${then}
      console.log('ready');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    hosts.push(child);
    let errors = '';
    child.stderr.on('data', text => {
      errors += text;
    });
    const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal, errors }));
    const lines = createInterface({ input: child.stdout });
    const line = lineReader(lines, ended);
    const pid = child.pid ?? 0;
    for (const expected of ['open', 'ready']) expect(await line(), errors).toBe(expected);
    const helpers = descendantsOf(pid);
    expect(helpers.length).toBeGreaterThan(0);
    return { pid, helpers, process: child, line, ended };
  };
}

function lineReader(lines: Interface, ended: Promise<unknown>): () => Promise<string> {
  const kept: string[] = [];
  lines.on('line', line => kept.push(line));
  return async () => {
    while (kept.length === 0) {
      const gone = await Promise.race([once(lines, 'line').then(() => false), ended.then(() => true)]);
      if (gone && kept.length === 0) return 'ended';
    }
    return kept.shift() ?? '';
  };
}
