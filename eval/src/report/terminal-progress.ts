import type { PlannedRun, Progress } from '../evaluation.ts';
import type { Price, RunResult } from '../results.ts';
import type { TracedStep } from '../suite/task.ts';
import { runLine } from './tables.ts';

const CLEAR_LINE = '\r\u001b[2K';

/** A line for each run that ended and, in a terminal, one that says where the present one is. */
export class TerminalProgress implements Progress {
  readonly #output: NodeJS.WriteStream;
  readonly #price: Price | undefined;
  #place = '';

  constructor(output: NodeJS.WriteStream, price: Price | undefined) {
    this.#output = output;
    this.#price = price;
  }

  begun({ task, agent }: PlannedRun, { number, of }: { number: number; of: number }): void {
    this.#place = `[${number}/${of}]`;
    this.#show(`${this.#place} ${task.id}, ${agent} …`);
  }

  stepped({ task, agent }: PlannedRun, { number, said, calls }: TracedStep): void {
    const doing = calls.at(-1)?.name ?? said.split('\n').at(-1) ?? '';
    this.#show(`${this.#place} ${task.id}, ${agent}: step ${number}, ${doing}`);
  }

  ended(run: RunResult): void {
    if (this.#output.isTTY) this.#output.write(CLEAR_LINE);
    this.#output.write(`${this.#place} ${runLine(run, this.#price)}\n`);
  }

  #show(line: string): void {
    const { columns = 80 } = this.#output;
    if (this.#output.isTTY) this.#output.write(`${CLEAR_LINE}${line.slice(0, columns - 1)}`);
  }
}
