import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener({ timeout: 3_000, navigationTimeout: 4_000 }, { ownSession: true });

const ROUTES = {
  '/': '<title>One</title><button>First</button>',
  '/two': '<title>Two</title><button>Second</button>',
  '/alert': `<title>Alert</title><script>alert('Hello')</script>`,
  '/hang': '<title>Hang</title><button onclick="for (;;);">Hang</button>',
};

describe('tabs', () => {
  test('are listed with url, title and which one is active', async () => {
    const { session, site } = await openPage(ROUTES);
    const { tabs } = expectSuccess(await session.tabs({ action: 'list' }));
    expect(tabs).toEqual([{ tab: 't1', url: site.url('/'), title: 'One', active: true }]);
  });

  test('open, blank or at a url, and become the active one', async () => {
    const { session, site } = await openPage(ROUTES);
    const blank = expectSuccess(await session.tabs({ action: 'new' }));
    expect(blank.tabs?.map(({ tab, active }) => [tab, active])).toEqual([
      ['t1', false],
      ['t2', true],
    ]);
    const second = expectSuccess(await session.tabs({ action: 'new', url: site.url('/two') }));
    expect(second).toMatchObject({ url: site.url('/two'), title: 'Two' });
    expect(second.changes).toContain('Second');
    expect(second.newTab).toBeUndefined();
  });

  test('are switched, with their refs', async () => {
    const { session, site, ref } = await openPage(ROUTES);
    const first = ref('button', 'First');
    expectSuccess(await session.tabs({ action: 'new', url: site.url('/two') }));
    expectFailure(await session.click({ ref: first }), 'stale_ref');
    const back = expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
    expect(back).toMatchObject({ url: site.url('/'), title: 'One' });
    expectSuccess(await session.click({ ref: first }));
  });

  test('that close make the one used before active again', async () => {
    const { session, site } = await openPage(ROUTES);
    await session.tabs({ action: 'new', url: site.url('/two') });
    await session.tabs({ action: 'new' });
    await session.tabs({ action: 'switch', tab: 't1' });
    await session.tabs({ action: 'switch', tab: 't3' });
    const result = expectSuccess(await session.tabs({ action: 'close' }));
    expect(result.url).toBe(site.url('/'));
    expect(result.tabs?.map(({ tab }) => tab)).toEqual(['t1', 't2']);
    expect(result.closedTabs).toBeUndefined();
  });

  test('can all be closed: a blank one comes, with an id that no other had', async () => {
    const { session } = await openPage(ROUTES);
    const result = expectSuccess(await session.tabs({ action: 'close', tab: 't1' }));
    expect(result.tabs).toEqual([{ tab: 't2', url: 'about:blank', title: '', active: true }]);
  });

  test('that there are not are named with those that there are', async () => {
    const { session } = await openPage(ROUTES);
    for (const action of ['switch', 'close'] as const) {
      const result = expectFailure(await session.tabs({ action, tab: 't9' }), 'invalid_input');
      expect(result.message).toBe('tab: there is no tab "t9"; the open tabs are t1.');
    }
  });

  test.each([
    [{ action: 'switch' } as const, 'tab: is required to switch'],
    [{ action: 'list', tab: 't1' } as const, 'tab: is only allowed with action "switch" or "close"'],
    [{ action: 'close', url: 'x' } as const, 'url: is only allowed with action "new"'],
  ])('refuse %j', async (input, message) => {
    const { session } = await openPage(ROUTES);
    expect(expectFailure(await session.tabs(input), 'invalid_input').message).toContain(message);
  });
});

describe('a new tab', () => {
  test.each([
    ['javascript:alert(1)', 'url_blocked'],
    ['file:///etc/passwd', 'url_blocked'],
    ['not a url', 'invalid_input'],
  ] as const)('is not opened for %s', async (url, code) => {
    const { session } = await openPage(ROUTES);
    expectFailure(await session.tabs({ action: 'new', url }), code);
    expect((await session.tabs({ action: 'list' })).tabs).toHaveLength(1);
  });

  test('whose page cannot be had is gone again', async () => {
    const { session, site, ref } = await openPage(ROUTES);
    await site.close();
    expectFailure(await session.tabs({ action: 'new', url: site.url('/two') }), 'navigation_failed');
    expect(await session.tabs({ action: 'list' })).toMatchObject({ tabs: [{ tab: 't1', active: true }] });
    expectSuccess(await session.click({ ref: ref('button', 'First') }));
  });

  test('whose page begins with a dialog says so', async () => {
    const { session, site } = await openPage(ROUTES);
    const result = expectSuccess(await session.tabs({ action: 'new', url: site.url('/alert') }));
    expect(result.dialog).toEqual({ type: 'alert', message: 'Hello' });
    expectSuccess(await session.dialog({ action: 'accept' }));
    expect(await session.snapshot()).toMatchObject({ title: 'Alert' });
  });

  test('beyond the most that a session may have is refused', async () => {
    const { session } = await few.openPage(ROUTES);
    expectSuccess(await session.tabs({ action: 'new' }));
    const result = expectFailure(await session.tabs({ action: 'new' }), 'invalid_input');
    expect(result.message).toContain('Tab limit reached: 2 tabs are open.');
  });
});

const few = pageOpener({ sessions: { maxTabs: 2 } }, { ownSession: true });

describe('a tab whose page hangs', () => {
  test('is listed, left, and closed', async () => {
    const { session, site, read } = await openPage(ROUTES);
    await session.tabs({ action: 'new', url: site.url('/hang') });
    const button = /button "Hang" (@e\d+)/.exec(await read())?.[1] ?? '';
    await session.click({ ref: button });
    const listed = expectSuccess(await session.tabs({ action: 'list' }));
    expect(listed.tabs?.[1]).toMatchObject({ tab: 't2', title: 'Hang', active: true });
    expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
    expectSuccess(await session.snapshot());
    const closed = expectSuccess(await session.tabs({ action: 'close', tab: 't2' }));
    expect(closed.tabs).toHaveLength(1);
  });
});

describe('a tab that waits for the answer to a dialog', () => {
  test('can be left and closed', async () => {
    const { session, site } = await openPage(ROUTES);
    await session.tabs({ action: 'new', url: site.url('/alert') });
    const left = expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
    expect(left.title).toBe('One');
    expectSuccess(await session.snapshot());
    expectFailure(await session.dialog({ action: 'accept' }), 'no_dialog');
    await session.tabs({ action: 'switch', tab: 't2' });
    expectSuccess(await session.tabs({ action: 'close' }));
    expect((await session.snapshot()).title).toBe('One');
  });
});
