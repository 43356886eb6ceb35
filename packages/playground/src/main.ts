import { runDemo } from './demo/demo.js';
import { chosenModel } from './demo/model-choice.js';
import { HELP, parseOptions } from './demo/options.js';
import { Printer } from './demo/printer.js';
import { UsageError } from './demo/usage-error.js';

/** What a shell reports for a program that Ctrl-C ended: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

async function main(): Promise<number> {
  process.env.MASTRA_TELEMETRY_DISABLED ??= '1';
  const options = parseOptions(process.argv.slice(2));
  const printer = new Printer();
  if (options.help) {
    printer.line(HELP);
    return 0;
  }
  const interruption = new AbortController();
  process.once('SIGINT', () => {
    console.error('\nInterrupted: closing the browser and the shop.');
    interruption.abort();
  });
  try {
    const succeeded = await runDemo({ options, model: chosenModel(process.env), printer, signal: interruption.signal });
    return succeeded ? 0 : 1;
  } catch (error) {
    if (interruption.signal.aborted) return INTERRUPTED;
    throw error;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  return `The run failed: ${error instanceof Error ? error.message : String(error)}`;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`✗ ${sentenceOf(error)}`);
  process.exitCode = 1;
}
