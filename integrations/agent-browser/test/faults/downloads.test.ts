import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectFailure, expectSuccess, type Route, refOf, type Site, servePages, testToolset } from '../fixtures.js';
import { ownFiles } from '../lifecycle/machine.js';

const temporary = ownFiles();

function attachment(disposition: string, body: string | Buffer = 'content', type = 'text/csv'): Route {
  return (_, response) => {
    response.writeHead(200, { 'content-type': type, 'content-disposition': disposition });
    response.end(body);
  };
}

const PAGE = `<!doctype html><title>Files</title>
  <a href="/report">Report</a><a href="/report" target="_blank">In a new tab</a><a href="/slow">Slow</a>
  <a href="/broken">Broken</a><a href="/bad-name">Bad name</a><a href="/two" onclick="window.open('/report')">Two</a>
  <a download="notes.txt" href="data:text/plain,hello">Data</a>
  <button onclick="const a = document.createElement('a'); a.download = 'made.json'; a.href = window.URL.createObjectURL(new Blob(['{}'], { type: 'application/json' })); a.click()">Made</button>`;

const site: Promise<Site> = servePages({
  '/': PAGE,
  '/report': attachment('attachment; filename="report.csv"', 'a,b\n1,2\n'),
  '/bad-name': attachment('attachment; filename="../../etc/passwd"', 'root'),
  '/slow': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="slow.csv"' });
    response.write('a,b\n');
    setTimeout(() => response.end('1,2\n'), 3_000);
  },
  '/broken': (_, response) => {
    response.writeHead(200, {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="broken.csv"',
      'content-length': 1_000_000,
    });
    response.write('a,b\n');
    setTimeout(() => response.destroy(), 200);
  },
});

async function opened(
  config?: Parameters<typeof testToolset>[0],
): Promise<{ session: BrowserSession; ref(name: string): string }> {
  const session = testToolset(config).session('a');
  expectSuccess(await session.navigate({ url: (await site).url() }));
  const page = expectSuccess(await session.snapshot());
  return { session, ref: name => refOf(page, name === 'Made' ? 'button' : 'link', name) };
}

test('a download that a click starts is told with its file, size and type', async () => {
  const { session, ref } = await opened();
  const { download, title } = expectSuccess(await session.click({ ref: ref('Report') }));
  expect(download).toMatchObject({ fileName: 'report.csv', fileSize: 8, mimeType: 'text/csv', state: 'completed' });
  expect(readFileSync(download?.path ?? '', 'utf8')).toBe('a,b\n1,2\n');
  expect(title).toBe('Files');
  expect(expectSuccess(await session.snapshot()).download).toBeUndefined();
});

test('a download that a navigation starts is told the same way, and the page stays', async () => {
  const { session } = await opened();
  const { download } = expectSuccess(await session.navigate({ url: (await site).url('/report') }));
  expect(download).toMatchObject({ fileName: 'report.csv', fileSize: 8, state: 'completed' });
  expect(existsSync(download?.path ?? '')).toBe(true);
  expect(expectSuccess(await session.snapshot()).title).toBe('Files');
});

test('a download of a link that opens a new tab is told, and no empty tab is left', async () => {
  const { session, ref } = await opened();
  const { download } = expectSuccess(await session.click({ ref: ref('In a new tab') }));
  expect(download).toMatchObject({ fileName: 'report.csv', state: 'completed' });
  await expect.poll(async () => (await session.tabs({ action: 'list' })).tabs?.length).toBe(1);
});

test('files that a page makes itself can be downloaded', async () => {
  const { session, ref } = await opened();
  const made = expectSuccess(await session.click({ ref: ref('Made') })).download;
  expect(made).toMatchObject({ fileName: 'made.json', fileSize: 2, state: 'completed' });
  const data = expectSuccess(await session.click({ ref: ref('Data') })).download;
  expect(data).toMatchObject({ fileName: 'notes.txt', fileSize: 5, state: 'completed' });
});

test('a name that points elsewhere stays inside the folder of the options', async () => {
  const downloadsPath = temporary.path('downloads');
  const { session, ref } = await opened({ downloadsPath });
  const { download } = expectSuccess(await session.click({ ref: ref('Bad name') }));
  const path = download?.path ?? '';
  expect(dirname(path)).toBe(`${downloadsPath}/a`);
  expect(download?.fileName).not.toMatch(/[/\\]|\.\./);
  expect(basename(path)).toContain('passwd');
  expect(statSync(path).size).toBe(4);
});

test('the same file twice is two files', async () => {
  const { session, ref } = await opened();
  const first = expectSuccess(await session.click({ ref: ref('Report') })).download;
  const second = expectSuccess(await session.click({ ref: ref('Report') })).download;
  expect(first?.path).not.toBe(second?.path);
  expect([first?.path, second?.path].every(path => existsSync(path ?? ''))).toBe(true);
});

test('a download that takes longer than the action goes on, and a later result tells that it is there', async () => {
  const { session, ref } = await opened({ timeout: 1_000 });
  const { download } = expectSuccess(await session.click({ ref: ref('Slow') }));
  expect(download).toMatchObject({ fileName: 'slow.csv', state: 'timeout' });
  await expect
    .poll(async () => (await session.tabs({ action: 'list' })).download)
    .toMatchObject({ fileName: 'slow.csv', fileSize: 8, state: 'completed' });
});

test('a download that breaks off fails the action that began it', async () => {
  const { session, ref } = await opened();
  const { message } = expectFailure(await session.click({ ref: ref('Broken') }), 'download_failed');
  expect(message).toContain('broken.csv');
  expectFailure(await session.navigate({ url: (await site).url('/broken') }), 'download_failed');
  expect(expectSuccess(await session.click({ ref: ref('Report') })).download?.state).toBe('completed');
});

test('without a folder of the options downloads go with the toolset', async () => {
  const { session, ref } = await opened();
  const path = expectSuccess(await session.click({ ref: ref('Report') })).download?.path ?? '';
  expect(path).toContain('browser-toolset-');
  expectSuccess(await session.close());
  expect(existsSync(path)).toBe(true);
});
