import { styleText } from 'node:util';
import type { AgentStep, AgentStepResult } from './agent-run.js';
import { describeEffects } from './effects.js';
import { countTokens } from './tokens.js';

type Style = Parameters<typeof styleText>[0];

const INDENT = '    ';

/** Writes a run to the terminal as it happens. Colours follow NO_COLOR, FORCE_COLOR and whether it is a terminal. */
export class Printer {
  readonly #stream: NodeJS.WritableStream;
  readonly #steps: { name: string; milliseconds: number; tokens: number; failed: boolean }[] = [];

  constructor(stream: NodeJS.WritableStream = process.stdout) {
    this.#stream = stream;
  }

  line(text = ''): void {
    this.#stream.write(`${text}\n`);
  }

  title(text: string): void {
    this.line(`\n${this.#paint('bold', text)}`);
  }

  note(text: string): void {
    this.line(this.#paint('dim', text));
  }

  quote(text: string): void {
    for (const line of text.split('\n')) this.line(`  ${this.#paint('cyan', '▏')} ${line}`);
  }

  said(text: string): void {
    this.line(`\n${this.#paint('italic', text)}`);
  }

  called({ number, toolName, args }: AgentStep): void {
    const given = Object.entries(args).map(([name, value]) => `${this.#paint('dim', `${name}=`)}${shown(value)}`);
    this.line(
      [this.#paint('bold', String(number).padStart(2)), this.#paint(['bold', 'cyan'], toolName), ...given].join('  '),
    );
  }

  answered(step: AgentStepResult): void {
    const { toolName: name, result, read, pictures, milliseconds } = step;
    const failed = result.success === false;
    const tokens = countTokens(read);
    this.#steps.push({ name, milliseconds, tokens, failed });
    for (const line of read.split('\n')) this.line(`${INDENT}${this.#paint('dim', '│')} ${this.#readLine(line)}`);
    const cost = [`${milliseconds.toFixed(0)} ms`, `${tokens} tokens`, ...(pictures > 0 ? ['a picture'] : [])];
    const effects = describeEffects(result).map(effect => this.#paint(failed ? 'red' : 'green', effect));
    this.line(
      `${INDENT}${this.#paint('dim', `└ ${cost.join(', ')}`)}${effects.length > 0 ? '  ' : ''}${effects.join(', ')}`,
    );
  }

  summary(): void {
    this.title('Summary');
    const width = Math.max(4, ...this.#steps.map(step => step.name.length));
    const row = (label: string, name: string, values: readonly string[]) =>
      `${label.padStart(5)}  ${name.padEnd(width)}  ${values.map(value => value.padStart(8)).join('')}`;
    this.note(row('step', 'tool', ['ms', 'tokens']));
    for (const [index, { name, milliseconds, tokens, failed }] of this.#steps.entries()) {
      const text = row(String(index + 1), name, [milliseconds.toFixed(0), String(tokens)]);
      this.line(failed ? `${this.#paint('red', text)}  failed` : text);
    }
    const total = (value: (step: { milliseconds: number; tokens: number }) => number) =>
      this.#steps.reduce((sum, step) => sum + value(step), 0).toFixed(0);
    const totals = [total(step => step.milliseconds), total(step => step.tokens)];
    this.line(this.#paint('bold', row('total', `${this.#steps.length} steps`, totals)));
    this.note(
      'Milliseconds include Mastra, and the first call starts Chromium; tokens are of the texts above (o200k_base).',
    );
  }

  verdict(succeeded: boolean, text: string): void {
    this.line(`\n${this.#paint(['bold', succeeded ? 'green' : 'red'], succeeded ? '✓' : '✗')} ${text}`);
  }

  #readLine(line: string): string {
    if (/^\+ /.test(line)) return this.#paint('green', line);
    if (/^~ /.test(line)) return this.#paint('yellow', line);
    if (/^- /.test(line)) return this.#paint('red', line);
    return line;
  }

  #paint(style: Style, text: string): string {
    return styleText(style, text, { stream: this.#stream });
  }
}

/** As JSON; the elements of a list of objects stand below each other. */
function shown(value: unknown): string {
  if (!Array.isArray(value) || value.length < 2 || typeof value[0] !== 'object') return JSON.stringify(value);
  return `[\n${value.map(element => `${INDENT}  ${JSON.stringify(element)}`).join(',\n')} ]`;
}
