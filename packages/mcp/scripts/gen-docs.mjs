// Writes the tables of the MCP server's options in docs/reference; with --check it fails on drift.
import { writeGenerated } from '../../../scripts/docs/generated.mjs';

const { OPTIONS, flagOf, variableOf } = await import('../dist/cli/option-table.js').catch(error => {
  throw new Error(`The package cannot be loaded, run pnpm build first: ${error.message}`);
});

const TABLES = { server: () => table('server'), browser: () => table('toolset') };

await writeGenerated(['docs/reference/mcp-options.md'], TABLES);

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
