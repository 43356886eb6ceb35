import type { BenchPage, PageKind } from '../../pages/catalog.ts';
import type { PageServer } from '../../pages/server.ts';
import { oracleExpression } from '../page-code/load-oracle.ts';
import type { Judgement } from '../page-code/oracle.ts';
import { PlaywrightThread, playwright } from '../stacks/playwright.ts';
import type { RefTarget, StackBrowser } from '../stacks/stack.ts';
import { round } from '../statistics.ts';

interface RefScore {
  refs: number;
  /** Share of the elements that are owed a ref and have one. */
  recall: number;
  /** Share of the refs that stand for such an element; neutral ones are left out. */
  precision: number;
  missed: string[];
  wrong: string[];
  found: number;
  right: number;
  judged: number;
}

export interface RecallResult {
  page: string;
  kind: PageKind;
  /** Elements that are owed a ref. */
  targets: number;
  stacks: Record<string, RefScore>;
}

/** Refs of each stack against the oracle's judgement of the same page, taken in a browser of its own. */
export async function measureRecall(
  pages: readonly BenchPage[],
  server: PageServer,
  browsers: ReadonlyMap<string, StackBrowser>,
): Promise<RecallResult[]> {
  const floor = await playwright.open();
  const results: RecallResult[] = [];
  for (const page of pages) {
    const judgements = await oracleJudgements(floor, server.url(page.name));
    const stacks: Record<string, RefScore> = {};
    for (const [name, browser] of browsers) {
      const thread = await browser.thread(`recall-${page.name}`);
      await thread.navigate(server.url(page.name));
      const refs = await thread.interactiveRefs?.();
      if (refs) stacks[name] = score(refs, judgements);
      await thread.close();
    }
    results.push({
      page: page.name,
      kind: page.kind,
      targets: judgements.filter(({ verdict }) => verdict === 'target').length,
      stacks,
    });
  }
  await floor.close();
  return results;
}

async function oracleJudgements(floor: StackBrowser, url: string): Promise<Judgement[]> {
  const thread = await floor.thread('oracle');
  await thread.navigate(url);
  if (!(thread instanceof PlaywrightThread)) throw new Error('the oracle needs a page');
  await thread.page.waitForLoadState('load');
  const judged = await Promise.all(thread.page.frames().map(frame => frame.evaluate<Judgement[]>(oracleExpression())));
  await thread.close();
  return judged.flat();
}

function score(refs: readonly RefTarget[], judgements: readonly Judgement[]): RefScore {
  const targets = judgements.filter(({ verdict }) => verdict === 'target');
  const neutral = new Set(judgements.filter(({ verdict }) => verdict === 'neutral').map(({ key }) => key));
  const owed = new Set(targets.flatMap(({ key, aliases }) => [key, ...aliases]));
  const given = new Set(refs.map(({ key }) => key));
  const missed = targets.filter(({ key, aliases }) => ![key, ...aliases].some(handle => given.has(handle)));
  const isRight = ({ key }: RefTarget) => key !== undefined && owed.has(key);
  const isNeutral = ({ key, role }: RefTarget) => role === 'iframe' || (key !== undefined && neutral.has(key));
  const right = refs.filter(isRight).length;
  const wrong = refs.filter(ref => !isRight(ref) && !isNeutral(ref));
  return {
    refs: refs.length,
    recall: share(targets.length - missed.length, targets.length),
    precision: share(right, right + wrong.length),
    missed: missed.slice(0, 10).map(({ what }) => what),
    wrong: wrong.slice(0, 10).map(({ ref, role, key }) => `${ref} ${role} ${key?.split(' ')[1] ?? 'leads nowhere'}`),
    found: targets.length - missed.length,
    right,
    judged: right + wrong.length,
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : round(part / whole, 4);
}
