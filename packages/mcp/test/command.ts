import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAIN } from './started.js';

interface Answer {
  id?: number;
  result?: { content?: { text?: string }[]; structuredContent?: Record<string, unknown> };
  error?: { code: number; message: string };
}

/** The command as a client starts it: lines in, lines out. */
export class Command {
  readonly process: ChildProcess;
  /** Lines of standard output, as they are. */
  readonly lines: string[] = [];
  told = '';
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #id = 0;

  constructor(args: readonly string[] = [], env: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } });
    this.process.stderr?.on('data', chunk => {
      this.told += chunk;
    });
    createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on('line', line => {
      this.lines.push(line);
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id ?? -1)?.(answer);
    });
  }

  write(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  ask(method: string, params: object): Promise<Answer> {
    const id = ++this.#id;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return promise;
  }

  async initialized(): Promise<this> {
    const clientInfo = { name: 'lines', version: '1' };
    await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return this;
  }

  call(name: string, input: object): Promise<Answer> {
    return this.ask('tools/call', { name, arguments: input });
  }

  async ended(): Promise<number | null> {
    if (this.process.exitCode === null) await once(this.process, 'exit');
    return this.process.exitCode;
  }
}
