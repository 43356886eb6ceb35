import { VERSION } from '../version.js';
import { helpText } from './help.js';
import { readOptions, UsageError } from './read-options.js';
import { say } from './say.js';
import { serve } from './serve.js';

// Standard output belongs to the protocol: what else writes to it would break it.
console.log = console.info = console.debug = (...args: unknown[]) => console.error(...args);

async function main(): Promise<void> {
  try {
    const asked = readOptions(process.argv.slice(2), process.env);
    if (asked.kind === 'help') process.stdout.write(helpText());
    else if (asked.kind === 'version') process.stdout.write(`${VERSION}\n`);
    else await serve(asked.server, asked.toolset);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say(error.message);
    process.exitCode = 2;
  }
}

await main();
