import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { expectSuccess, servePages } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener({}, { ownSession: true });
const hasty = pageOpener({ timeout: 1_500 }, { ownSession: true });
/** Waits longer than a test may take. */
const patient = pageOpener({ timeout: 600_000 }, { ownSession: true });
const bySnapshot = {
  diff: pageOpener({}, { ownSession: true }),
  none: pageOpener({ snapshot: { afterAction: 'none' } }, { ownSession: true }),
};

const file =
  (name: string) =>
  (_: unknown, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"` });
    response.end('a,b\n');
  };

describe('downloads', () => {
  test.each([
    ['a link that is a download by itself', '<a href="/report" download="report.csv">Get</a>', 'text/csv'],
    ['a link to what the server makes one', '<a href="/report">Get</a>', 'text/x-report'],
  ])('tell the type of the file: %s', async (_, link, mimeType) => {
    const { session, ref } = await openPage({
      '/': link,
      '/report': (_request, response) => {
        response.writeHead(200, {
          'content-type': 'text/x-report; charset=utf-8',
          'content-disposition': 'attachment; filename="report.csv"',
        });
        response.end('a,b\n');
      },
    });
    const { download } = expectSuccess(await session.click({ ref: ref('link', 'Get') }));
    expect(download).toEqual({
      fileName: 'report.csv',
      fileSize: 4,
      mimeType,
      path: expect.stringMatching(/report\.csv$/),
      state: 'completed',
    });
  });

  test('of one click are all told', async () => {
    const { session, ref } = await openPage({
      '/': `<button onclick="for (const name of ['one', 'two']) { const a = document.createElement('a'); a.href = '/' + name; a.download = ''; a.click() }">Get</button>`,
      '/one': file('one.csv'),
      '/two': file('two.csv'),
    });
    const { download, downloads } = expectSuccess(await session.click({ ref: ref('button', 'Get') }));
    expect(downloads?.map(({ fileName, state }) => [fileName, state])).toEqual([
      ['one.csv', 'completed'],
      ['two.csv', 'completed'],
    ]);
    expect(download).toEqual(downloads?.[0]);
    expect(downloads?.map(({ path }) => existsSync(path ?? ''))).toEqual([true, true]);
  });

  test.each([
    ['a link', '<a href="/slow" download>Get</a>', 'diff'],
    ['a link, where nothing is read after actions', '<a href="/slow" download>Get</a>', 'none'],
    ['a button that asks a moment later', `<button onclick="setTimeout(() => slow.click())">Get</button>`, 'diff'],
  ] as const)('that a server thinks about are waited for: %s', async (_, html, afterAction) => {
    const { openPage } = bySnapshot[afterAction];
    const { session, ref } = await openPage({
      '/': `${html}<a id="slow" hidden href="/slow" download></a>`,
      '/slow': (_request, response) => {
        setTimeout(() => {
          response.writeHead(200, { 'content-type': 'text/csv' });
          response.end('a,b\n');
        }, 700);
      },
    });
    const clicked = await session.click({ ref: ref(html.startsWith('<a') ? 'link' : 'button', 'Get') });
    expect(expectSuccess(clicked).download).toMatchObject({ fileSize: 4, state: 'completed' });
  });

  test('that are sent on to another site and shown there are no downloads: the page is told that has come', async () => {
    const other = await servePages({ '/': '<title>Sign in</title><button>Sign in</button>' });
    const { session, ref } = await patient.openPage({
      '/': '<a href="/report" download>Get</a>',
      '/report': (_, response) => void response.writeHead(302, { location: other.url() }).end(),
    });
    const result = expectSuccess(await session.click({ ref: ref('link', 'Get') }));
    expect(result).toMatchObject({ title: 'Sign in', url: other.url() });
    expect(result.changes).toContain('button "Sign in"');
    expect(result.download).toBeUndefined();
  });

  test('that were told are not waited for by the next call', async () => {
    const { session, ref } = await patient.openPage(
      '<a href="data:text/csv,a" download="a.csv">Get</a><button>Other</button>',
    );
    for (let times = 0; times < 5; times++) {
      const [got, other] = await Promise.all([
        session.click({ ref: ref('link', 'Get') }),
        session.click({ ref: ref('button', 'Other') }),
      ]);
      expect(expectSuccess(got).download).toMatchObject({ state: 'completed' });
      expect(expectSuccess(other).download).toBeUndefined();
    }
  });

  test('of which Chromium lets no more through are not waited for', async () => {
    const { session, ref } = await patient.openPage(
      `<a href="data:text/csv,a" download="a.csv">Link</a><button onclick="for (let times = 0; times < 14; times++) document.querySelector('a').click()">All</button>`,
    );
    const { downloads } = expectSuccess(await session.click({ ref: ref('button', 'All') }));
    expect(downloads?.length).toBe(10);
  });

  test.each([
    ['goes on to another address of its own', 'history.pushState(null, "", "/done")'],
    ['opens another window', 'window.open("about:blank")'],
  ])('are waited for by a page that %s at once', async (_, script) => {
    const { session, ref } = await openPage({
      '/': `<button onclick='document.querySelector("a").click(); ${script}'>Get</button><a hidden href="/slow" download></a>`,
      '/slow': (request, response) => void setTimeout(() => file('slow.csv')(request, response), 700),
    });
    const result = expectSuccess(await session.click({ ref: ref('button', 'Get') }));
    expect(result.download).toMatchObject({ fileName: 'slow.csv', state: 'completed' });
  });

  test('are waited for once, however long the documents beside theirs take to be read', async () => {
    const big = `<ul>${'<li><a href="/x">Item <b>of</b> many</a> <button>Buy</button></li>'.repeat(3_000)}</ul>`;
    const { session, ref, text } = await patient.openPage({
      '/': '<a href="data:text/csv,a" download="a.csv">Get</a><iframe src="/big"></iframe><iframe src="/big"></iframe>',
      '/big': big,
    });
    await text();
    const { download } = expectSuccess(await session.click({ ref: ref('link', 'Get') }));
    expect(download).toMatchObject({ fileName: 'a.csv', state: 'completed' });
  });

  test('that a router of the page makes something else of are not waited for', async () => {
    const { session, ref } = await patient.openPage(
      `<a href="/view" download>Get</a><script>navigation.onnavigate = event => event.intercept({ handler: async () => { document.title = 'View' } })</script>`,
    );
    const result = expectSuccess(await session.click({ ref: ref('link', 'Get') }));
    expect(result).toMatchObject({ title: 'View' });
    expect(result.download).toBeUndefined();
  });

  test('are left to come where nothing is to be waited for', async () => {
    const open: ServerResponse[] = [];
    const { session, ref } = await patient.openPage({
      '/': '<a href="/never" download>Get</a>',
      '/never': (_, response) => void open.push(response),
    });
    expectSuccess(await session.click({ ref: ref('link', 'Get'), waitAfter: 0 }));
    for (const response of open) response.destroy();
  });

  test('that a page asks for and takes back are not waited for', async () => {
    const { session, ref } = await patient.openPage(
      '<a href="/never" download>Get</a><script>navigation.onnavigate = event => { event.preventDefault(); document.title = "Taken back" }</script>',
    );
    const result = expectSuccess(await session.click({ ref: ref('link', 'Get') }));
    expect(result).toMatchObject({ title: 'Taken back' });
    expect(result.download).toBeUndefined();
  });

  test('that do not end in time say how far they came, and later that they failed', async () => {
    const open: ServerResponse[] = [];
    let isBroken = false;
    const { session, ref } = await hasty.openPage({
      '/': '<a href="/slow">Slow</a>',
      '/slow': (_, response) => {
        response.writeHead(200, {
          'content-type': 'text/csv',
          'content-disposition': 'attachment; filename="slow.csv"',
          'content-length': 100_000,
        });
        response.write('x'.repeat(60_000));
        // Chromium asks again for the rest of what broke off.
        if (isBroken) response.destroy();
        open.push(response);
      },
    });
    const { download } = expectSuccess(await session.click({ ref: ref('link', 'Slow') }));
    expect(download).toMatchObject({ state: 'timeout', receivedBytes: 60_000, totalBytes: 100_000 });
    isBroken = true;
    for (const response of open) response.destroy();
    await expect
      .poll(async () => (await session.tabs({ action: 'list' })).download)
      .toMatchObject({ fileName: 'slow.csv', state: 'failed', error: expect.any(String) });
  });
});
