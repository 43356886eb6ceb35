import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import {
  expectFailure,
  expectSuccess,
  launchingToolset,
  refOf,
  type Site,
  servePages,
  testToolset,
} from '../fixtures.js';

const PAGE = `<!doctype html><title>Page</title><button onclick="document.title += '+'">Count</button>`;

/** A server that takes requests and never answers. */
const silent = createServer(() => undefined);
let site: Site;

beforeAll(async () => {
  site = await servePages({ '/': PAGE });
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

function silentUrl(): string {
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
}

async function opened(): Promise<BrowserSession> {
  const session = testToolset().session('a');
  expectSuccess(await session.navigate({ url: site.url() }));
  return session;
}

test('calls of one thread at the same time run one after another in the order they came', async () => {
  const session = await opened();
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Count');
  const results = await Promise.all(Array.from({ length: 5 }, () => session.click({ ref })));
  expect(results.map(result => result.title)).toEqual(['Page+', 'Page++', 'Page+++', 'Page++++', 'Page+++++']);
});

test('a thread that waits does not hold up another', async () => {
  const toolset = testToolset();
  const [first, second] = [toolset.session('a'), toolset.session('b')];
  expectSuccess(await first.navigate({ url: site.url() }));
  const order: string[] = [];
  const waiting = first.wait({ for: { text: 'never there' }, timeout: 20 }).then(() => order.push('a'));
  expectSuccess(await second.navigate({ url: site.url() }));
  order.push('b');
  await toolset.close();
  await waiting;
  expect(order).toEqual(['b', 'a']);
});

test('a call that is cancelled before it starts does nothing', async () => {
  const session = await opened();
  const result = await session.navigate({ url: silentUrl() }, { signal: AbortSignal.abort() });
  expectFailure(result, 'aborted');
  expect(expectSuccess(await session.snapshot()).title).toBe('Page');
});

test('a call that is cancelled while it waits for its turn answers at once and does nothing', async () => {
  const session = await opened();
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Count');
  const running = session.wait({ for: { seconds: 1 } });
  const cancel = new AbortController();
  const click = session.click({ ref }, { signal: cancel.signal });
  cancel.abort();
  const first = await Promise.race([click, running]);
  expectFailure(first, 'aborted');
  expectSuccess(await running);
  expect(expectSuccess(await session.snapshot()).title).toBe('Page');
});

test('a navigation to a page that never answers ends when it is cancelled, and the next call works', async () => {
  const session = await opened();
  const cancel = new AbortController();
  const call = session.navigate({ url: silentUrl() }, { signal: cancel.signal });
  await once(silent, 'request');
  cancel.abort();
  expectFailure(await call, 'aborted');
  expect(expectSuccess(await session.navigate({ url: site.url() })).title).toBe('Page');
});

test('a click that waits for a covered element and is cancelled does not click when the cover goes', async () => {
  const page = `<!doctype html><title>0</title><button onclick="document.title = 'clicked'">Count</button>
    <div id="cover" style="position: fixed; inset: 0">Wait</div>
    <script>addEventListener('keydown', () => document.getElementById('cover').remove())</script>`;
  const covered = await servePages({ '/': page });
  const session = testToolset().session('a');
  expectSuccess(await session.navigate({ url: covered.url() }));
  const ref = refOf(expectSuccess(await session.snapshot()), 'button', 'Count');
  expectFailure(await session.click({ ref }, { signal: AbortSignal.timeout(300) }), 'aborted');
  expectSuccess(await session.press({ keys: 'g' }));
  expectSuccess(await session.wait({ for: { gone: 'Wait' } }));
  expectSuccess(await session.wait({ for: { seconds: 0.5 } }));
  expect(expectSuccess(await session.snapshot()).title).toBe('0');
  expect(expectSuccess(await session.click({ ref })).title).toBe('clicked');
});

test('a wait ends when it is cancelled', async () => {
  const session = await opened();
  for (const goal of [{ seconds: 60 }, { text: 'never there' }, { url: 'nowhere' }]) {
    const call = session.wait({ for: goal, timeout: 60 }, { signal: AbortSignal.timeout(100) });
    expectFailure(await call, 'aborted');
  }
  expectSuccess(await session.snapshot());
});

test('a call that is cancelled while the browser starts answers at once, and the next call works', async () => {
  const session = launchingToolset().session('a');
  const cancel = new AbortController();
  const call = session.navigate({ url: site.url() }, { signal: cancel.signal });
  cancel.abort();
  expectFailure(await call, 'aborted');
  expect(expectSuccess(await session.navigate({ url: site.url() })).title).toBe('Page');
});
