import { expect, test } from 'vitest';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';
import { refusedIn } from './refused-in.js';

/** A site whose pages try to reach what lies under `/secret`, in every way that has a path. */
async function siteWithSecrets() {
  const seen: string[] = [];
  const ways = `<img src="/secret/img"><img src="/to?/secret/redirect"><iframe src="/secret/frame"></iframe>
    <iframe src="/to?/secret/frame-redirect"></iframe><link rel="stylesheet" href="/secret/css">`;
  const script = `<script>
    const tries = ['/secret/fetch', '/%73ecret/escaped', '/to?/secret/fetch-redirect'].map(url => fetch(url));
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
    '/%73ecret/escaped': note('escaped'),
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
