import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { InMemoryStore } from '@mastra/core/storage';
import { LibSQLStore } from '@mastra/libsql';
import { build, stop } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { BrowserToolsetConfig, InputOf } from '../../src/index.js';
import type { CommonResult } from '../../src/results/result.js';
import { expectFailure, expectSuccess, type Route, refOf, type Site, servePages, testToolset } from '../fixtures.js';
import { ownFiles } from './machine.js';
import { pagesOf, startRemoteBrowser } from './remote-browser.js';

const temporary = ownFiles();
const root = new URL('../..', import.meta.url).pathname;
const bundle = `${root}node_modules/.records-test/${process.pid}/index.mjs`;
const processes: ChildProcess[] = [];

/** Says which cookie and which local storage it was asked with. */
const keeper: Route = (request, response) => {
  if (request.url?.includes('user=ann')) response.setHeader('set-cookie', 'user=ann-the-secret');
  response.setHeader('content-type', 'text/html');
  response.end(`<title>${request.headers.cookie ?? 'nobody'}</title><button>Count</button><script>
    document.title += ' ' + localStorage.count;
    document.querySelector('button').onclick = () => { localStorage.count = Number(localStorage.count ?? 0) + 1; };
    </script>`);
};

let site: Site;
beforeAll(async () => {
  site = await servePages({ '/': keeper, '/other': '<title>Other</title>' });
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node22' } as const;
  await build({ ...options, absWorkingDir: root, entryPoints: ['src/index.ts'], outfile: bundle });
  // Its own process.
  await stop();
});

afterEach(async () => {
  for (const child of processes.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
});

afterAll(() => rmSync(bundle.replace('/index.mjs', ''), { recursive: true, force: true }));

/** A Node process of its own with a toolset on the same records, driven line by line. */
class Other {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(options: string) {
    const program = `
      import { createInterface } from 'node:readline';
      import { LibSQLStore } from '@mastra/libsql';
      import { BrowserToolset } from ${JSON.stringify(pathToFileURL(bundle).href)};
      const toolset = new BrowserToolset(${options});
      for await (const line of createInterface({ input: process.stdin })) {
        const { action, input } = JSON.parse(line);
        console.log(JSON.stringify(await toolset.session('thread')[action](input)));
      }`;
    this.#child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    processes.push(this.#child);
    this.#lines = (createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }) as Interface)[
      Symbol.asyncIterator
    ]();
  }

  async call(action: string, input: object = {}): Promise<CommonResult & { refs?: Record<string, { role: string }> }> {
    this.#child.stdin?.write(`${JSON.stringify({ action, input })}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the other process ended');
    return JSON.parse(value as string);
  }
}

const KEY = 'a passphrase of the test';
const database = (name: string): string => `file:${temporary.path(`${name}.db`)}`;

test('two processes take turns on a thread: each finds tabs, cookies and storage as the other left them', async () => {
  const url = database('turns');
  const other = new Other(
    `{ records: new LibSQLStore({ id: 'other', url: ${JSON.stringify(url)} }), storageKey: ${JSON.stringify(KEY)} }`,
  );
  const here = testToolset({ records: new LibSQLStore({ id: 'here', url }), storageKey: KEY }).session('thread');
  expectSuccess(await here.navigate({ url: site.url('/?user=ann') }));
  const count = refOf(expectSuccess(await here.snapshot()), 'button', 'Count');
  expectSuccess(await here.click({ ref: count }));
  expectSuccess(await here.tabs({ action: 'new', url: site.url('/other') }));

  const there = expectSuccess(await other.call('snapshot'));
  expect(there.recovered).toEqual({ was: 'used elsewhere', now: '2 of 2 tabs reopened' });
  expect(there.title).toBe('Other');
  expect(expectSuccess(await other.call('tabs', { action: 'switch', tab: 't1' })).title).toBe('user=ann-the-secret 1');
  const seen = expectSuccess(await other.call('snapshot'));
  expect(Object.keys(seen.refs ?? {})).not.toContain(count);
  expectSuccess(await other.call('click', { ref: Object.keys(seen.refs ?? {})[0] }));

  expectFailure(await here.click({ ref: count }), 'stale_ref');
  expect(expectSuccess(await here.navigate({ url: site.url() })).title).toBe('user=ann-the-secret 2');
  expect(expectSuccess(await here.tabs({ action: 'list' })).recovered).toBeUndefined();

  const stored = readFileSync(new URL(url.replace('file:', 'file://')), 'latin1');
  const beside = readFileSync(new URL(`${url.replace('file:', 'file://')}-wal`), 'latin1');
  expect(stored + beside).toContain('browser-session');
  expect(stored + beside).not.toContain('ann-the-secret');
});

