import type { Moment } from '../measure/changed-snapshots.ts';
import type { PageResult } from '../measure/snapshots.ts';
import { median, sum } from '../statistics.ts';
import { agentPromptTables } from './agent-prompt-report.ts';
import { judge } from './bars.ts';
import { changedTables, medianAfter } from './changed-report.ts';
import { frameworkTables } from './framework-report.ts';
import { liveTables } from './live-tables.ts';
import { mcpTables } from './mcp-report.ts';
import { promptTables } from './prompt-report.ts';
import type { BenchResults } from './results.ts';
import { barTable, missing, type Table } from './table.ts';
import { walkTables } from './walks-report.ts';

const ms = (value: number | undefined) => (value === undefined ? missing : value.toFixed(value < 100 ? 1 : 0));
const whole = (value: number | undefined) => (value === undefined ? missing : value.toFixed(0));
const percentCell = (value: number | undefined) => (value === undefined ? missing : (value * 100).toFixed(1));

/** Every table of a run, the bars last: that is what a person wants to see when the run ends. */
export function tables(results: BenchResults): Table[] {
  return [
    ...frameworkTables(results.framework),
    ...changedTables(results.changed),
    ...latencyTable(results),
    ...tokenTable(results),
    ...recallTable(results),
    ...costTables(results),
    ...readTable(results),
    ...hugeTable(results),
    ...promptTables(results.prompt),
    ...agentPromptTables(results.agentPrompt),
    ...mcpTables(results.mcp),
    ...walkTables(results.walks),
    ...liveTables(results.live),
    barTable(judge(results)),
  ];
}

/** One table of ourselves beside the peers, a line for each thing measured: short enough for a document. */
export function peerTables(results: BenchResults): Table[] {
  const { snapshots = [], actions, startup, memory, imports, schemas } = results;
  const saved = snapshots.filter(({ kind }) => kind === 'saved');
  const pages = snapshots.filter(({ elements, kind }) => kind !== 'plain' && elements >= 500 && elements <= 3_000);
  const time = (variant: string) => ms(medianOf(pages.flatMap(page => page.variants[variant]?.ms.median ?? [])));
  const tokens = (variant: string) => whole(sum(saved.map(page => page.variants[variant]?.tokens ?? 0)) || undefined);
  const each = (cell: (stack: string) => string) => ['ours', 'playwright-mcp', 'mastra', 'playwright'].map(cell);
  const interactive: Record<string, string> = {
    ours: 'ours/interactive',
    'playwright-mcp': 'playwright-mcp/snapshot',
    mastra: 'mastra/interactive',
    playwright: 'playwright/aria',
  };
  const full: Record<string, string> = { ...interactive, ours: 'ours/full', mastra: 'mastra/full' };
  const after = (moment: Moment) => each(stack => ms(medianAfter(results.changed, moment, interactive[stack] ?? '')));
  const rows = [
    ['snapshot after a node was added, ms (median of pages)', ...after('node')],
    ['after a class on the body', ...after('class')],
    ['the first after a load', ...after('load')],
    [
      `of a page that nothing has touched, ms (median of ${pages.length} pages)`,
      ...each(stack => time(interactive[stack] ?? '')),
    ],
    [`snapshot, tokens (sum of ${saved.length} saved pages)`, ...each(stack => tokens(interactive[stack] ?? ''))],
    ['full snapshot, tokens (same pages)', ...each(stack => tokens(full[stack] ?? ''))],
    ...(['click', 'type', 'select'] as const).map(action => [
      `${action}, ms`,
      ...each(stack => ms(actions?.[action][stack]?.median)),
    ]),
    ['first page from construction, ms', ...each(stack => ms(startup?.firstPage[stack]?.median))],
    ['new thread with its first page, ms', ...each(stack => ms(startup?.newThread[stack]?.median))],
    ['the same right after another one, ms', ...each(stack => ms(startup?.nextThread[stack]?.median))],
    ...['1', '3', '5', '10'].map(count => [
      `memory of ${count} ${count === '1' ? 'thread' : 'threads'}, MiB`,
      ...each(stack => whole(memory?.[stack]?.[count]?.mebibytes)),
    ]),
    ['import, ms', ...each(stack => whole(imports?.[stack]))],
    ['tool schemas, bytes', ...each(stack => whole(schemas?.[stack]?.bytes))],
  ];
  return [
    {
      title: 'Beside the peers',
      head: ['', 'BrowserToolset', '@playwright/mcp', '@mastra/agent-browser', 'playwright-core'],
      rows,
    },
  ];
}

const medianOf = (values: readonly number[]) => (values.length === 0 ? undefined : median(values));

function costTables(results: BenchResults): Table[] {
  return [
    ...stackTable('Actions, ms', results.actions && { ...results.actions }, spreadCell),
    ...stackTable('Actions beside tickers, ms', results.ticker && { ...results.ticker }, spreadCell),
    ...stackTable(
      'Start, ms',
      results.startup && {
        'first page': results.startup.firstPage,
        'new thread': results.startup.newThread,
        'right after another': results.startup.nextThread,
      },
      spreadCell,
    ),
    ...memoryTable(results),
    ...stackTable('Import time, ms', results.imports && { import: results.imports }, whole),
    ...stackTable('Tool schemas', results.schemas && { 'bytes / tools': results.schemas }, size =>
      size ? `${size.bytes} / ${size.tools}` : missing,
    ),
  ];
}

const spreadCell = (value: { median: number } | undefined) => ms(value?.median);

