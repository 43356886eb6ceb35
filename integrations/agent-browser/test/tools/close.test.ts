import { expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, newSession } = pageOpener({}, { ownSession: true });

test('closing ends the session; the next call starts anew, and old refs mean nothing else', async () => {
  const { session, site, ref } = await openPage('<button>One</button>');
  const old = ref('button', 'One');
  expectSuccess(await session.close());
  expect(expectSuccess(await session.tabs({ action: 'list' })).tabs?.[0]?.url).toBe('about:blank');
  await session.navigate({ url: site.url('/') });
  expect(await session.click({ ref: old })).toMatchObject({ success: false, code: 'stale_ref' });
});

test('closing works while a dialog is open, twice, and before anything began', async () => {
  const { session, ref } = await openPage(`<button onclick="alert('Hello')">One</button>`);
  await session.click({ ref: ref('button', 'One') });
  expectSuccess(await session.close());
  expectSuccess(await session.close());
  expectSuccess(await newSession().close());
});
