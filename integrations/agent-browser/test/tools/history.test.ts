import { expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, newSession } = pageOpener({ navigationTimeout: 4_000 }, { ownSession: true });
/** Whose navigations outlast a test. */
const patient = pageOpener({ navigationTimeout: 60_000 }, { ownSession: true });

const ROUTES = {
  '/': '<title>One</title><h1>One</h1><a href="/two">Two</a>',
  '/two': '<title>Two</title><h1>Two</h1>',
};

test('going back and forward leads to the pages that were', async () => {
  const { session, site } = await openPage(ROUTES);
  await session.navigate({ url: site.url('/two') });
  const back = expectSuccess(await session.history({ direction: 'back' }));
  expect(back).toMatchObject({ url: site.url('/'), title: 'One', navigated: true });
  expect(back.changes).toContain('heading "One"');
  expect(await session.history({ direction: 'forward' })).toMatchObject({ url: site.url('/two'), title: 'Two' });
});

test.each(['back', 'forward'] as const)('going %s where there is nothing says so at once', async direction => {
  const { session, site } = await patient.openPage(ROUTES);
  const result = expectFailure(await session.history({ direction }), 'navigation_failed');
  expect(result.message).toBe(`There is no page to go ${direction} to.`);
  expect(result.url).toBe(site.url('/'));
});

test('going back in a session that has just begun says that there is nothing', async () => {
  expectFailure(await newSession().history({ direction: 'back' }), 'navigation_failed');
});

test('reloading brings what is new, and makes old refs stale', async () => {
  let count = 0;
  const { session, ref } = await openPage({
    '/': (_, response) => {
      count++;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<title>Count</title><h1>Visit ${count}</h1><button>Go</button>`);
    },
  });
  const before = count;
  const result = expectSuccess(await session.history({ direction: 'reload' }));
  expect(result.changes).toContain(`Visit ${before + 1}`);
  expectFailure(await session.click({ ref: ref('button', 'Go') }), 'stale_ref');
});

test('going back within a page that writes its own history tells the change', async () => {
  const { session, site, ref } =
    await openPage(`<button onclick="history.pushState({}, '', '/route'); show()">Go</button><p id="p"></p>
    <script>const show = () => { p.textContent = 'At ' + location.pathname }; addEventListener('popstate', show); show()</script>`);
  await session.click({ ref: ref('button', 'Go') });
  const result = expectSuccess(await session.history({ direction: 'back' }));
  expect(result).toMatchObject({ url: site.url('/'), navigated: true });
  expect(result.changes).toContain('At /');
});

test('going back to an entry with the same url is no failure', async () => {
  const { session, ref } =
    await openPage(`<button onclick="history.pushState({ step: 2 }, ''); show()">Go</button><p id="p"></p>
    <script>const show = () => { p.textContent = 'Step ' + (history.state?.step ?? 1) }; addEventListener('popstate', show); show()</script>`);
  await session.click({ ref: ref('button', 'Go') });
  const result = expectSuccess(await session.history({ direction: 'back' }));
  expect(result.changes).toContain('Step 1');
});

test('reloading a page that cannot be had any more says why', async () => {
  const { session, site } = await openPage(ROUTES);
  await site.close();
  const result = expectFailure(await session.history({ direction: 'reload' }), 'navigation_failed');
  expect(result.message).toContain('ERR_CONNECTION_REFUSED');
});

test('reloading a page that hangs brings it back', async () => {
  const { session, ref } = await openPage('<title>Hang</title><button onclick="for (;;);">Hang</button>');
  await session.click({ ref: ref('button', 'Hang') });
  const result = expectSuccess(await session.history({ direction: 'reload' }));
  expect(result.changes).toContain('Hang');
});
