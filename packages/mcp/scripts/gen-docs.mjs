// Writes the tables of the README from the options, between their markers. With --check it writes nothing and fails on drift.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const README = resolve(import.meta.dirname, '../README.md');
const { OPTIONS, flagOf, variableOf } = await import('../dist/cli/option-table.js').catch(error => {
  throw new Error(`The package cannot be loaded, run pnpm build first: ${error.message}`);
});

const TABLES = { server: () => table('server'), browser: () => table('toolset') };

const text = await readFile(README, 'utf8');
const fresh = text.replace(/(<!-- gen:([\w-]+):start -->\n)[\s\S]*?(<!-- gen:\2:end -->)/g, (_, start, name, end) => {
  if (!Object.hasOwn(TABLES, name)) throw new Error(`The README asks for ${name}; there are ${Object.keys(TABLES)}`);
  return `${start}\n${TABLES[name]()}\n\n${end}`;
});
if (fresh !== text && process.argv.includes('--check')) {
  console.error('packages/mcp/README.md does not say what the options say.\nRun: pnpm gen');
  process.exitCode = 1;
} else if (fresh !== text) await writeFile(README, fresh);

function table(owner) {
  const rows = OPTIONS.filter(option => option.owner === owner).map(option => {
    const { kind, choices, default: given, description } = option;
    const value = kind === 'choice' ? choices.join(' | ') : kind;
    const flag = kind === 'boolean' && given === true ? `--no-${flagOf(option)}` : `--${flagOf(option)}`;
    return [
      `\`${flag}\``,
      `\`${variableOf(option)}\``,
      value,
      given === undefined ? '' : `\`${JSON.stringify(given)}\``,
      description,
    ];
  });
  const cells = row => `| ${row.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  const head = ['Flag', 'Variable', 'Value', 'Default', 'What it does'];
  return [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n');
}
