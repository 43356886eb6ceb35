import { setTimeout as pause } from 'node:timers/promises';
import type { PageServer } from '../../pages/server.ts';
import { interleave, type Rounds } from '../interleave.ts';
import type { Stack, StackBrowser, StackThread } from '../stacks/stack.ts';
import { type Spread, spread } from '../statistics.ts';

export interface StartupResults {
  /** Milliseconds from the constructor to the first page: the browser's start included. */
  firstPage: Record<string, Spread>;
  /** Milliseconds of one more thread and its first page, in a toolset that is running. */
  newThread: Record<string, Spread>;
  /** The same for a thread that comes the moment another one of that toolset has opened its first page and was closed. */
  nextThread: Record<string, Spread>;
}

/** What a stack does in the background once a thread has come is its own cost, in milliseconds, and nobody else's. */
const REST = 400;

export async function measureStartup(
  stacks: readonly Stack[],
  server: PageServer,
  rounds: Rounds,
): Promise<StartupResults> {
  const url = server.url('plain');
  const firstPage = await timeFirstPage(stacks, url, rounds);
  const newThread = await timeNewThread(stacks, { url, rounds });
  const nextThread = await timeNewThread(stacks, { url, rounds, follows: true });
  return { firstPage: byName(firstPage), newThread: byName(newThread), nextThread: byName(nextThread) };
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

interface NewThreads {
  url: string;
  rounds: Rounds;
  /** Another thread comes and goes right before. */
  follows?: boolean;
}

async function timeNewThread(
  stacks: readonly Stack[],
  { url, rounds, follows }: NewThreads,
): Promise<Map<string, number[]>> {
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
    const prepare = async () => {
      await latest?.close();
      await pause(REST);
      if (!follows) return;
      await run();
      await latest?.close();
    };
    subjects.push({ name: stack.name, run, prepare });
  }
  const samples = await interleave(subjects, rounds);
  for (const browser of browsers) await browser.close();
  return samples;
}

function byName(samples: ReadonlyMap<string, readonly number[]>): Record<string, Spread> {
  return Object.fromEntries([...samples].map(([name, times]) => [name, spread(times)]));
}
