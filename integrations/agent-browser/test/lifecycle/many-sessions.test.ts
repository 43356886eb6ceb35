import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { BrowserToolset } from '../../src/index.js';
import { expectSuccess, servePages, testToolset } from '../fixtures.js';
import { browsersOf, ownTemporaryFolder } from './machine.js';

ownTemporaryFolder();
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const ROWS = Array.from({ length: 100 }, (_, row) => `<li>Item ${row} <button>Delete</button></li>`).join('');

/** What a session may cost at most once it is closed or asleep, in bytes. */
const MOST = 50_000;

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

async function use(
  toolset: BrowserToolset,
  { from, to, url }: { from: number; to: number; url: string },
): Promise<void> {
  for (let number = from; number < to; number++) {
    const session = toolset.session(`thread-${number}`);
    expectSuccess(await session.navigate({ url }));
    expectSuccess(await session.snapshot());
    if (number % 2 === 0) expectSuccess(await session.close());
  }
}

test('sessions that are closed or asleep cost next to nothing, however many there were', async () => {
  const site = await servePages({ '/': `<title>Page</title><ul>${ROWS}</ul><script>localStorage.x = 'y'</script>` });
  const toolset = testToolset({ sessions: { max: 3 } });
  await use(toolset, { from: 0, to: 20, url: site.url() });
  const before = heap();
  const timers = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  await use(toolset, { from: 20, to: 60, url: site.url() });
  expect((heap() - before) / 40).toBeLessThan(MOST);
  expect(process.getActiveResourcesInfo().filter(name => name === 'Timeout').length).toBeLessThan(timers + 4);
  expect(browsersOf()).toHaveLength(1);

  const early = expectSuccess(await toolset.session('thread-1').snapshot());
  expect(early.recovered).toEqual({ was: 'hibernated', now: '1 of 1 tab open again' });
});
