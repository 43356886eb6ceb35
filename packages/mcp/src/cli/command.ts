import { VERSION } from '../version.js';
import { flagOf, OPTIONS, type OptionRow } from './option-table.js';
import { readOptions, UsageError } from './read-options.js';
import { say } from './say.js';
import { serve } from './serve.js';

const VALUES: Readonly<Record<Exclude<OptionRow['kind'], 'boolean' | 'choice'>, string>> = {
  number: '<number>',
  string: '<text>',
  list: '<text>',
  json: '<json>',
};

/** The text of `--help`. */
function helpText(): string {
  const own = OPTIONS.filter(({ owner }) => owner === 'server').map(lineOf);
  const toolset = OPTIONS.filter(({ owner }) => owner === 'toolset').map(lineOf);
  return `browser-toolset-mcp [options]

A browser for MCP clients. Without options it speaks the protocol on standard input and output.
Each option is a variable as well (--url-policy-block: BROWSER_TOOLSET_URL_POLICY_BLOCK), and a key of the file of --config
(urlPolicyBlock). Flags go before variables, variables before the file. Of a list, a flag gives one entry and a variable all of
them, separated by commas.

  --config <file>  JSON with options
  --help           This text
  --version        The version

Server
${own.join('\n')}

Browser
${toolset.join('\n')}
`;
}

function lineOf(option: OptionRow): string {
  const { kind, description, default: given, choices } = option;
  const isOn = kind === 'boolean' && given === true;
  const value = kind === 'boolean' ? '' : kind === 'choice' ? ` ${choices?.join('|')}` : ` ${VALUES[kind]}`;
  const repeat = kind === 'list' ? ' Can be given several times.' : '';
  const byDefault = given === undefined || kind === 'boolean' ? '' : ` Default: ${JSON.stringify(given)}.`;
  return `  --${isOn ? 'no-' : ''}${flagOf(option)}${value}\n      ${description.replaceAll('`', '')}${byDefault}${repeat}`;
}

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
