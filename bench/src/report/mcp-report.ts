import type { McpResults } from '../measure/mcp.ts';
import type { Bar, Table } from './table.ts';

const LARGEST_LIST = 16 * 1024;

export function mcpTables(results: McpResults | undefined): Table[] {
  if (results === undefined) return [];
  const { list, firstSnapshot, click, tokens, listBytes } = results;
  const ms = (value: number): string => value.toFixed(0);
  return [
    {
      title: 'MCP servers over standard input and output',
      head: ['', '@browser-toolset/mcp', '@playwright/mcp'],
      rows: [
        ['start to the list of tools, ms', ms(list.ours.median), ms(list.playwright.median)],
        ['start to the first snapshot, ms', ms(firstSnapshot.ours.median), ms(firstSnapshot.playwright.median)],
        ['a task, tokens that a model reads', String(tokens.ours), String(tokens.playwright)],
        [
          'a plain click, ms (as a method call)',
          `${click.stdio.median.toFixed(1)} (${click.direct.median.toFixed(1)})`,
          '-',
        ],
        ...Object.entries(listBytes).map(([profile, bytes]) => [
          `list of tools, profile ${profile}, bytes`,
          String(bytes),
          '-',
        ]),
      ],
    },
  ];
}

export function judgeMcp(results: McpResults | undefined): Bar[] {
  if (results === undefined) return [];
  const { list, firstSnapshot, click, tokens, listBytes } = results;
  const ratio = (what: string, ours: number, theirs: number, most: number): Bar => ({
    what,
    bar: `<= ${most.toFixed(1)}x`,
    measured: `${(ours / theirs).toFixed(2)}x (${ours.toFixed(0)} / ${theirs.toFixed(0)})`,
    pass: ours / theirs <= most,
  });
  const added = click.stdio.median - click.direct.median;
  const core = listBytes.core ?? Number.POSITIVE_INFINITY;
  return [
    ratio('MCP: start to the list of tools against @playwright/mcp', list.ours.median, list.playwright.median, 1),
    ratio('MCP: start to the first snapshot', firstSnapshot.ours.median, firstSnapshot.playwright.median, 1),
    ratio('MCP: tokens of a task, after-action snapshots read', tokens.ours, tokens.playwright, 0.4),
    { what: 'MCP: what stdio adds to a click', bar: '<= 5 ms', measured: `${added.toFixed(1)} ms`, pass: added <= 5 },
    { what: 'MCP: list of tools, core', bar: '<= 16 KB', measured: `${core} bytes`, pass: core <= LARGEST_LIST },
  ];
}
