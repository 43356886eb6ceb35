import { expect, test } from 'vitest';
import { type BrowserSession, BrowserToolset, type BrowserToolsetConfig } from '../../src/index.js';
import { expectFailure, expectSuccess, type Snapshot, servePages, testToolset } from '../fixtures.js';
import { ownFiles } from './machine.js';
import { elsewhere, pagesOf, startRemoteBrowser } from './remote-browser.js';

const temporary = ownFiles();
const remoteBrowser = (url = 'about:blank') => startRemoteBrowser(temporary.path('remote'), url);

const site = await servePages({
  '/': `<!doctype html><title>Mirror</title><script>
    setInterval(() => { document.title = innerWidth + ' ' + matchMedia('(prefers-color-scheme: dark)').matches }, 20)</script>`,
});

async function expectTitle(session: BrowserSession, title: string): Promise<void> {
  const look = async (): Promise<unknown> => (await session.snapshot()).title;
  await expect.poll(look).toBe(title);
}

test('pages of the context that a remote browser came with have the viewport of the options', async () => {
  const remote = await remoteBrowser();
  const session = testToolset({ cdpUrl: () => remote.url, viewport: { width: 640, height: 480 } }).session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  await expectTitle(session, '640 false');
  expect(await pagesOf(remote)).toEqual([site.url()]);
});

test('what is emulated does not move a session out of the context that its remote browser came with', async () => {
  const remote = await remoteBrowser();
  const toolset = testToolset({ cdpUrl: () => remote.url, sessions: { idleMs: 100 } });
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  expectSuccess(await session.emulate({ colorScheme: 'dark' }));
  await expect.poll(() => toolset.metrics().sessions.asleep).toBe(1);
  expect(expectSuccess(await session.snapshot()).recovered).toBeDefined();
  await expectTitle(session, '1280 true');
  expect(await pagesOf(remote)).toEqual([site.url()]);
});

test("a person's own browser has the options that its context has", async () => {
  const own: BrowserToolsetConfig = { cdpUrl: 'http://127.0.0.1:1', scope: 'shared' };
  const cases: BrowserToolsetConfig[] = [
    { viewport: { width: 640, height: 480 } },
    { userAgent: 'Test/1.0' },
    { locale: 'de-DE' },
    { timezoneId: 'Asia/Tokyo' },
    { colorScheme: 'dark' },
    { proxy: { server: 'http://127.0.0.1:1' } },
    { ignoreHTTPSErrors: true },
    { storageState: 'state.json' },
    { device: 'iPhone 15' },
  ];
  for (const options of cases) {
    const [name] = Object.keys(options);
    expect(() => new BrowserToolset({ ...own, ...options })).toThrow(new RegExp(`- ${name}: cannot be combined with`));
    expect(() => new BrowserToolset({ ...options })).not.toThrow();
  }
});

test("the pages of a person's own browser keep their size until it is changed, and nobody says otherwise", async () => {
  const remote = await remoteBrowser(site.url());
  await expect.poll(() => pagesOf(remote)).toEqual([site.url()]);
  const session = testToolset({ cdpUrl: remote.url, scope: 'shared' }).session('a');
  expect(expectSuccess(await session.emulate()).emulation).toEqual({ offline: false });
  const viewport = { width: 1280, height: 720 };
  expect(expectSuccess(await session.emulate({ viewport })).emulation).toEqual({ viewport, offline: false });
  await expectTitle(session, '1280 false');
});

test('a browser that makes no contexts does not pass over options that only a new one can have', async () => {
  const remote = await remoteBrowser();
  const there = temporary.path('other-machine');
  const url = await elsewhere(remote, { here: '/nowhere', there, refuses: 'Target.createBrowserContext' });
  const session = testToolset({ cdpUrl: url, locale: 'de-DE' }).session('a');
  const refused = expectFailure(await session.navigate({ url: site.url() }), 'browser_error');
  expect(refused).toMatchObject({ message: expect.stringContaining('locale'), canRetry: false });
  const plain = testToolset({ cdpUrl: url }).session('a');
  expectSuccess(await plain.navigate({ url: site.url() }));
  expectFailure(await plain.emulate({ device: 'iPhone 15' }), 'browser_error');
  const after: Snapshot = expectSuccess(await plain.snapshot());
  expect(after.tree).toContain('false');
});
