import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChildCall, ChildCalls, Reply, Usage } from './child-messages.ts';
import type { LiveStackName } from './live-server.ts';

const entry = fileURLToPath(new URL('./server-child.ts', import.meta.url));
/** Lines of a server that are kept, for when it fails. */
const keptLines = 20;
/** A browser that is stuck does not close by itself: its pipe breaks with the process, which ends it. */
const closingPatience = 10_000;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** One stack's server and browser, in a process of their own. */
export class ServerProcess {
  readonly name: LiveStackName;
  url = '';
  /** Lines that the server has written, on either output. */
  logLines = 0;
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #lastOutput: string[] = [];
  #calls = 0;

  private constructor(name: LiveStackName) {
    this.name = name;
    this.#child = fork(entry, [name], {
      execArgv: [...process.execArgv, '--expose-gc'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.on('message', (reply: Reply) => this.#settle(reply));
    this.#child.on('exit', code => this.#fail(`exited with ${code}`));
    for (const output of [this.#child.stdout, this.#child.stderr]) output?.on('data', data => this.#count(`${data}`));
  }

  static async start(name: LiveStackName): Promise<ServerProcess> {
    const server = new ServerProcess(name);
    const { url } = await server.#call('start');
    server.url = url;
    return server;
  }

  show(url: string): Promise<void> {
    return this.#call('show', url);
  }

  /** What the page looks like now, PNG in base64. */
  picture(): Promise<string> {
    return this.#call('picture');
  }

  usage(afterCollection = false): Promise<Usage> {
    return this.#call('usage', afterCollection);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), closingPatience);
    await this.#call('close').finally(() => this.#child.disconnect());
    await ended;
    clearTimeout(patience);
  }

  #call<Name extends keyof ChildCalls>(name: Name, argument?: unknown): ReturnType<ChildCalls[Name]> {
    const call: ChildCall = { id: ++this.#calls, name, argument };
    const result = new Promise((resolve, reject) => {
      this.#pending.set(call.id, { resolve, reject });
      this.#child.send(call);
    });
    return result as ReturnType<ChildCalls[Name]>;
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('error' in reply) pending?.reject(new Error(`${this.name}: ${reply.error}`));
    else pending?.resolve(reply.value);
  }

  #fail(why: string): void {
    for (const { reject } of this.#pending.values())
      reject(new Error([`the server of ${this.name} ${why}`, ...this.#lastOutput].join('\n')));
    this.#pending.clear();
  }

  #count(text: string): void {
    const lines = text.split('\n').filter(line => line !== '');
    this.logLines += lines.length;
    this.#lastOutput.push(...lines);
    this.#lastOutput.splice(0, this.#lastOutput.length - keptLines);
  }
}

/** Starts a server for as long as it is used. */
export async function withServer<T>(name: LiveStackName, use: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await ServerProcess.start(name);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}
