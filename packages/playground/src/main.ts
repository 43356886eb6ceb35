import { once } from 'node:events';
import type { ChosenModel } from './demo/model-choice.js';
import { HELP, type Options, parseOptions } from './demo/options.js';
import { UsageError } from './demo/usage-error.js';

/** The exit code of a program that Ctrl-C ended, as shells report it: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

async function main(): Promise<number> {
  process.env.MASTRA_TELEMETRY_DISABLED ??= '1';
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  // Loaded where it is needed: a person who asks for help waits for nothing.
  const { chosenModel } = await import('./demo/model-choice.js');
  const model = chosenModel(process.env);
  return options.terminal || options.task ? runInTerminal(options, model) : servePlayground(options, model);
}

async function runInTerminal(options: Options, model: ChosenModel | undefined): Promise<number> {
  const { runDemo } = await import('./demo/demo.js');
  const { Printer } = await import('./demo/printer.js');
  const interruption = new AbortController();
  process.once('SIGINT', () => {
    console.error('\nInterrupted: closing the browser and the shop.');
    interruption.abort();
  });
  try {
    const succeeded = await runDemo({ options, model, printer: new Printer(), signal: interruption.signal });
    return succeeded ? 0 : 1;
  } catch (error) {
    if (interruption.signal.aborted) return INTERRUPTED;
    throw error;
  }
}

async function servePlayground({ port, headed }: Options, model: ChosenModel | undefined): Promise<number> {
  const { startPlayground } = await import('./server/playground.js');
  const { SCRIPTED } = await import('./demo/job.js');
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await using playground = await startPlayground({
    port,
    model,
    headed,
    dataFolder: process.env.PLAYGROUND_DATA?.trim() || undefined,
  });
  // `npm run dev` says when the page alone was built anew.
  process.on('message', () => void playground.renewPage());
  console.log(`The playground is open at ${playground.url}`);
  for (const notice of playground.notices) console.log(notice);
  console.log(model ? `The model ${model.id} decides what to do.` : SCRIPTED);
  console.log('Ctrl+C ends it.');
  void playground.modelProblem.then(problem => problem !== undefined && console.error(`✗ ${problem}`));
  await ended;
  console.log('\nClosing the playground and its browser.');
  return 0;
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
