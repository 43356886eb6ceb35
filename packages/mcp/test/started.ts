import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The command, as it was built. */
export const MAIN = new URL('../dist/cli/main.js', import.meta.url).pathname;

/** The command over HTTP on a free port. */
export interface HttpCommand {
  process: ChildProcess;
  url: string;
  /** What it told on standard error. */
  told(): string;
  stop(): Promise<void>;
}

export async function startHttp({
  flags = [],
  env = {},
}: {
  flags?: readonly string[];
  env?: Record<string, string>;
} = {}): Promise<HttpCommand> {
  const child = spawn(process.execPath, [MAIN, '--http', '--port', '0', ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on('line', line => {
    told += `${line}\n`;
    const url = /http:\S+\/mcp/.exec(line)?.[0];
    if (url !== undefined) resolve(url);
  });
  child.once('exit', code => reject(new Error(`the command ended with ${code}:\n${told}`)));
  return {
    process: child,
    url: await promise,
    told: () => told,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
