import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { modelOutput } from '../../src/results/result.js';
import { navigate } from '../../src/tools/navigate.js';
import { expectSuccess, refOf, servePages, sharingToolset } from '../fixtures.js';

const toolset = sharingToolset({ navigationTimeout: 10_000 });
/** Whose navigations go on after ten seconds. */
const patient = sharingToolset();
afterAll(() => Promise.all([toolset.close(), patient.close()]));
let count = 0;

/** A server that answers a page when it is told to. */
async function opened(by = toolset) {
  const held: ServerResponse[] = [];
  const site = await servePages({
    '/': '<title>Home</title><a href="/slow">Slow</a><button onclick="document.title = \'Pressed\'">Press</button>',
    '/slow': (_, response) => void held.push(response),
  });
  const session = by.session(`slow-${count++}`);
  expectSuccess(await session.navigate({ url: site.url() }));
  const page = expectSuccess(await session.snapshot());
  const answer = (): void => {
    for (const response of held.splice(0)) {
      response.setHeader('content-type', 'text/html');
      response.end('<title>Slow</title><h1>At last</h1>');
    }
  };
  return { session, url: site.url('/slow'), ref: (role: string, name: string) => refOf(page, role, name), answer };
}

describe.concurrent('a server that takes its time', () => {
  test('is told of before ten seconds are over, and can be waited for', async () => {
    const { session, url, answer } = await opened(patient);
    const result = expectSuccess(await session.navigate({ url }));
    expect(result).toMatchObject({ loading: true, awaited: url, title: 'Home' });
    const text = JSON.stringify(await modelOutput(navigate, result));
    expect(text).toContain(`Navigation pending: no response yet from ${url}`);
    expect(text).toContain('the tab shows \\"Home\\"');
    const waiting = session.wait({ for: { load: 'domcontentloaded' } });
    answer();
    const waited = expectSuccess(await waiting);
    expect([waited.title, waited.loading]).toEqual(['Slow', undefined]);
    expect(waited.changes).toContain('At last');
  });

  test('is told of by the click that asks it, and by nobody once it has answered', async () => {
    const { session, url, ref, answer } = await opened(patient);
    expect(expectSuccess(await session.click({ ref: ref('link', 'Slow') }))).toMatchObject({
      loading: true,
      awaited: url,
    });
    const looking = session.snapshot();
    answer();
    expect(expectSuccess(await looking).title).toBe('Slow');
  });

  test('is given up by the next call when its time is over, and the page before is there again', async () => {
    const { session, url, ref } = await opened();
    expect(expectSuccess(await session.navigate({ url })).loading).toBe(true);
    const pressed = expectSuccess(await session.click({ ref: ref('button', 'Press') }));
    expect(pressed.recovered?.was).toBe(`${url} did not respond`);
    expect([pressed.title, pressed.loading]).toEqual(['Pressed', undefined]);
  });

  test('does not keep the tab from going elsewhere', async () => {
    const { session, url } = await opened(patient);
    expect(expectSuccess(await session.navigate({ url })).loading).toBe(true);
    const listed = expectSuccess(await session.tabs({ action: 'list' }));
    expect(listed.tabs?.[0]).toMatchObject({ title: 'Home' });
    const back = expectSuccess(await session.navigate({ url: url.replace('/slow', '/') }));
    expect([back.title, back.recovered, back.loading]).toEqual(['Home', undefined, undefined]);
  });
});
