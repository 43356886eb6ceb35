import { flagOf, OPTIONS, type OptionRow } from './option-table.js';

const VALUES: Readonly<Record<Exclude<OptionRow['kind'], 'boolean' | 'choice'>, string>> = {
  number: '<number>',
  string: '<text>',
  list: '<text>',
  json: '<json>',
};

/** The text of `--help`. */
export function helpText(): string {
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
