import type { Page } from 'playwright-core';
import type { BenchPage } from '../../pages/catalog.ts';
import { interleave } from '../interleave.ts';
import { type Change, changePage, changes } from '../page-code/change-page.ts';
import { countElements } from '../page-code/dom-walk.ts';
import type { StackThread } from '../stacks/stack.ts';
import { type Spread, spread } from '../statistics.ts';
import type { SnapshotRun } from './snapshots.ts';

/** When a page is looked at: after one of the changes, or for the first time after a load. */
export type Moment = Change | 'load';
export const moments: readonly Moment[] = [...changes, 'load'];

export interface ChangedResult {
  page: string;
  elements: number;
  /** Milliseconds of a look, by moment and variant, such as `playwright/aria`. */
  moments: Record<Moment, Record<string, Spread>>;
}

/** One look of one stack, and the page that it looks at. */
interface Looker {
  name: string;
  thread: StackThread;
  page: Page;
  look(): Promise<string>;
}

/** Looks that are compared: what an agent asks for, of every stack, and the floors. */
const VARIANTS = new Set([
  'ours/interactive',
  'playwright/aria',
  'playwright/walk',
  'playwright-mcp/snapshot',
  'mastra/interactive',
]);

export async function measureChangedSnapshots(pages: readonly BenchPage[], run: SnapshotRun): Promise<ChangedResult[]> {
  const results: ChangedResult[] = [];
  for (const page of pages) results.push(await measureMoments(page, run));
  return results;
}

async function measureMoments({ name }: BenchPage, { server, browsers, rounds }: SnapshotRun): Promise<ChangedResult> {
  const url = server.url(name);
  const lookers: Looker[] = [];
  for (const [stack, browser] of browsers) {
    const thread = await browser.thread(`changed-${name}`);
    await thread.navigate(url);
    const page = await thread.browserPage?.();
    if (page === undefined) continue;
    for (const [variant, look] of Object.entries(thread.snapshots))
      if (VARIANTS.has(`${stack}/${variant}`)) lookers.push({ name: `${stack}/${variant}`, thread, page, look });
  }
  const elements = (await lookers[0]?.page.evaluate(countElements)) ?? 0;
  const times = {} as ChangedResult['moments'];
  for (const moment of moments) {
    let turn = 0;
    const subjects = lookers.map(({ name, thread, page, look }) => ({
      name,
      prepare: async () => {
        turn++;
        if (moment === 'load') return thread.navigate(`${url}?turn=${turn}`);
        // Whoever looks has seen the page as it was before.
        await look();
        await page.evaluate(changePage, { change: moment, turn });
      },
      run: look,
    }));
    const samples = await interleave(subjects, rounds);
    times[moment] = Object.fromEntries([...samples].map(([name, each]) => [name, spread(each)]));
  }
  for (const thread of new Set(lookers.map(looker => looker.thread))) await thread.close();
  return { page: name, elements, moments: times };
}
