import type { BenchPage } from '../../pages/catalog.ts';
import type { PageServer } from '../../pages/server.ts';
import type { Stack, StackThread } from '../stacks/stack.ts';
import { round } from '../statistics.ts';
import { tokensOf } from '../tokens.ts';

export interface HugeResult {
  page: string;
  variant: string;
  /** Milliseconds of the first snapshot of the page. */
  ms: number;
  tokens: number;
  /** A second action on the same thread still works. */
  usable: boolean;
  error?: string;
}

const limit = 120_000;

/** One snapshot of pages that no agent should meet, each in a browser of its own: what it takes, and that nothing dies of it. */
export async function measureHuge(
  stacks: readonly Stack[],
  pages: readonly BenchPage[],
  server: PageServer,
): Promise<HugeResult[]> {
  const results: HugeResult[] = [];
  for (const page of pages) {
    for (const stack of stacks) {
      const variant = stack.name === 'ours' ? 'default' : stack.name === 'playwright' ? 'walk' : undefined;
      if (variant !== undefined)
        results.push(
          await attempt(stack, variant, { page: page.name, url: server.url(page.name), plain: server.url('plain') }),
        );
    }
  }
  return results;
}

interface Target {
  page: string;
  url: string;
  plain: string;
}

async function attempt(stack: Stack, variant: string, target: Target): Promise<HugeResult> {
  const browser = await stack.open();
  const thread = await browser.thread('huge');
  const name = `${stack.name}/${variant}`;
  try {
    await withLimit(thread.navigate(target.url));
    const { ms, text } = await withLimit(timedSnapshot(thread, variant));
    await withLimit(thread.navigate(target.plain));
    const after = await withLimit(timedSnapshot(thread, variant));
    return {
      page: target.page,
      variant: name,
      ms: round(ms, 0),
      tokens: tokensOf(text),
      usable: after.text.includes('Count'),
    };
  } catch (error) {
    return { page: target.page, variant: name, ms: 0, tokens: 0, usable: false, error: String(error).slice(0, 90) };
  } finally {
    await browser.close();
  }
}

async function timedSnapshot(thread: StackThread, variant: string): Promise<{ ms: number; text: string }> {
  const take = thread.snapshots[variant];
  if (!take) throw new Error(`no variant ${variant}`);
  const start = performance.now();
  const text = await take();
  return { ms: performance.now() - start, text };
}

async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limit / 1000} s`)), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
