import type { BenchPage, PageKind } from '../../pages/catalog.ts';
import type { PageServer } from '../../pages/server.ts';
import { interleave, type Rounds, timeOf } from '../interleave.ts';
import { countElements } from '../page-code/dom-walk.ts';
import { PlaywrightThread } from '../stacks/playwright.ts';
import type { StackBrowser } from '../stacks/stack.ts';
import { type Spread, spread } from '../statistics.ts';
import { tokensOf } from '../tokens.ts';

interface VariantResult {
  /** Of a call that follows another one of its own: the processes are awake, their caches warm. */
  ms: Spread;
  /** Of a call after all others have had their turn, with what they left in the caches. */
  rested: Spread;
  tokens: number;
  chars: number;
}

export interface PageResult {
  page: string;
  kind: PageKind;
  elements: number;
  /** By stack and variant, such as `playwright-mcp/snapshot`. */
  variants: Record<string, VariantResult>;
}

export interface SnapshotRun {
  server: PageServer;
  browsers: ReadonlyMap<string, StackBrowser>;
  rounds: Rounds;
}

export async function measureSnapshots(pages: readonly BenchPage[], run: SnapshotRun): Promise<PageResult[]> {
  const results: PageResult[] = [];
  for (const page of pages) results.push(await measurePage(page, run));
  return results;
}

/** Every variant of every stack on one page, interleaved; each stack opens it in a thread of its own, so refs start afresh. */
async function measurePage(page: BenchPage, run: SnapshotRun): Promise<PageResult> {
  const texts = new Map<string, string>();
  const threads = await Promise.all(
    [...run.browsers].map(async ([name, browser]) => ({ name, thread: await browser.thread(page.name) })),
  );
  for (const { thread } of threads) await thread.navigate(run.server.url(page.name));
  const rested = new Map<string, number[]>();
  const subjects = threads.flatMap(({ name, thread }) =>
    Object.entries(thread.snapshots).map(([variant, take]) => {
      const subject = `${name}/${variant}`;
      const first: number[] = [];
      rested.set(subject, first);
      return {
        name: subject,
        prepare: async () => first.push(await timeOf(take)),
        run: async () => texts.set(subject, await take()),
      };
    }),
  );
  const samples = await interleave(subjects, run.rounds);
  const floor = threads.map(({ thread }) => thread).find(thread => thread instanceof PlaywrightThread);
  const elements = (await Promise.all((floor?.page.frames() ?? []).map(frame => frame.evaluate(countElements)))).reduce(
    (a, b) => a + b,
    0,
  );
  for (const { thread } of threads) await thread.close();
  const variants = [...samples].map(([name, times]) => {
    const text = texts.get(name) ?? '';
    const first = rested.get(name)?.slice(-times.length) ?? [];
    return [name, { ms: spread(times), rested: spread(first), tokens: tokensOf(text), chars: text.length }] as const;
  });
  return { page: page.name, kind: page.kind, elements, variants: Object.fromEntries(variants) };
}
