import type { Bar, Table } from '../report/table.ts';
import type { InstallResults } from './install.ts';
import type { Installed } from './installed.ts';
import type { NpxResults } from './npx.ts';

interface PackedResults {
  install: InstallResults;
  npx: NpxResults;
}

/** How much slower than Playwright's the first list of tools may be. */
const RATIO = 1.2;

export function packedTables({ install, npx }: PackedResults): Table[] {
  const row = (what: string, { packages, megabytes, scripts }: Installed): string[] => [
    what,
    String(packages),
    megabytes.toFixed(1),
    String(scripts),
  ];
  return [
    {
      title: 'What is installed',
      head: ['', 'packages', 'MB', 'install scripts'],
      rows: [
        row('@mastra/core and zod', install.mastra),
        row('the toolset beside them', install.toolset),
        row('npx of the MCP server', npx.installed.ours),
        row('npx of @playwright/mcp', npx.installed.playwright),
      ],
    },
    {
      title: 'npx with an empty cache to the first list of tools, ms',
      head: ['', 'median', 'min', 'max'],
      rows: Object.entries(npx.list).map(([name, { median, min, max }]) => [name, ...[median, min, max].map(String)]),
    },
  ];
}

export function packedBars({ install, npx }: PackedResults): Bar[] {
  const most = (what: string, measured: number, bar: number): Bar => ({
    what,
    bar: `<= ${bar}`,
    measured: String(Math.round(measured * 10) / 10),
    pass: measured <= bar,
  });
  const server = npx.installed.ours;
  const ratio = npx.list.ours.median / npx.list.playwright.median;
  return [
    most('Toolset: packages', install.toolset.packages, 12),
    most('Toolset: MB', install.toolset.megabytes, 40),
    most('Toolset: install scripts', install.toolset.scripts, 0),
    most('MCP server without Mastra: packages', server.packages, 15),
    most('MCP server without Mastra: MB', server.megabytes, 60),
    {
      what: 'npx of the MCP server to its tools against @playwright/mcp',
      bar: `<= ${RATIO}x`,
      measured: `${ratio.toFixed(2)}x`,
      pass: ratio <= RATIO,
    },
  ];
}
