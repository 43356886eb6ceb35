import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { BrowserToolset } from '../../src/index.js';
import { effectLines } from '../../src/results/effects.js';
import { expectFailure, expectSuccess, type Site, servePages, testToolset } from '../fixtures.js';

const USER = 'ann';
const PASSWORD = 'correct-horse';

/** A site that lets one user in, and what it was sent. */
async function closedSite(body = 'Who are you?'): Promise<Site & { sent: (string | undefined)[] }> {
  const sent: (string | undefined)[] = [];
  const guarded =
    (html: string) =>
    ({ headers }: IncomingMessage, response: ServerResponse): void => {
      sent.push(headers.authorization);
      const isIn = headers.authorization === `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
      response.writeHead(isIn ? 200 : 401, {
        'content-type': 'text/html',
        ...(!isIn && { 'www-authenticate': 'Basic realm="Intranet"' }),
      });
      response.end(isIn ? `<!doctype html><title>In</title>${html}` : body);
    };
  const site = await servePages({
    '/': guarded(
      '<h1>Intranet</h1><a href="/popup" target="_blank">Open</a><p id="out"></p><script src="/data"></script>',
    ),
    '/data': guarded('').bind(undefined),
    '/popup': guarded('<h1>Popup</h1>'),
  });
  return { ...site, sent };
}

function originOf(site: Site): string {
  return new URL(site.url()).origin;
}

describe('httpCredentials', () => {
  test('let the browser in, into tabs that pages open as well', async () => {
    const site = await closedSite();
    const toolset = testToolset({ httpCredentials: [{ origin: originOf(site), username: USER, password: PASSWORD }] });
    const session = toolset.session('a');
    const result = expectSuccess(await session.navigate({ url: site.url() }));
    expect(result).toMatchObject({ title: 'In', status: 200 });
    expect(result.authentication).toBeUndefined();
    const tab = expectSuccess(await session.tabs({ action: 'new', url: site.url('/popup') }));
    expect(tab.title).toBe('In');
  });

  test('let frames of another site in, and stay with a URL policy', async () => {
    const site = await closedSite();
    const outer = await servePages({
      '/': `<title>Outer</title><iframe title="In" src="${site.url('/popup')}"></iframe>`,
    });
    const toolset = testToolset({
      httpCredentials: [{ origin: originOf(site), username: USER, password: PASSWORD }],
      urlPolicy: { block: [`${originOf(site)}/secret*`] },
    });
    const session = toolset.session('a');
    expectSuccess(await session.navigate({ url: outer.url() }));
    expect((await session.snapshot({ interactiveOnly: false })).tree).toContain('Popup');
    expectFailure(await session.navigate({ url: site.url('/secret') }), 'url_blocked');
  });

  test('go to no other origin, which gets what it has itself', async () => {
    const [site, other] = [await closedSite(), await closedSite()];
    const toolset = testToolset({
      httpCredentials: [
        { origin: originOf(site), username: USER, password: PASSWORD },
        { origin: originOf(other), username: 'bo', password: 'another-one' },
      ],
    });
    const session = toolset.session('a');
    expectSuccess(await session.navigate({ url: site.url() }));
    const refused = expectSuccess(await session.navigate({ url: other.url() }));
    expect(refused).toMatchObject({ status: 401, authentication: 'refused' });
    const sent = other.sent.flatMap(header =>
      header === undefined ? [] : [Buffer.from(header.slice(6), 'base64').toString()],
    );
    expect(new Set(sent)).toEqual(new Set(['bo:another-one']));
  });

  test('that are refused are said to be, with what the server shows', async () => {
    const site = await closedSite();
    const given = { origin: originOf(site), username: USER, password: 'wrong-horse' };
    const session = testToolset({ httpCredentials: [given] }).session('a');
    const result = expectSuccess(await session.navigate({ url: site.url() }));
    expect(result).toMatchObject({ status: 401, authentication: 'refused' });
    expect(result.changes).toContain('Who are you?');
    expect(effectLines(result).join()).toContain(
      'asks for a user name and password (HTTP authentication); the option httpCredentials gives some that the server refuses',
    );
  });

  test.each([
    ['missing', [], 'gives none'],
    ['refused', [{ username: USER, password: 'wrong-horse' }], 'the server refuses'],
  ] as const)('that are %s are said to be where the server shows nothing', async (_, given, words) => {
    const site = await closedSite('');
    const session = testToolset({ httpCredentials: given.map(each => ({ ...each, origin: originOf(site) })) }).session(
      'a',
    );
    const result = expectFailure(await session.navigate({ url: site.url() }), 'navigation_failed');
    expect(result.recoveryHint).toContain(words);
    expect(JSON.stringify(result)).not.toContain('wrong-horse');
  });

  test.each(['https://a.example/path', 'a.example', 'ftp://a.example', 'https://u:p@a.example'])(
    'are for an origin, not for %s, and the error says no password',
    origin => {
      const make = () => new BrowserToolset({ httpCredentials: [{ origin, username: USER, password: PASSWORD }] });
      expect(make).toThrow(/httpCredentials\.0\.origin: expected an origin/);
      expect(make).not.toThrow(PASSWORD);
    },
  );
});

describe('a password in a URL', () => {
  test('lets the browser in, and stands in no result, log or event', async () => {
    const site = await closedSite();
    const toolset = testToolset();
    const session = toolset.session('a');
    const url = site.url().replace('://', `://${USER}:${PASSWORD}@`);
    const results = [
      await session.navigate({ url }),
      await session.snapshot({ interactiveOnly: false }),
      await session.tabs({ action: 'list' }),
      await session.read({}),
      await session.history({ direction: 'reload' }),
      await session.find({ text: 'Intranet' }),
      await session.wait({ for: { url: 'nowhere' }, timeout: 0.1 }),
    ];
    expect(results[0]).toMatchObject({ success: true, title: 'In' });
    expect(JSON.stringify(results)).not.toContain(PASSWORD);
    expect((await toolset.getCurrentUrl('a')) ?? '').not.toContain(PASSWORD);
  });

  test('is not in the text of a page, or of an error, either', async () => {
    const site = await servePages({
      '/': `<title>Docs</title><p>Connect to https://bo:hunter22@db.example/x and ftp://x:y1@h, mail a:b@c.example.</p><a href="https://bo:hunter22@db.example/">Link</a>`,
    });
    const session = testToolset().session('a');
    expectSuccess(await session.navigate({ url: site.url() }));
    const read = expectSuccess(await session.read({}));
    expect(read.content).toContain('https://bo:•••@db.example/x and ftp://x:•••@h, mail a:b@c.example.');
    expect(JSON.stringify(read)).not.toContain('hunter22');
    const failed = await session.navigate({ url: 'http://bo:hunter22@127.0.0.1:1/' });
    expect(JSON.stringify(failed)).not.toContain('hunter22');
  });
});
