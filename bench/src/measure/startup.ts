import type { PageServer } from '../../pages/server.ts';
import { interleave, type Rounds } from '../interleave.ts';
import type { Stack, StackBrowser, StackThread } from '../stacks/stack.ts';
import { type Spread, spread } from '../statistics.ts';

export interface StartupResults {
  /** Milliseconds from the constructor to the first page: the browser's start included. */
  firstPage: Record<string, Spread>;
  /** Milliseconds of one more thread and its first page, in a toolset that is running. */
  newThread: Record<string, Spread>;
}

export async function measureStartup(
  stacks: readonly Stack[],
  server: PageServer,
  rounds: Rounds,
): Promise<StartupResults> {
  const url = server.url('plain');
  const firstPage = await timeFirstPage(stacks, url, rounds);
  const newThread = await timeNewThread(stacks, url, rounds);
  return { firstPage: byName(firstPage), newThread: byName(newThread) };
}

async function timeFirstPage(stacks: readonly Stack[], url: string, rounds: Rounds): Promise<Map<string, number[]>> {
  let opened: StackBrowser | undefined;
  const close = async () => {
    await opened?.close();
    opened = undefined;
  };
  const subjects = stacks.map(stack => ({
    name: stack.name,
    prepare: close,
    run: async () => {
      opened = await stack.open();
      const thread = await opened.thread('first');
      await thread.navigate(url);
    },
  }));
  const samples = await interleave(subjects, rounds);
  await close();
  return samples;
}

async function timeNewThread(stacks: readonly Stack[], url: string, rounds: Rounds): Promise<Map<string, number[]>> {
  let count = 0;
  let latest: StackThread | undefined;
  const browsers: StackBrowser[] = [];
  const subjects = [];
  for (const stack of stacks) {
    const browser = await stack.open();
    browsers.push(browser);
    await (await browser.thread('running')).navigate(url);
    const run = async () => {
      latest = await browser.thread(`new-${count++}`);
      await latest.navigate(url);
    };
    subjects.push({ name: stack.name, run, prepare: async () => latest?.close() });
  }
  const samples = await interleave(subjects, rounds);
  for (const browser of browsers) await browser.close();
  return samples;
}

function byName(samples: ReadonlyMap<string, readonly number[]>): Record<string, Spread> {
  return Object.fromEntries([...samples].map(([name, times]) => [name, spread(times)]));
}