test('while one process is at work in a thread, another is refused, and may go on afterwards', async () => {
  const url = database('lease');
  const other = new Other(`{ records: new LibSQLStore({ id: 'other', url: ${JSON.stringify(url)} }) }`);
  const here = testToolset({ records: new LibSQLStore({ id: 'here', url }) }).session('thread');
  expectSuccess(await here.navigate({ url: site.url('/other') }));
  const patience = new AbortController();
  const waiting = here.wait({ for: { text: 'never there' }, timeout: 60 }, { signal: patience.signal });
  await expect.poll(async () => (await other.call('snapshot')).code).toBe('session_in_use');
  patience.abort();
  expectFailure(await waiting, 'aborted');
  // What was aborted still has to be recorded.
  await expect.poll(async () => (await other.call('snapshot')).title).toBe('Other');
  expectSuccess(await here.snapshot());
});

test('a process that finds the same remote browser takes its pages over', async () => {
  const remote = await startRemoteBrowser(temporary.path('remote'), 'about:blank');
  const records = new InMemoryStore();
  const asked: unknown[] = [];
  const options: BrowserToolsetConfig = {
    records,
    cdpUrl(thread) {
      asked.push(thread);
      return remote.url;
    },
  };
  const first = testToolset(options);
  expectSuccess(await first.session('a').navigate({ url: site.url('/?user=ann') }));
  const open = await pagesOf(remote);
  await first.close();
  const second = testToolset(options).session('a');
  expect(expectSuccess(await second.snapshot()).recovered?.now).toBe('1 of 1 tab reopened');
  expect(asked).toEqual([{ threadId: 'a' }, { threadId: 'a', endpoint: remote.url }]);
  expect(await pagesOf(remote)).toEqual(open);
});

test('a session that is closed leaves no record, and another process starts anew', async () => {
  const values = new Map<string, string>();
  const records = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  };
  const [first, second] = [testToolset({ records }).session('a'), testToolset({ records }).session('a')];
  expectSuccess(await first.navigate({ url: site.url('/?user=ann') }));
  expect([...values.keys()].sort()).toEqual(['browser-lease/a', 'browser-session/a']);
  expectSuccess(await second.snapshot());
  expectSuccess(await second.close());
  expect([...values.keys()]).toEqual([]);
  expect(expectSuccess(await first.navigate({ url: site.url() })).title).toBe('nobody undefined');
});

test('of two processes that begin at the same moment one is refused by a store that can compare', async () => {
  const values = new Map<string, string>();
  const records = {
    get: async (key: string) => values.get(key),
    set: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
    replace: async (key: string, was: string | undefined, value: string) => {
      if (values.get(key) !== was) return false;
      values.set(key, value);
      return true;
    },
  };
  const sessions = [testToolset({ records }).session('a'), testToolset({ records }).session('a')];
  const input: InputOf<'browser_navigate'> = { url: site.url('/other') };
  const codes = (await Promise.all(sessions.map(session => session.navigate(input)))).map(({ code }) => code);
  expect(codes.sort()).toEqual(['session_in_use', undefined]);
});

test('a record of another key is refused without a word of what is in it', async () => {
  const records = new InMemoryStore();
  const first = testToolset({ records, storageKey: KEY }).session('a');
  expectSuccess(await first.navigate({ url: site.url('/?user=ann') }));
  for (const storageKey of ['another passphrase here', undefined]) {
    const failure = expectFailure(await testToolset({ records, storageKey }).session('a').snapshot(), 'browser_error');
    expect(failure.message).toContain('storageKey');
  }
  expectSuccess(await first.snapshot());
});