function pageTable(
  title: string,
  pages: readonly PageResult[],
  columns: Record<string, (page: PageResult) => string>,
): Table[] {
  if (pages.length === 0) return [];
  const rows = pages.map(page => [page.page, String(page.elements), ...Object.values(columns).map(cell => cell(page))]);
  return [{ title, head: ['page', 'elements', ...Object.keys(columns)], rows }];
}

function readTable({ read = [] }: BenchResults): Table[] {
  if (read.length === 0) return [];
  const rows = read.map(({ page, words, ours, library }) => [
    page,
    String(words),
    ours.f1.toFixed(3),
    library.f1.toFixed(3),
    ms(ours.ms.median),
    ms(library.ms.median),
  ]);
  const head = ['page', 'words', 'F1 ours', 'F1 Readability', 'ms ours', 'ms Readability'];
  return [{ title: 'Articles (F1 by words)', head, rows }];
}

function latencyTable({ snapshots = [] }: BenchResults): Table[] {
  const time = (variant: string) => (page: PageResult) => ms(page.variants[variant]?.ms.median);
  const ratio =
    (other: string, when: 'ms' | 'rested' = 'ms') =>
    (page: PageResult) => {
      const [ours, theirs] = [page.variants['ours/interactive']?.[when].median, page.variants[other]?.[when].median];
      return ours === undefined || theirs === undefined ? missing : (ours / theirs).toFixed(2);
    };
  return pageTable('Snapshot, ms (median)', snapshots, {
    ours: time('ours/interactive'),
    'ours full': time('ours/full'),
    'pw mcp': time('playwright-mcp/snapshot'),
    mastra: time('mastra/interactive'),
    'mastra full': time('mastra/full'),
    aria: time('playwright/aria'),
    walk: time('playwright/walk'),
    'lean walk': time('playwright/lean'),
    'ours/aria': ratio('playwright/aria'),
    'ours/aria rested': ratio('playwright/aria', 'rested'),
    'ours/walk': ratio('playwright/walk'),
  });
}

function tokenTable({ snapshots = [] }: BenchResults): Table[] {
  const count = (variant: string) => (page: PageResult) => whole(page.variants[variant]?.tokens);
  const ratio = (ours: string, other: string) => (page: PageResult) => {
    const [a, b] = [page.variants[ours]?.tokens, page.variants[other]?.tokens];
    return a === undefined || b === undefined ? missing : (a / b).toFixed(2);
  };
  const columns = {
    ours: count('ours/interactive'),
    'ours full': count('ours/full'),
    'pw mcp': count('playwright-mcp/snapshot'),
    mastra: count('mastra/interactive'),
    'mastra full': count('mastra/full'),
    'ours/pw': ratio('ours/interactive', 'playwright-mcp/snapshot'),
    'ours/mastra': ratio('ours/interactive', 'mastra/interactive'),
    'full/pw': ratio('ours/full', 'playwright-mcp/snapshot'),
  };
  return pageTable('Snapshot, tokens (o200k_base)', [...snapshots, ...totals(snapshots)], columns);
}

/** Sums over the pages of a kind, so that the shares are those of a whole day's browsing rather than of the smallest page. */
function totals(pages: readonly PageResult[]): PageResult[] {
  return (['generated', 'saved'] as const).flatMap(kind => {
    const some = pages.filter(page => page.kind === kind);
    const [first] = some;
    if (!first) return [];
    const variants = Object.entries(first.variants).map(([name, variant]) => {
      const all = some.map(page => page.variants[name]?.tokens ?? 0);
      return [name, { ...variant, tokens: sum(all) }] as const;
    });
    return [
      {
        ...first,
        page: `all ${kind}`,
        elements: sum(some.map(page => page.elements)),
        variants: Object.fromEntries(variants),
      },
    ];
  });
}

function recallTable({ recall = [] }: BenchResults): Table[] {
  const stacks = [...new Set(recall.flatMap(({ stacks: scores }) => Object.keys(scores)))];
  if (stacks.length === 0) return [];
  const rows = recall.map(({ page, targets, stacks: scores }) => [
    page,
    String(targets),
    ...stacks.map(name => `${percentCell(scores[name]?.recall)} / ${percentCell(scores[name]?.precision)}`),
  ]);
  return [{ title: 'Refs against the oracle: recall / precision, %', head: ['page', 'owed', ...stacks], rows }];
}

function stackTable<Value>(
  title: string,
  measures: Record<string, Record<string, Value | undefined>> | undefined,
  cell: (value: Value | undefined) => string,
): Table[] {
  if (!measures) return [];
  const stacks = [...new Set(Object.values(measures).flatMap(Object.keys))];
  const rows = Object.entries(measures).map(([name, values]) => [name, ...stacks.map(stack => cell(values[stack]))]);
  return [{ title, head: ['', ...stacks], rows }];
}

function memoryTable({ memory }: BenchResults): Table[] {
  if (!memory) return [];
  const counts = [...new Set(Object.values(memory).flatMap(Object.keys))];
  const measures = counts.map(
    count =>
      [
        `${count} threads`,
        Object.fromEntries(Object.entries(memory).map(([stack, sizes]) => [stack, sizes[count]?.mebibytes])),
      ] as const,
  );
  return stackTable('Memory of the browser, MiB (PSS)', Object.fromEntries(measures), whole);
}

function hugeTable({ huge = [] }: BenchResults): Table[] {
  if (huge.length === 0) return [];
  const rows = huge.map(({ page, variant, ms: time, tokens, usable, error }) => [
    page,
    variant,
    error ?? `${time} ms`,
    String(tokens),
    usable ? 'yes' : 'no',
  ]);
  return [{ title: 'Huge pages, first snapshot', head: ['page', 'variant', 'time', 'tokens', 'usable after'], rows }];
}
