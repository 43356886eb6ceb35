import { sum } from '../statistics.ts';
import type { BenchResults } from './results.ts';
import { type Table, toMarkdown } from './table.ts';

/** The runs that the README's few numbers come from, each the latest of its kind. */
export interface ReadmeRuns {
  latest: BenchResults;
  prompt: BenchResults;
  mcp: BenchResults;
}

/** Why somebody would take the toolset: five points with a measured number each. */
export function whyFragment({ latest, prompt, mcp }: ReadmeRuns): string {
  const pages = pagesSaved(latest);
  const ours = known(mcp.mcp?.tokens.ours, 'tokens of a task');
  const theirs = known(mcp.mcp?.tokens.playwright, 'tokens of a task with @playwright/mcp');
  const shares = Object.values(prompt.prompt ?? {}).flatMap(({ whole, batches }) =>
    whole && batches ? [batches.sum / whole.sum] : [],
  );
  const threads = (stack: string) => mebibytesOf(latest.memory?.[stack]?.['10']?.mebibytes);
  const recall = (latest.recall ?? []).map(({ targets, stacks }) => ({ targets, found: stacks.ours?.recall ?? 0 }));
  const found = sum(recall.map(page => page.targets * page.found)) / sum(recall.map(({ targets }) => targets));
  return [
    `- **Short pages.** A snapshot is ${asPercent(tokensIn(pages, OUR_SNAPSHOTS) / tokensIn(pages, PLAYWRIGHT))} of the tokens of \`@playwright/mcp\`'s, over ${pages.length} saved real pages, and ${asPercent(found)} of what a person can act on has a ref.`,
    `- **Results that say what changed.** A task on five pages costs a model ${count(ours)} tokens of results; with \`@playwright/mcp\` ${count(theirs)}.`,
    `- **Refs that never hit the wrong element.** The check of a ref is part of the press: a click takes ${timeOfAction(latest, 'click', 'ours')} ms, ${timeOfAction(latest, 'click', 'playwright')} ms with bare Playwright.`,
    `- **Long runs stay cheap.** Forty steps send ${asPercent(Math.min(...shares))} to ${asPercent(Math.max(...shares))} of the tokens of a prompt that keeps every result.`,
    `- **Many threads, one Chromium.** Ten isolated threads take ${threads('ours')} MiB; with \`@playwright/mcp\` ${threads('playwright-mcp')}, with \`@mastra/agent-browser\` ${threads('mastra')}.`,
  ].join('\n');
}

/** What a model reads of some pages, beside what Playwright's snapshot of the same pages costs. */
export function costFragment({ latest }: ReadmeRuns): string {
  const pages = (latest.snapshots ?? []).filter(({ page }) => SHOWN.has(page));
  const saved = pagesSaved(latest);
  const row = (title: string, variants: (name: string) => number) => [
    title,
    ...COLUMNS.map(name => count(variants(name))),
  ];
  const table: Table = {
    title: 'Tokens of a snapshot (o200k_base)',
    head: ['page', 'BrowserToolset', 'with all its text', '@playwright/mcp', '@mastra/agent-browser'],
    rows: [
      ...pages.map(page => row(SHOWN.get(page.page) ?? page.page, name => tokensIn([page], name))),
      row(`${saved.length} saved real pages, sum`, name => tokensIn(saved, name)),
    ],
  };
  return toMarkdown(table);
}

const OUR_SNAPSHOTS = 'ours/interactive';
const PLAYWRIGHT = 'playwright-mcp/snapshot';
const COLUMNS = [OUR_SNAPSHOTS, 'ours/full', PLAYWRIGHT, 'mastra/interactive'];
const SHOWN = new Map([
  ['search-results', 'a page of search results (generated)'],
  ['shop-product', "a shop's product (generated)"],
  ['saved-bbc', "a broadcaster's front page (saved)"],
]);

const pagesSaved = ({ snapshots = [] }: BenchResults) => snapshots.filter(({ kind }) => kind === 'saved');

type Pages = NonNullable<BenchResults['snapshots']>;

const tokensIn = (pages: Pages, variant: string) =>
  sum(pages.map(page => known(page.variants[variant]?.tokens, `${variant} of ${page.page}`)));

const timeOfAction = (results: BenchResults, action: 'click', stack: string) =>
  known(results.actions?.[action][stack]?.median, `${action} of ${stack}`).toFixed(0);

const count = (value: number) => value.toLocaleString('en-US');
const mebibytesOf = (value: number | undefined) => count(Math.round(known(value, 'memory of ten threads')));
const asPercent = (value: number) => `${(value * 100).toFixed(0)} %`;

/** A README shows no gap: a run that lacks what it needs is refused. */
function known(value: number | undefined, what: string): number {
  if (value === undefined) throw new Error(`The latest runs do not have this: ${what}.`);
  return value;
}
