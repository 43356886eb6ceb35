import { chmodSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BrowserToolset } from '../../src/index.js';
import { expectFailure, expectSuccess, launchingToolset, refOf, servePages } from '../fixtures.js';
import { browsersOf, descendantsOf, ownTemporaryFolder, renderersOf } from './machine.js';

const temporary = ownTemporaryFolder();
const threads = Array.from({ length: 20 }, (_, number) => `thread-${number}`);

test('nothing starts before the first action', async () => {
  const toolset = launchingToolset();
  const session = toolset.session('a');
  expect(Object.keys(toolset.tools)).toContain('browser_navigate');
  expect(toolset.isBrowserRunning()).toBe(false);
  expect(browsersOf()).toEqual([]);
  expect(temporary.entries()).toEqual([]);

  expectSuccess(await session.navigate({ url: 'about:blank' }));
  expect(browsersOf()).toHaveLength(1);
  expect(toolset.isBrowserRunning('a')).toBe(true);
});

test('first calls of twenty threads at the same time start one Chromium, and each thread has cookies of its own', async () => {
  const site = await servePages({
    '/': (request, response) => {
      const name = new URL(request.url ?? '', 'http://any').searchParams.get('name');
      response.setHeader('set-cookie', `name=${name}`);
      response.setHeader('content-type', 'text/html');
      response.end('<title>Welcome</title><script>setTimeout(() => document.title = document.cookie)</script>');
    },
  });
  const toolset = launchingToolset();
  const results = await Promise.all(
    threads.map(thread => toolset.session(thread).navigate({ url: site.url(`/?name=${thread}`) })),
  );
  for (const result of results) expectSuccess(result);
  expect(browsersOf()).toHaveLength(1);

  const titles = await Promise.all(threads.map(async thread => (await toolset.session(thread).snapshot()).title));
  expect(titles).toEqual(threads.map(thread => `name=${thread}`));
});

test('twenty first calls of one thread at the same time start one Chromium with one tab', async () => {
  const session = launchingToolset().session('a');
  const results = await Promise.all(threads.map(() => session.tabs({ action: 'list' })));
  for (const result of results) expect(expectSuccess(result).tabs).toHaveLength(1);
  expect(browsersOf()).toHaveLength(1);
});

test('two toolsets in one process have a Chromium each, and closing one leaves the other alone', async () => {
  const [first, second] = [launchingToolset(), launchingToolset()];
  expectSuccess(await first.session('a').navigate({ url: 'about:blank' }));
  expectSuccess(await second.session('a').navigate({ url: 'about:blank' }));
  expect(browsersOf()).toHaveLength(2);
  await first.close();
  expect(browsersOf()).toHaveLength(1);
  expectSuccess(await second.session('a').snapshot());
});

test('with scope "shared" all threads act on the same tabs', async () => {
  const site = await servePages({ '/': '<title>Shared</title><button>Press me</button>' });
  const toolset = launchingToolset({ scope: 'shared' });
  expectSuccess(await toolset.session('a').navigate({ url: site.url() }));
  const seen = expectSuccess(await toolset.session('b').snapshot());
  expect(seen.title).toBe('Shared');
  expectSuccess(await toolset.session('a').click({ ref: refOf(seen, 'button', 'Press me') }));
  expect(browsersOf()).toHaveLength(1);
});

test('an executable that is not there answers with a clear error each time and leaves nothing behind', async () => {
  const session = launchingToolset({ executablePath: '/no/such/chromium' }).session('a');
  for (let time = 0; time < 2; time++) {
    const { message, canRetry } = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
    expect(message).toContain('/no/such/chromium');
    expect(message).toContain('executablePath');
    expect(canRetry).toBe(false);
  }
  expect(temporary.entries()).toEqual([]);
});

test('a program that is no browser answers with its own words, and the next call tries again', async () => {
  const program = temporary.path('browser.sh');
  writeFileSync(program, '#!/bin/sh\necho "the disk is on fire" >&2\nexit 3\n');
  chmodSync(program, 0o755);
  const session = launchingToolset({ executablePath: program }).session('a');
  const { message } = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
  expect(message).toContain('exited with code 3');
  expect(message).toContain('the disk is on fire');
  expect(temporary.entries()).toEqual([]);

  writeFileSync(program, `#!/bin/sh\nexec ${process.env.CHROMIUM_PATH ?? 'chromium'} "$@"\n`);
  expectSuccess(await session.navigate({ url: 'about:blank' }));
});

