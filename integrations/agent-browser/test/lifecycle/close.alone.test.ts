import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BrowserToolset } from '../../src/index.js';
import { expectFailure, expectSuccess, launchingToolset, refOf, type Site, servePages } from '../fixtures.js';
import { browsersOf, descendantsOf, isRunning, ownTemporaryFolder, renderersOf } from './machine.js';

const temporary = ownTemporaryFolder();

function expectNothingLeft(before: number[]): void {
  expect(descendantsOf(process.pid).filter(pid => !before.includes(pid))).toEqual([]);
  expect(temporary.entries()).toEqual([]);
}

async function site(): Promise<Site> {
  return servePages({
    '/': '<title>Page</title><button>Stay</button><a href="/file">File</a>',
    '/file': (_, response) => {
      response.setHeader('content-disposition', 'attachment; filename=report.txt');
      response.end('report');
    },
  });
}

test('closing leaves no process and no temporary folder', async () => {
  const before = descendantsOf(process.pid);
  const { url } = await site();
  const toolset = launchingToolset();
  for (const thread of ['a', 'b', 'c']) {
    const session = toolset.session(thread);
    expectSuccess(await session.navigate({ url: url() }));
    expectSuccess(await session.screenshot());
    await session.navigate({ url: url('/file') });
  }
  expect(temporary.entries().length).toBeGreaterThan(2);
  await toolset.close();
  expectNothingLeft(before);
});

test('closing after the browser was killed leaves nothing either', async () => {
  const before = descendantsOf(process.pid);
  const toolset = launchingToolset();
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  for (const pid of browsersOf()) process.kill(pid, 'SIGKILL');
  await toolset.close();
  expectNothingLeft(before);

  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  const [pid = 0] = browsersOf();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
  expectSuccess(await toolset.session('a').snapshot());
  await toolset.close();
  expectNothingLeft(before);
});

test('closing removes the shared memory that a process of the browser had no time to, and nobody else’s', async () => {
  const toolset = launchingToolset();
  const others = ['.org.chromium.Chromium.before', '.org.other.program', 'org.chromium.Chromium.named0'];
  for (const name of others) writeFileSync(join(tmpdir(), name), '');
  utimesSync(join(tmpdir(), '.org.chromium.Chromium.before'), 1, 1);
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  writeFileSync(join(tmpdir(), '.org.chromium.Chromium.a1B2c3'), '');
  await toolset.close();
  expect(temporary.entries().sort()).toEqual(others.sort());
  for (const name of others) rmSync(join(tmpdir(), name));
});

test('closing a browser that does not react ends it by force', async () => {
  const before = descendantsOf(process.pid);
  const toolset = launchingToolset();
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  for (const pid of browsersOf()) process.kill(pid, 'SIGSTOP');
  await toolset.close();
  expectNothingLeft(before);
});

test('closing with pages that hang, hold a dialog or want to keep the visitor leaves nothing', async () => {
  const { url } = await servePages({
    '/hang': '<title>Hang</title><button onclick="setTimeout(() => { for (;;); })">Do</button>',
    '/ask': `<title>Ask</title><button onclick="confirm('Sure?')">Do</button>`,
    '/stay': `<title>Stay</title><button onclick="onbeforeunload = event => event.preventDefault()">Do</button>`,
  });
  const before = descendantsOf(process.pid);
  const toolset = launchingToolset({ timeout: 2_000 });
  for (const path of ['/hang', '/ask', '/stay']) {
    const session = toolset.session(path);
    expectSuccess(await session.navigate({ url: url(path) }));
    await session.click({ ref: refOf(expectSuccess(await session.snapshot()), 'button', 'Do') });
  }
  await toolset.close();
  expectNothingLeft(before);
});

test('a call that runs or waits when the toolset is closed answers that the browser was closed', async () => {
  const { url } = await site();
  const toolset = launchingToolset();
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: url() }));
  const running = session.wait({ for: { text: 'never there' }, timeout: 60 });
  const waiting = session.click({ ref: '@e1' });
  const starting = toolset.session('b').navigate({ url: url() });
  await toolset.close();
  for (const call of [running, waiting, starting]) expectFailure(await call, 'browser_closed');
  expect(browsersOf()).toEqual([]);
});

