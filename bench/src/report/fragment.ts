import { judge } from './bars.ts';
import { frameworkTables, judgeFramework } from './framework-report.ts';
import { judgeLive } from './live-bars.ts';
import { liveTables } from './live-tables.ts';
import { judgeMcp, mcpTables } from './mcp-report.ts';
import { judgePrompt, promptTables } from './prompt-report.ts';
import type { BenchResults } from './results.ts';
import { type Bar, barTable, type Table, toMarkdown } from './table.ts';
import { peerTables } from './tables.ts';

/** What a document shows of a run: the bars, ourselves beside the peers, and what it was measured on. */
export function resultsFragment(results: BenchResults): string {
  return [circumstances(results), ...[reachedTable(judge(results)), ...peerTables(results)].map(toMarkdown)].join(
    '\n\n',
  );
}

/** The same of the live view, which has a run of its own. */
export function liveFragment(results: BenchResults): string {
  const { live } = results;
  return [circumstances(results), ...[reachedTable(judgeLive(live)), ...liveTables(live)].map(toMarkdown)].join('\n\n');
}

/** The same of the prompts of long runs. */
export function promptFragment({ prompt, date }: BenchResults): string {
  const tables = [reachedTable(judgePrompt(prompt)), ...promptTables(prompt)];
  return [`Run of ${date.slice(0, 10)}.`, ...tables.map(toMarkdown)].join('\n\n');
}

/** The same of the page of a framework. */
export function frameworkFragment(results: BenchResults): string {
  const { framework } = results;
  const tables = [reachedTable(judgeFramework(framework)), ...frameworkTables(framework)];
  return [circumstances(results), ...tables.map(toMarkdown)].join('\n\n');
}

/** The same of the MCP servers. */
export function mcpFragment(results: BenchResults): string {
  const { mcp } = results;
  return [circumstances(results), ...[reachedTable(judgeMcp(mcp)), ...mcpTables(mcp)].map(toMarkdown)].join('\n\n');
}

/** When, how and on what a run was. */
function circumstances({ date, machine, versions, rounds }: BenchResults): string {
  const on = `Run of ${date.slice(0, 10)}, ${rounds} interleaved rounds, medians; ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.platform}.`;
  const of = `Versions: ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}.`;
  return `${on}\n\n${of}`;
}

/** Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->`. */
export function replaceBetweenMarkers(document: string, fragment: string, name = 'bench'): string {
  const [start, end] = markersOf(name);
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The file needs the markers ${start} and ${end}, in this order.`);
  return `${document.slice(0, from + start.length)}\n${fragment}\n${document.slice(to)}`;
}

export function hasMarkers(document: string, name: string): boolean {
  return markersOf(name).some(marker => document.includes(marker));
}

function markersOf(name: string): [start: string, end: string] {
  return [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
}

const reachedTable = (bars: readonly Bar[]): Table =>
  barTable(bars, { head: 'reached', pass: 'yes', fail: 'no', unknown: 'not known' });
