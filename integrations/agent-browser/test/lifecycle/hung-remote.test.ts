import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectFailure, expectSuccess, type Route, refOf, type Site, servePages, testToolset } from '../fixtures.js';
import { ownFiles } from './machine.js';
import { elsewhere, pagesOf, spy, startRemoteBrowser } from './remote-browser.js';

const temporary = ownFiles();
const remoteBrowser = () => startRemoteBrowser(temporary.path('remote'), 'about:blank');
/** What has to wait for a page that never answers waits no longer than this. */
const patience = { timeout: 2_500, launchTimeout: 20_000 };

/** The script of the page that is born hanging has begun, and lets nothing else run any more. */
let isHanging = false;

const pages: Record<string, Route> = {
  '/': '<title>Home</title>',
  '/hang': '<title>Hang</title><button onclick="setTimeout(() => { for (;;); })">Hang</button>',
  '/closed': `<title>Closed</title><my-part></my-part><script>
    document.querySelector('my-part').attachShadow({ mode: 'closed' }).innerHTML = '<button>Inside</button>';</script>`,
  '/born-hanging': `<title>Born hanging</title><script>
    const request = new XMLHttpRequest();
    request.open('GET', '/hanging', false);
    request.send();
    for (;;);</script>`,
  '/hanging'(_, response) {
    isHanging = true;
    response.end();
  },
};

let site: Site;
beforeAll(async () => {
  site = await servePages(pages);
});
afterAll(() => site.close());

/** Leaves the session with a page that will never answer again. */
async function hang(session: BrowserSession): Promise<void> {
  expectSuccess(await session.navigate({ url: site.url('/hang') }));
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Hang');
  await session.click({ ref });
}

test('a page that hangs when its connection drops is closed, and opened again for its thread', async () => {
  const remote = await remoteBrowser();
  const between = await spy(remote);
  const toolset = testToolset({ cdpUrl: () => between.url, cdpHeaders: { 'x-pool': 'key' }, ...patience });
  const session = toolset.session('a');
  await hang(session);
  between.cut();

  const { recovered, title } = expectSuccess(await session.snapshot());
  expect(title).toBe('Hang');
  expect(recovered).toEqual({
    was: 'a page left in the browser did not respond; browser gone',
    now: 'closed; 1 of 1 tab reopened',
  });
  expect(await pagesOf(remote)).toEqual([site.url('/hang')]);
  for (const { headers } of between.asked) expect(headers['x-pool']).toBe('key');
});

test('a page that hangs is no bar to another thread once its session was closed', async () => {
  const remote = await remoteBrowser();
  const toolset = testToolset({ cdpUrl: () => remote.socket, ...patience });
  const [a, b] = [toolset.session('a'), toolset.session('b')];
  await hang(a);
  expectSuccess(await a.close());

  const { recovered } = expectSuccess(await b.navigate({ url: site.url('/') }));
  expect(recovered).toEqual({ was: 'a page left in the browser did not respond', now: 'closed' });
  expect(await pagesOf(remote)).toEqual([site.url('/')]);
});

test('a process that takes a thread over closes the page that its record names', async () => {
  const remote = await remoteBrowser();
  const kept = new Map<string, string>();
  const records = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: string) => void kept.set(key, value),
    delete: async (key: string) => void kept.delete(key),
  };
  const between = await spy(remote);
  const here = testToolset({ cdpUrl: () => between.url, records, ...patience }).session('a');
  await hang(here);
  between.cut();

  const there = testToolset({ cdpUrl: () => remote.url, records, ...patience }).session('a');
  const { recovered, title } = expectSuccess(await there.snapshot());
  expect(title).toBe('Hang');
  expect(recovered?.was).toContain('did not respond');
  expect(await pagesOf(remote)).toEqual([site.url('/hang')]);
});

test("somebody else's page that hangs is named, and left alone", async () => {
  const remote = await remoteBrowser();
  const url = site.url('/born-hanging?token=private');
  const { id } = (await (await fetch(`${remote.url}/json/new?${url}`, { method: 'PUT' })).json()) as { id: string };
  await expect.poll(() => isHanging).toBe(true);

  const session = testToolset({ cdpUrl: () => remote.url, ...patience, launchTimeout: 4_000 }).session('a');
  const { message } = expectFailure(await session.snapshot(), 'browser_error');
  expect(message).toContain(`the page at ${new URL(url).origin} (target ${id}) does not respond`);
  expect(message).not.toContain('private');
  expect(await pagesOf(remote)).toContain(url);
  // Whoever closes it lets everybody in.
  await fetch(`${remote.url}/json/close/${id}`);
  expectSuccess(await session.navigate({ url: site.url('/') }));
});

test('a browser that stops answering fails each call that needs it in time, and is used again when it goes on', async () => {
  const remote = await remoteBrowser();
  const kept = new Map<string, string>();
  const records = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: string) => void kept.set(key, value),
    delete: async (key: string) => void kept.delete(key),
  };
  const options = { cdpUrl: () => remote.url, records, timeout: 500, navigationTimeout: 4_000, launchTimeout: 4_000 };
  const [here, there] = [testToolset(options).session('a'), testToolset(options).session('a')];
  // The limits above are short, and a busy machine needs more than one of them.
  const slowly = { timeout: 60_000 };
  await vi.waitFor(async () => expectSuccess(await here.navigate({ url: site.url('/hang') })), slowly);
  const ref = refOf(await vi.waitFor(async () => expectSuccess(await here.snapshot()), slowly), 'button', 'Hang');

  process.kill(remote.pid, 'SIGSTOP');
  expectFailure(await here.snapshot(), 'timeout');
  expectFailure(await here.click({ ref }), 'timeout');
  expectFailure(await here.navigate({ url: site.url('/') }), 'timeout');
  // Nor can another process attach to it.
  expectFailure(await there.navigate({ url: site.url('/') }), 'browser_error');
  process.kill(remote.pid, 'SIGCONT');

  await vi.waitFor(async () => expectSuccess(await there.navigate({ url: site.url('/') })), slowly);
  await expect.poll(async () => (await here.snapshot()).title, slowly).toBe('Home');
});

test('a page that stops answering while it is looked into is read as far as it came', async () => {
  const remote = await remoteBrowser();
  const folder = temporary.path('here');
  const silent = await elsewhere(remote, { here: folder, there: folder, ignores: 'DOM.describeNode' });
  const session = testToolset({ cdpUrl: () => silent, ...patience }).session('a');
  expect(expectSuccess(await session.navigate({ url: site.url('/closed') })).title).toBe('Closed');
  expectSuccess(await session.snapshot());
});