test('closing twice, also at the same time, is closing once', async () => {
  const toolset = launchingToolset();
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
  await Promise.all([toolset.close(), toolset.close()]);
  await toolset.close();
  expect(browsersOf()).toEqual([]);
  expect(temporary.entries()).toEqual([]);
});

test('closing what was never started does nothing', async () => {
  await new BrowserToolset().close();
  expect(temporary.entries()).toEqual([]);
});

test('a closed toolset can be used again; old refs and tab ids mean nothing new', async () => {
  const { url } = await site();
  const toolset = launchingToolset();
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: url() }));
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Stay');
  await toolset.close();

  const again = expectSuccess(await session.navigate({ url: url() }));
  expect(again.recovered).toBeUndefined();
  const failure = await session.click({ ref });
  expect(failure.success).toBe(false);
  expect(['stale_ref', 'invalid_ref']).toContain(failure.code);
  const fresh = refOf(expectSuccess(await session.snapshot()), 'button', 'Stay');
  expect(fresh).not.toBe(ref);
  expect(expectSuccess(await session.tabs({ action: 'list' })).tabs?.map(tab => tab.tab)).toEqual(['t2']);
  expectFailure(await session.tabs({ action: 'switch', tab: 't1' }), 'invalid_input');
});

test('browser_close closes one thread alone, and the last one takes the browser with it', async () => {
  const toolset = launchingToolset();
  for (const thread of ['a', 'b']) expectSuccess(await toolset.session(thread).navigate({ url: 'about:blank' }));
  const [browser = 0] = browsersOf();
  const renderers = renderersOf(browser);
  expectSuccess(await toolset.session('a').close());
  expect(toolset.isBrowserRunning('a')).toBe(false);
  expect(toolset.isBrowserRunning('b')).toBe(true);
  // The context that is kept for a third thread may have come meanwhile.
  await expect.poll(() => renderers.filter(pid => !renderersOf(browser).includes(pid))).not.toEqual([]);
  expectSuccess(await toolset.session('b').close());
  expect(browsersOf()).toEqual([]);
  expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
});

test('calls that wait behind browser_close open the session anew', async () => {
  const { url } = await site();
  const session = launchingToolset().session('a');
  expectSuccess(await session.navigate({ url: url() }));
  const [closed, opened] = await Promise.all([session.close(), session.navigate({ url: url() })]);
  expectSuccess(closed);
  expect(expectSuccess(opened).title).toBe('Page');
});

test('a thread that is closed from outside loses its session and no other does', async () => {
  const toolset = launchingToolset();
  for (const thread of ['a', 'b']) expectSuccess(await toolset.session(thread).navigate({ url: 'about:blank' }));
  const waiting = toolset.session('a').wait({ for: { text: 'never there' }, timeout: 20 });
  await toolset.closeThreadSession('a');
  expectFailure(await waiting, 'browser_closed');
  expect(toolset.isBrowserRunning('b')).toBe(true);
});

test('"await using" closes at the end of the block', async () => {
  {
    await using toolset = new BrowserToolset();
    expectSuccess(await toolset.session('a').navigate({ url: 'about:blank' }));
    expect(browsersOf()).toHaveLength(1);
  }
  expect(browsersOf()).toEqual([]);
  expect(temporary.entries()).toEqual([]);
});

test('a call made while the toolset closes does not hang, and the next one starts it again', async () => {
  const toolset = launchingToolset();
  const session = toolset.session('a');
  expectSuccess(await session.navigate({ url: 'about:blank' }));
  const closing = toolset.close();
  const call = session.navigate({ url: 'about:blank' });
  await closing;
  const result = await call;
  if (!result.success) expectFailure(result, 'browser_closed');
  expectSuccess(await session.navigate({ url: 'about:blank' }));
  expect(browsersOf()).toHaveLength(1);
});

test('listeners for signals and the end of the process go with the last toolset', async () => {
  const count = () => ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map(name => process.listenerCount(name));
  const before = count();
  const toolsets = [launchingToolset(), launchingToolset()];
  await Promise.all(toolsets.map(toolset => toolset.session('a').navigate({ url: 'about:blank' })));
  expect(count()).not.toEqual(before);
  await Promise.all(toolsets.map(toolset => toolset.close()));
  expect(count()).toEqual(before);
});
