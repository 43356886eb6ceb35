import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserToolsetConfig } from '../../src/index.js';
import { type DownloadReport, EffectsLog, effectLines, KnownDownload } from '../../src/results/effects.js';
import type { CommonResult } from '../../src/results/result.js';
import {
  expectFailure,
  expectSuccess,
  launchingToolset,
  refOf,
  servePages,
  sharingToolset,
  testToolset,
} from '../fixtures.js';
import { hostPrograms } from '../lifecycle/host-program.js';
import { browsersOf, ownFiles } from '../lifecycle/machine.js';

const temporary = ownFiles();
const host = hostPrograms();

const CSV = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="f.csv"' };
const LARGE = Buffer.alloc(4_000_000, 'x');
/** Answers that are only begun. */
const begun: ServerResponse[] = [];

const made = (script: string): string =>
  `const a = document.createElement('a'); a.download = 'made.json'; a.href = window.URL.createObjectURL(new Blob(['{}'])); ${script}`;

const site = await servePages({
  '/': `<!doctype html><title>Files</title>
    <a href="/good">Good</a><a href="/reset">Reset</a><a href="/short">Short</a><a href="/at-once" download>At once</a>
    <a href="/missing" download>Missing</a><a href="/empty" download>Empty</a><a href="/refused" download>Refused</a>
    <a href="/begun">Begun</a><a href="/reset" target="_blank">New tab</a><a href="/reset" target="frame">Frame</a>
    <iframe name="frame"></iframe><button onclick="print()">Print</button>
    <button onclick="${made('window.URL.revokeObjectURL(a.href); a.click()')}">Revoked</button>
    <button onclick="for (const path of ['/good', '/missing']) { const a = document.createElement('a'); a.download = ''; a.href = path; a.click() }">Many</button>`,
  '/good': (_, response) => void response.writeHead(200, CSV).end('a,b\n'),
  '/large': (_, response) => void response.writeHead(200, CSV).end(LARGE),
  '/reset': (_, response) => {
    response.writeHead(200, { ...CSV, 'content-length': 100_000 });
    response.write('a,b\n', () => response.destroy());
  },
  '/short': (_, response) => {
    response.writeHead(200, { ...CSV, 'content-length': 100_000 });
    response.write('a,b\n', () => response.socket?.end());
  },
  '/at-once': (_, response) => void response.destroy(),
  '/missing': (_, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('There is none'),
  '/empty': (_, response) => void response.writeHead(204).end(),
  '/refused': (_, response) => void response.writeHead(302, { location: 'http://refused.test/f.csv' }).end(),
  '/later': `<!doctype html><title>Later</title><script>setTimeout(() => { location.href = '/begun'; }, 4_000)</script>`,
  '/begun': (_, response) => {
    response.writeHead(200, { ...CSV, 'content-length': 8 });
    response.write('a,b\n');
    begun.push(response);
  },
});

async function opened(session: BrowserSession): Promise<BrowserSession> {
  expectSuccess(await session.navigate({ url: site.url() }));
  return session;
}

const shared = sharingToolset();
afterAll(() => shared.close());

/** In which an action soon ends that waits for a download. */
const HASTY = { timeout: 3_000 };

async function newSession(config: BrowserToolsetConfig = {}): Promise<BrowserSession> {
  return opened(testToolset(config).session('a'));
}

async function press(session: BrowserSession, name: string) {
  const page = expectSuccess(await session.snapshot());
  const role = ['Print', 'Revoked', 'Many'].includes(name) ? 'button' : 'link';
  return session.click({ ref: refOf(page, role, name) });
}

function failedIn({ download, downloads = download === undefined ? [] : [download] }: CommonResult): DownloadReport[] {
  return downloads.filter(({ state }) => state === 'failed');
}

/** Asserts that the session tells of a failure once, with the result or a later one, in words. */
async function expectTold(session: BrowserSession, result: CommonResult, why: RegExp): Promise<void> {
  let told = failedIn(result);
  let teller = result;
  await expect
    .poll(
      async () => {
        if (told.length > 0) return told;
        teller = await session.tabs({ action: 'list' });
        told = failedIn(teller);
        return told;
      },
      { timeout: 30_000 },
    )
    .toEqual([expect.objectContaining({ state: 'failed', error: expect.stringMatching(why) })]);
  expect(told[0]?.error).not.toMatch(/\/|undefined/);
  expect(effectLines(teller).join('\n')).toContain(`Download failed: ${told[0]?.fileName}: ${told[0]?.error}`);
  expect(failedIn(await session.tabs({ action: 'list' }))).toEqual([]);
}

describe('a download without a file is told as failed, and why', () => {
  test.each([
    ['the server ends it in the middle', 'Reset', /was interrupted/],
    ['less comes than the server has said', 'Short', /was interrupted/],
    ['the server ends it at once', 'At once', /was interrupted: the server/],
    ['there is no such file', 'Missing', /was interrupted: the server/],
    ['the answer is empty', 'Empty', /was interrupted: the server/],
    ['the page has taken it back before it began', 'Revoked', /./],
    ['its tab is gone', 'New tab', /was interrupted/],
    ['it was for a frame', 'Frame', /was interrupted/],
  ])('%s', async (_, name, why) => {
    const session = await opened(shared.session('a'));
    const clicked = expectFailure(await press(session, name), 'download_failed');
    await expectTold(session, clicked, why);
    expect(expectSuccess(await press(session, 'Good')).download?.state).toBe('completed');
  });

  test('the server ends what a navigation began', async () => {
    const session = await newSession();
    const result = expectFailure(await session.navigate({ url: site.url('/reset') }), 'download_failed');
    await expectTold(session, result, /was interrupted/);
  });

  test('the address to which its server sends it on is refused', async () => {
    const session = await newSession({ urlPolicy: { block: ['refused.test'] } });
    const result = await press(session, 'Refused');
    // Chromium goes to its page of errors instead.
    expect(effectLines(result).join('\n')).toContain('urlPolicy.block: "refused.test"');
  });

  const folders = {
    'its folder is a file': (path: string) => writeFileSync(path, ''),
    'the path of its folder is too long': () => undefined,
    'its folder may not be written': () => undefined,
  };
  const paths: Record<keyof typeof folders, string> = {
    'its folder is a file': temporary.path('file'),
    'the path of its folder is too long': temporary.path(`${'x'.repeat(200)}/`.repeat(25)),
    // Nobody makes folders there.
    'its folder may not be written': '/sys',
  };
  test.each(Object.entries(folders))('%s', async (name, prepare) => {
    const downloadsPath = paths[name as keyof typeof folders];
    prepare(downloadsPath);
    const session = await newSession({ downloadsPath: join(downloadsPath, 'downloads') });
    const result = expectFailure(await press(session, 'Good'), 'download_failed');
    await expectTold(session, result, /too long|a file is where|not allowed|only be read/);
  });

  test('its folder is gone when it is there, after the action that began it', async () => {
    const downloadsPath = temporary.path('gone');
    const session = await newSession({ ...HASTY, downloadsPath });
    const begin = await press(session, 'Begun');
    expect(expectSuccess(begin).download?.state).not.toBe('completed');
    await expect.poll(() => readdirSync(downloadsPath)).toEqual(['a']);
    renameSync(join(downloadsPath, 'a'), join(downloadsPath, 'b'));
    writeFileSync(join(downloadsPath, 'a'), '');
    begun.pop()?.end('1,2\n');
    await expectTold(session, begin, /something else of that name|a file is where/);
  });

  test('its folder is gone when it is there, and no action waited for it', async () => {
    const downloadsPath = temporary.path('gone-unasked');
    const session = await newSession({ downloadsPath });
    const begin = expectSuccess(await session.navigate({ url: site.url('/later') }));
    expect(begin.download).toBeUndefined();
    // From here on the session has no call, until the download has failed.
    await expect.poll(() => existsSync(join(downloadsPath, 'a')), { timeout: 30_000 }).toBe(true);
    renameSync(join(downloadsPath, 'a'), join(downloadsPath, 'b'));
    writeFileSync(join(downloadsPath, 'a'), '');
    begun.pop()?.end('1,2\n');
    await expectTold(session, begin, /something else of that name|a file is where/);
  });

  test('its session is closed meanwhile', async () => {
    const session = await newSession(HASTY);
    const begin = await press(session, 'Begun');
    expectSuccess(await session.close());
    await expectTold(session, begin, /was interrupted|was closed/);
    begun.pop()?.destroy();
  });

  test('its browser ends meanwhile', async () => {
    const before = browsersOf();
    const session = await opened(launchingToolset(HASTY).session('a'));
    const begin = await press(session, 'Begun');
    for (const pid of browsersOf()) if (!before.includes(pid)) process.kill(pid, 'SIGKILL');
    await expectTold(session, begin, /was interrupted|was closed/);
    begun.pop()?.destroy();
  });

  test('its disk is full, and nothing of it is left', async () => {
    const downloadsPath = temporary.path('full');
    const program = await host(
      `process.once('SIGUSR2', async () => {
        console.log(JSON.stringify(await session.navigate({ url: ${JSON.stringify(site.url('/large'))} })));
        await toolset.close();
      });`,
      JSON.stringify({ downloadsPath }),
    );
    // The program's own files can grow no further: a write fails as it does on a full disk.
    await promisify(execFile)('prlimit', [`--pid=${program.pid}`, '--fsize=2000000:']);
    program.process.kill('SIGUSR2');
    const result = JSON.parse(await program.line()) as CommonResult;
    expectFailure(result, 'download_failed');
    expect(failedIn(result)).toEqual([expect.objectContaining({ error: expect.stringMatching(/larger|full/) })]);
    expect(readdirSync(join(downloadsPath, 'a')).filter(name => name.endsWith('.csv'))).toEqual([]);
  });
});

test('a download whose tab is closed meanwhile goes on, and is told', async () => {
  const session = await newSession(HASTY);
  expectSuccess(await press(session, 'Begun'));
  expectSuccess(await session.tabs({ action: 'new' }));
  expectSuccess(await session.tabs({ action: 'close', tab: 't1' }));
  begun.pop()?.end('1,2\n');
  await expect
    .poll(async () => (await session.tabs({ action: 'list' })).download)
    .toMatchObject({ state: 'completed', fileSize: 8 });
});

test('one that fails among several is told before those that are there', async () => {
  const session = await newSession();
  const result = expectFailure(await press(session, 'Many'), 'download_failed');
  expect(result.downloads?.map(({ state }) => state)).toEqual(['failed', 'completed']);
  expect(result.download).toEqual(result.downloads?.[0]);
});

test('downloads for which one result has no room are told with the next', () => {
  const log = new EffectsLog();
  for (let n = 0; n < 12; n++)
    log.download(new KnownDownload(log, { fileName: `${n}`, state: 'completed' }, () => ({})));
  expect(log.take().downloads).toHaveLength(10);
  expect(log.take().downloads?.map(({ fileName }) => fileName)).toEqual(['10', '11']);
  expect(log.take()).toEqual({});
});

test('a page that cannot be printed is told, and why', async () => {
  mkdirSync(temporary.path('paper'));
  writeFileSync(temporary.path('paper/file'), '');
  const session = await newSession({ downloadsPath: temporary.path('paper/file') });
  const printed = expectSuccess(await press(session, 'Print'));
  expect(printed.pdf).toEqual({ error: expect.stringContaining('a file is where its folder should be') });
  expect(effectLines(printed).join('\n')).toContain('The page was not printed: a file is where');
});

test('a navigation that fails is no success because a download failed before', async () => {
  const session = await newSession(HASTY);
  expectSuccess(await press(session, 'Begun'));
  begun.pop()?.destroy();
  const gone = await servePages({});
  const url = gone.url();
  await gone.close();
  expectFailure(await session.navigate({ url }), 'navigation_failed');
});
