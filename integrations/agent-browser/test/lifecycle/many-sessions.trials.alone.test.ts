import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import type { BrowserToolset } from '../../src/index.js';
import { expectSuccess, launchingToolset, pageOf, servePages } from '../fixtures.js';
import { browsersOf, ownTemporaryFolder } from './machine.js';

ownTemporaryFolder();
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const ROWS = Array.from({ length: 100 }, (_, row) => `<li>Item ${row} <button>Delete</button></li>`).join('');

/** Sessions after which all that is made once is there, and all sessions. */
const FIRST = trials.size({ slice: 4, full: 20 });
const ALL = trials.size({ slice: 12, full: 60 });

/** Sessions that have a browser at the same time. */
const AWAKE = 3;

/** What a session may cost at most once it is closed or asleep, in bytes. The first dozen finds what is made once. */
const MOST = trials.size({ slice: 500_000, full: 50_000 });

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** The pages of all sessions, as long as anything else keeps them. */
const pages: WeakRef<Page>[] = [];

async function keptPages(): Promise<number> {
  // What a reference was asked for stays until the turn is over.
  await turn();
  collectGarbage();
  return pages.filter(page => page.deref() !== undefined).length;
}

async function use(
  toolset: BrowserToolset,
  { from, to, url }: { from: number; to: number; url: string },
): Promise<void> {
  for (let number = from; number < to; number++) {
    const session = toolset.session(`thread-${number}`);
    expectSuccess(await session.navigate({ url }));
    expectSuccess(await session.snapshot());
    pages.push(new WeakRef(await pageOf(toolset, session.threadId)));
    if (number % 2 === 0) expectSuccess(await session.close());
  }
}

test('sessions that are closed or asleep cost next to nothing, however many there were', {
  timeout: trials.limit,
}, async () => {
  const site = await servePages({ '/': `<title>Page</title><ul>${ROWS}</ul><script>localStorage.x = 'y'</script>` });
  const toolset = launchingToolset({ sessions: { max: AWAKE } });
  await use(toolset, { from: 0, to: FIRST, url: site.url() });
  const before = heap();
  const timers = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  await use(toolset, { from: FIRST, to: ALL, url: site.url() });
  expect((heap() - before) / (ALL - FIRST)).toBeLessThan(MOST);
  expect(process.getActiveResourcesInfo().filter(name => name === 'Timeout').length).toBeLessThan(timers + 4);
  expect(browsersOf()).toHaveLength(1);
  // What closes a page may hold it a moment longer than its session's call.
  await expect.poll(keptPages, { timeout: 10_000 }).toBeLessThanOrEqual(AWAKE);

  const early = expectSuccess(await toolset.session('thread-1').snapshot());
  expect(early.recovered).toEqual({ was: 'hibernated', now: '1 of 1 tab reopened' });
});
