import { expect, test } from 'vitest';
import type { BrowserSession, CommonResult } from '../../src/index.js';
import { expectFailure, expectSuccess, refOf, type Site, servePages, testToolset } from '../fixtures.js';

const TIMEOUT = 800;

const site: Promise<Site> = servePages({
  '/': `<!doctype html><title>Fine</title><input aria-label="Name"><select aria-label="Size"><option>S<option>M</select>
    <button onclick="setTimeout(() => { for (;;); })">Hang</button><button>Other</button><a href="/next">Next</a>`,
  '/next': '<title>Next</title><h1>Next</h1>',
  '/born-hanging': '<title>Born hanging</title><script>for (;;);</script>',
  '/hangs-after-load': '<title>Hangs later</title><p>Text</p><script>onload = () => { for (;;); }</script>',
});

/** A session whose active tab runs an endless loop. */
async function hanging({
  timeout = TIMEOUT,
  navigationTimeout = 20_000,
} = {}): Promise<{ session: BrowserSession; ref: (role: string, name: string) => string }> {
  const session = testToolset({ timeout, navigationTimeout }).session('a');
  // There is a page to go back to.
  expectSuccess(await session.navigate({ url: (await site).url('/next') }));
  expectSuccess(await session.navigate({ url: (await site).url() }));
  const page = await readPage(session, 'Fine');
  const ref = (role: string, name: string): string => refOf(page, role, name);
  // The loop begins once the click is over.
  const hasAnswered = async (): Promise<boolean> => {
    await session.click({ ref: ref('button', 'Hang') });
    return (await session.snapshot()).success;
  };
  await expect.poll(hasAnswered).toBe(false);
  return { session, ref };
}

/** Reads the page once it has this title: on a busy machine, a new page may not answer the first call in time. */
async function readPage(session: BrowserSession, title: string): ReturnType<BrowserSession['snapshot']> {
  let page = await session.snapshot();
  const titleNow = async (): Promise<string | undefined> => {
    page = await session.snapshot();
    return page.title;
  };
  await expect.poll(titleNow).toBe(title);
  return expectSuccess(page);
}

test('every action on a page in an endless loop answers that it did not react', async () => {
  const { session, ref } = await hanging({ navigationTimeout: 3_000 });
  const calls: Record<string, () => Promise<CommonResult>> = {
    snapshot: () => session.snapshot(),
    find: () => session.find({ text: 'Next' }),
    click: () => session.click({ ref: ref('button', 'Other') }),
    'click a point': () => session.click({ x: 10, y: 10 }),
    type: () => session.type({ ref: ref('textbox', 'Name'), text: 'x' }),
    select: () => session.select({ ref: ref('combobox', 'Size'), labels: ['M'] }),
    press: () => session.press({ keys: 'a' }),
    scroll: () => session.scroll({ direction: 'down' }),
    screenshot: () => session.screenshot(),
    wait: () => session.wait({ for: { text: 'never' }, timeout: 1 }),
    history: () => session.history({ direction: 'back' }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const result = await call();
    expect([name, result.success, result.code]).toEqual([name, false, 'timeout']);
  }
});

test('an agent leaves a page in an endless loop by navigating, and is told how', async () => {
  const { session } = await hanging();
  expectFailure(await session.snapshot(), 'timeout');
  const next = expectSuccess(await session.navigate({ url: (await site).url('/next') }));
  expect(next.recovered?.was).toBe('the page did not respond');
  await readPage(session, 'Next');
  expect(expectSuccess(await session.tabs({ action: 'list' })).tabs).toHaveLength(1);
});

test('a page in an endless loop can be reloaded', async () => {
  const { session } = await hanging();
  expectFailure(await session.snapshot(), 'timeout');
  expectSuccess(await session.history({ direction: 'reload' }));
  await readPage(session, 'Fine');
});

test('another tab works while one hangs, and the one that hangs can be closed', async () => {
  const { session } = await hanging();
  expectSuccess(await session.tabs({ action: 'new', url: (await site).url('/next') }));
  await readPage(session, 'Next');
  const closed = expectSuccess(await session.tabs({ action: 'close', tab: 't1' }));
  expect(closed.tabs?.map(tab => tab.tab)).toEqual(['t2']);
});

test('a page that hangs from its first line on fails its navigation in time, and the next one works', async () => {
  const session = testToolset({ timeout: TIMEOUT, navigationTimeout: 2_000 }).session('a');
  expectFailure(await session.navigate({ url: (await site).url('/born-hanging') }), 'timeout');
  const next = (await site).url('/next');
  await expect.poll(async () => (await session.navigate({ url: next })).title).toBe('Next');
});

test('a page that hangs once it has loaded does not take its navigation with it', async () => {
  const session = testToolset({ timeout: TIMEOUT, navigationTimeout: 3_000 }).session('a');
  const result = await session.navigate({ url: (await site).url('/hangs-after-load') });
  expect(result.url).toBe((await site).url('/hangs-after-load'));
  const next = (await site).url('/next');
  await expect.poll(async () => (await session.navigate({ url: next })).title).toBe('Next');
});

test('a thread whose page hangs does not slow another thread', async () => {
  const { session } = await hanging({ timeout: 5_000 });
  const toolset = testToolset();
  const other = toolset.session('b');
  expectSuccess(await other.navigate({ url: (await site).url('/next') }));
  const slow = session.snapshot();
  const first = await Promise.race([slow, other.snapshot()]);
  expect(expectSuccess(first).title).toBe('Next');
  expectFailure(await slow, 'timeout');
});
