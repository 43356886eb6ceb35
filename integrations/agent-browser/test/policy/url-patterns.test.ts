import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UrlPolicy, type UrlPolicyOptions } from '#egress/url-policy.js';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';
import { refusedIn } from './refused-in.js';

/** Paths that a browser sends as they are, and that servers take for one under `/secret`. */
const DISGUISED = [
  '/%73ecret/escaped',
  '/free/..%2fsecret/slash',
  '/free/..%5csecret%5cbackslash',
  '/free/%2e%2e%2fsecret/dots',
  '/free/%252e%252e%252fsecret/twice',
  '/free//..%2fsecret/merged',
  '/free/..;v=1/secret/parameters',
];

/** A site whose pages try to reach what lies under `/secret`, in every way that has a path. */
async function siteWithSecrets() {
  const seen: string[] = [];
  const ways = `<img src="/secret/img"><img src="/to?/secret/redirect"><iframe src="/secret/frame"></iframe>
    <iframe src="/to?/secret/frame-redirect"></iframe><link rel="stylesheet" href="/secret/css">`;
  const script = `<script>
    const tries = ['/secret/fetch', '/to?/secret/fetch-redirect', ...${JSON.stringify(DISGUISED)}].map(url => fetch(url));
    navigator.sendBeacon('/secret/beacon');
    const worker = new Worker('/worker.js');
    tries.push(new Promise(done => { worker.onmessage = done }));
    tries.push(navigator.serviceWorker.register('/worker.js'));
    open('/popup');
    Promise.allSettled(tries).then(() => { document.title = 'Tried' });
  </script>`;
  const note = (name: string) => (request: { url?: string }, response: { end(text: string): void }) => {
    seen.push(request.url ?? '');
    response.end(name);
  };
  const names = ['img', 'redirect', 'frame', 'frame-redirect', 'css', 'fetch', 'fetch-redirect', 'beacon', 'worker'];
  const secrets = [...names, 'worker-redirect', 'popup'].map(name => [`/secret/${name}`, note(name)]);
  const site = await servePages({
    '/': ways + script,
    '/popup': '<img src="/secret/popup">',
    '/free': '<title>Free</title>',
    '/to': (request, response) => void response.writeHead(302, { location: request.url?.split('?')[1] }).end(),
    '/worker.js': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(
        "Promise.allSettled([fetch('/secret/worker'), fetch('/to?/secret/worker-redirect')]).then(() => postMessage(1))",
      );
    },
    ...Object.fromEntries(DISGUISED.map(path => [path, note(path)])),
    ...Object.fromEntries(secrets),
  });
  return { site, seen };
}

test('a path on the block list is reached by no page, frame, worker or redirect', async () => {
  const { site, seen } = await siteWithSecrets();
  const toolset = testToolset({ urlPolicy: { block: [site.url('/secret/*')] } });
  const refused = refusedIn(toolset);
  const session = toolset.session('a');
  expectFailure(await session.navigate({ url: site.url('/secret/page') }), 'url_blocked');
  const hop = await session.navigate({ url: site.url('/to?/secret/redirect') });
  expect(expectFailure(hop, 'url_blocked').message).toContain('/secret/*');
  expectSuccess(await session.navigate({ url: site.url() }));
  await expect.poll(async () => (await session.tabs({ action: 'list' })).tabs?.[0]?.title).toBe('Tried');
  await expect.poll(() => refused.length).toBeGreaterThan(12);
  await toolset.close();
  expect(seen).toEqual([]);
});

test('with a path on the allow list the rest of the site is refused', async () => {
  const { site } = await siteWithSecrets();
  const session = testToolset({ urlPolicy: { allow: [site.url('/free')] } }).session('a');
  expectSuccess(await session.navigate({ url: site.url('/free') }));
  expectFailure(await session.navigate({ url: site.url('/') }), 'url_blocked');
});

const verdict = (options: UrlPolicyOptions, path: string) =>
  new UrlPolicy(options).checkUrl(new URL(`http://a.test${path}`))?.rule ?? 'open';

/** A step to the folder above that a browser leaves in the path. */
const up = fc.constantFrom(
  '..%2f',
  '..%2F',
  '%2e%2e%2f',
  '.%2e%5c',
  '..%5C',
  '..;/',
  '..;a=b/',
  '%2e.;a/',
  '..%2f%2f',
  '.%2f..%2f',
);

/** A path below `/docs` that servers take for one below `/admin`, its escapes escaped again up to three times. */
const disguised = fc
  .tuple(
    fc.oneof(
      up.map(above => `/docs/${above}admin/x`),
      up.map(above => `/docs//${above}admin`),
      up.map(above => `/docs/${above}%61dmi%6e%2f`),
      fc.tuple(up, up).map(([first, second]) => `/docs/a/${first}${second}admin/`),
      fc.tuple(up, up).map(([first, second]) => `/docs/${first}admin//${second}`),
    ),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([path, times]) => path.replaceAll('%', `%${'25'.repeat(times)}`));

describe('a pattern with a path', () => {
  test('on the block list holds for each path that a server may take for one of it', () => {
    fc.assert(
      fc.property(disguised, path => {
        expect(verdict({ block: ['a.test/admin*'] }, path)).toBe('urlPolicy.block: "a.test/admin*"');
      }),
    );
  });

  test('on the allow list lets in no path that a server may take for another', () => {
    fc.assert(
      fc.property(disguised, path => {
        expect(verdict({ allow: ['a.test/docs/*'] }, path)).toBe('urlPolicy.allow');
      }),
    );
  });

  test('holds for plain paths, and for escapes that change nothing', () => {
    const segment = fc
      .stringMatching(/^(?:[a-z0-9.~_-]|%20|%3A|%C3%A9|%2B|;v=1){1,12}$/)
      .filter(text => !/^\.+/.test(text));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), segments => {
        const path = `/docs/${segments.join('/')}`;
        expect(verdict({ allow: ['a.test/docs/*'], block: ['a.test/admin*'] }, path)).toBe('open');
        expect(verdict({ allow: ['a.test/docs/*'] }, `${path}?next=..%2fadmin&a=%252e%252e/`)).toBe('open');
        expect(verdict({ block: ['a.test/docs/*'] }, path)).not.toBe('open');
      }),
    );
  });

  test.each([
    ['a path escaped more often than servers read it', `/docs/${`%${'25'.repeat(500)}2e`.repeat(2)}/admin`],
    ['a path as long as a browser sends it', `/docs/${'%25'.repeat(600_000)}`],
    ['a path of as many parts', `/docs/${'a/..%2f'.repeat(250_000)}`],
  ])('is held at once for %s', (_, path) => {
    expect(verdict({ allow: ['a.test/docs/*'], block: ['a.test/admin*'] }, path)).not.toBe('open');
  });
});
