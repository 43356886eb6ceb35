import type { PageResult } from '../measure/snapshots.ts';
import { sum } from '../statistics.ts';
import { judgeAgentPrompt } from './agent-prompt-report.ts';
import { judgeChanged } from './changed-report.ts';
import { judgeFramework } from './framework-report.ts';
import { judgeLive } from './live-bars.ts';
import { judgeMcp } from './mcp-report.ts';
import { judgePrompt } from './prompt-report.ts';
import type { BenchResults } from './results.ts';
import type { Bar } from './table.ts';

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const factor = (ratio: number) => `${ratio.toFixed(ratio < 1 ? 3 : 2)}x`;

export function judge(results: BenchResults): Bar[] {
  return [
    ...judgeFramework(results.framework),
    ...judgeChanged(results.changed),
    ...tokenBars(results),
    ...recallBars(results),
    ...actionBars(results),
    ...resourceBars(results),
    ...agentBars(results),
    ...judgeMcp(results.mcp),
    ...readBars(results),
    ...hugeBars(results),
    ...judgePrompt(results.prompt),
    ...judgeAgentPrompt(results.agentPrompt),
    ...judgeLive(results.live),
  ];
}

interface Ratio {
  page: string;
  value: number;
}

type Measure = (page: PageResult, variant: string) => number | undefined;

const tokens: Measure = (page, variant) => page.variants[variant]?.tokens;

function ratiosByPage(
  pages: readonly PageResult[],
  measure: Measure,
  [ours, other]: readonly [string, string],
): Ratio[] {
  return pages.flatMap(page => {
    const [a, b] = [measure(page, ours), measure(page, other)];
    return a === undefined || b === undefined ? [] : [{ page: page.page, value: a / b }];
  });
}

function tokenBars({ snapshots = [] }: BenchResults): Bar[] {
  const pages = snapshots.filter(({ kind }) => kind === 'saved');
  return [
    ...total('Tokens, interactive, against @playwright/mcp, saved pages', 0.2, {
      pages,
      pair: ['ours/interactive', 'playwright-mcp/snapshot'],
    }),
    ...total('Tokens, interactive, against @mastra/agent-browser interactive, saved pages', 1.1, {
      pages,
      pair: ['ours/interactive', 'mastra/interactive'],
    }),
    ...total('Tokens, full, against @playwright/mcp, saved pages', 0.5, {
      pages,
      pair: ['ours/full', 'playwright-mcp/snapshot'],
    }),
  ];
}

function total(
  what: string,
  limit: number,
  { pages, pair }: { pages: readonly PageResult[]; pair: readonly [string, string] },
): Bar[] {
  const found = ratiosByPage(pages, tokens, pair);
  if (found.length === 0) return [];
  const [ours, other] = pair.map(variant => sum(pages.map(page => tokens(page, variant) ?? 0)));
  const ratio = (ours ?? 0) / (other ?? 1);
  const worst = Math.max(...found.map(({ value }) => value));
  return [
    {
      what,
      bar: `<= ${factor(limit)}`,
      measured: `${factor(ratio)} in sum, worst page ${factor(worst)}`,
      pass: ratio <= limit,
    },
  ];
}

function recallBars({ recall = [] }: BenchResults): Bar[] {
  const scores = recall.flatMap(({ page, targets, stacks }) =>
    stacks.ours ? [{ page, targets, ...stacks.ours }] : [],
  );
  if (scores.length === 0) return [];
  const found = sum(scores.map(score => score.found)) / sum(scores.map(score => score.targets));
  const right = sum(scores.map(score => score.right)) / sum(scores.map(score => score.judged));
  const worst = (key: 'recall' | 'precision') => scores.toSorted((a, b) => a[key] - b[key])[0];
  const describe = (share: number, key: 'recall' | 'precision') =>
    `${percent(share)}, worst ${percent(worst(key)?.[key] ?? 1)} (${worst(key)?.page})`;
  return [
    {
      what: 'Visible interactive elements that have a ref (recall)',
      bar: '>= 99 %',
      measured: describe(found, 'recall'),
      pass: found >= 0.99,
    },
    {
      what: 'Refs that stand for one (precision)',
      bar: '>= 97 %',
      measured: describe(right, 'precision'),
      pass: right >= 0.97,
    },
  ];
}

function readBars({ read = [] }: BenchResults): Bar[] {
  if (read.length === 0) return [];
  const mean = (of: 'ours' | 'library') => sum(read.map(article => article[of].f1)) / read.length;
  return [
    {
      what: `Articles read (F1 by words, ${read.length} saved pages) against the extractor alone`,
      bar: `>= ${mean('library').toFixed(3)}`,
      measured: `${mean('ours').toFixed(3)}`,
      pass: mean('ours') >= mean('library'),
    },
  ];
}

function actionBars({ actions }: BenchResults): Bar[] {
  return Object.entries(actions ?? {}).flatMap(([action, stacks]) => {
    const [ours, floor] = [stacks.ours?.median, stacks.ours?.floor];
    if (ours === undefined || floor === undefined) return [];
    return [
      {
        what: `${action} against bare playwright-core`,
        bar: '<= 1.30x',
        measured: `${factor(ours / floor)} (${ours.toFixed(1)} / ${floor.toFixed(1)} ms)`,
        pass: ours / floor <= 1.3,
      },
    ];
  });
}

function agentBars({ agent }: BenchResults): Bar[] {
  if (agent === undefined) return [];
  const bar = (what: string, median: number, most: number): Bar => ({
    what,
    bar: `<= ${most} ms`,
    measured: `${median.toFixed(0)} ms`,
    pass: median <= most,
  });
  return [
    bar("A browser agent's step beside model and actions", agent.plain.median, 40),
    bar('The same with a picture', agent.withPicture.median, 120),
  ];
}

function resourceBars({ memory, startup, schemas }: BenchResults): Bar[] {
  const bars: Bar[] = [];
  const three = memory?.ours?.['3'];
  if (three) {
    const measured = `${three.mebibytes.toFixed(0)} MiB${three.strangers > 0 ? ' (too low: other browsers were running)' : ''}`;
    const pass = three.mebibytes >= 450 ? false : three.strangers > 0 ? undefined : true;
    bars.push({ what: 'Memory of 3 isolated threads (PSS)', bar: '< 450 MiB', measured, pass });
  }
  const thread = startup?.newThread.ours?.median;
  if (thread !== undefined)
    bars.push({
      what: 'A new thread with its first page',
      bar: '< 150 ms',
      measured: `${thread.toFixed(0)} ms`,
      pass: thread < 150,
    });
  const size = schemas?.ours;
  if (size)
    bars.push({
      what: `Schemas of the ${size.tools} default tools`,
      bar: '<= 12 KB',
      measured: `${size.bytes} bytes`,
      pass: size.bytes <= 12 * 1024,
    });
  return bars;
}

function hugeBars({ huge = [] }: BenchResults): Bar[] {
  return huge
    .filter(({ variant }) => variant.startsWith('ours/'))
    .map(({ page, ms, tokens: size, usable, error }) => ({
      what: `${page}: a snapshot in seconds, nothing crashes`,
      bar: '< 10 s',
      measured: error ?? `${(ms / 1000).toFixed(1)} s, ${size} tokens`,
      pass: usable && ms < 10_000,
    }));
}