test('a program that never answers is given up, and nothing of it is left', async () => {
  const program = temporary.path('sleeper.sh');
  writeFileSync(program, '#!/bin/sh\nexec sleep 600\n');
  chmodSync(program, 0o755);
  const session = launchingToolset({ executablePath: program, launchTimeout: 1_000 }).session('a');
  const { message } = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
  expect(message).toContain('did not respond within 1000 ms');
  expect(temporary.entries()).toEqual([]);
});

test('a browser that takes longer to start than a navigation may is waited for', async () => {
  const program = temporary.path('late.sh');
  writeFileSync(program, `#!/bin/sh\nsleep 3\nexec ${process.env.CHROMIUM_PATH ?? 'chromium'} "$@"\n`);
  chmodSync(program, 0o755);
  const session = launchingToolset({ executablePath: program, navigationTimeout: 2_000 }).session('a');
  expectSuccess(await session.navigate({ url: 'about:blank' }));
});

test('closing while the browser starts ends the start, and the call says that it was closed', async () => {
  const program = temporary.path('slow.sh');
  writeFileSync(program, '#!/bin/sh\nexec sleep 600\n');
  chmodSync(program, 0o755);
  const toolset = launchingToolset({ executablePath: program });
  const call = toolset.session('a').navigate({ url: 'about:blank' });
  await expect.poll(() => temporary.entries().length).toBeGreaterThan(0);
  await toolset.close();
  expectFailure(await call, 'browser_closed');
  expect(temporary.entries()).toEqual([]);
});

test('closing at any moment of a start leaves nothing', async () => {
  const program = temporary.path('slow.sh');
  writeFileSync(program, '#!/bin/sh\nexec sleep 600\n');
  chmodSync(program, 0o755);
  const before = descendantsOf(process.pid);
  for (let turns = 0; turns < 40; turns++) {
    const toolset = launchingToolset({ executablePath: program });
    const call = toolset.session('a').navigate({ url: 'about:blank' });
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    await toolset.close();
    expect(descendantsOf(process.pid).filter(pid => !before.includes(pid))).toEqual([]);
    expectFailure(await call, 'browser_closed');
    expect(temporary.entries()).toEqual([]);
  }
});

test('options that do not fit are refused with the name of each', () => {
  const options = { viewport: { width: -1, height: 720 }, timeout: 'soon', colour: 'red', cdpHeaders: { a: 'b' } };
  const make = () => new BrowserToolset(options as never);
  expect(make).toThrow(TypeError);
  for (const field of ['viewport.width', 'timeout', 'colour']) expect(make).toThrow(field);
});

test('options that contradict each other are refused with the reason', () => {
  const contradictions: [ConstructorParameters<typeof BrowserToolset>[0], string][] = [
    [{ profile: '/tmp/p', cdpUrl: 'http://127.0.0.1:1' }, 'profile'],
    [{ profile: '/tmp/p', scope: 'thread' }, 'scope'],
    [{ profile: '/tmp/p', storageState: 'state.json' }, 'storageState'],
    [{ cdpUrl: 'http://127.0.0.1:1', executablePath: '/usr/bin/chromium' }, 'executablePath'],
    [{ cdpUrl: 'http://127.0.0.1:1', args: ['--mute-audio'] }, 'args'],
    [{ cdpHeaders: { authorization: 'x' } }, 'cdpHeaders'],
    [{ extensions: ['/tmp/extension'] }, 'extensions'],
  ];
  for (const [options, field] of contradictions) {
    expect(() => new BrowserToolset(options)).toThrow(TypeError);
    expect(() => new BrowserToolset(options)).toThrow(`- ${field}: `);
  }
});

test('a browser that dies while it starts keeps nobody waiting', async () => {
  const session = launchingToolset({ launchTimeout: 600_000 }).session('a');
  const opening = session.navigate({ url: 'about:blank' });
  await expect.poll(() => browsersOf().flatMap(renderersOf).length, { interval: 1 }).toBe(1);
  for (const pid of browsersOf()) process.kill(pid, 'SIGKILL');
  // Whether it was up by then is left to chance.
  await opening;
  expectSuccess(await session.navigate({ url: 'about:blank' }));
});
