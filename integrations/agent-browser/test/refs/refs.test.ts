import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';
import { pokedPages } from './poked-page.js';

const { openPoked } = pokedPages();

const PAGES = {
  '/': '<!doctype html><title>One</title><button>Go</button> <a href="/two">Two</a>',
  '/two': '<!doctype html><title>Two</title><button>Go</button> <a href="/">One</a>',
};

async function openSite(routes: Record<string, string> = PAGES) {
  const site = await servePages(routes);
  const toolset = testToolset();
  const session = toolset.session('refs');
  expectSuccess(await session.navigate({ url: site.url() }));
  return { site, toolset, session, seen: expectSuccess(await session.snapshot()) };
}

describe('a ref', () => {
  for (const write of ['e1', '@e1', 'ref=e1', 'ref=@e1', ' @e1 ', 'E1']) {
    test(`can be written ${JSON.stringify(write)}`, async () => {
      const { session } = await openSite();
      const result = expectSuccess(await session.click({ ref: write }));
      expect(result.element).toMatchObject({ ref: '@e1', name: 'Go' });
    });
  }

  for (const wrong of ['button', '@e', 'e1x', '#e1', '@e1 @e2', '1', '@e-1', 'e1.5', '@e99999999999', 'ref=', '@e1;']) {
    test(`cannot be written ${JSON.stringify(wrong)}`, async () => {
      const { session } = await openSite();
      const result = expectFailure(await session.click({ ref: wrong }), 'invalid_ref');
      expect(result.message).toContain(JSON.stringify(wrong));
      expect(result.message).toContain('@e12');
    });
  }

  test('that is empty is invalid input', async () => {
    const { session } = await openSite();
    expect(expectFailure(await session.click({ ref: '' }), 'invalid_input').message).toContain('ref');
  });

  test('that was never given out is invalid, zero and huge ones too', async () => {
    const { session } = await openSite();
    for (const ref of ['@e0', '@e3', '@e999999999']) {
      expect(expectFailure(await session.click({ ref }), 'invalid_ref').message).toContain('does not exist');
    }
  });

  test('of another thread is not taken for one of this thread', async () => {
    const { site, toolset, session } = await openSite();
    const other = toolset.session('other');
    expectSuccess(await other.navigate({ url: site.url('/two') }));
    expectSuccess(await session.click({ ref: '@e1' }));
    expectFailure(await toolset.session('third').click({ ref: '@e1' }), 'invalid_ref');
  });

  test('keeps its number from snapshot to snapshot', async () => {
    const { session, seen } = await openSite();
    expect(expectSuccess(await session.snapshot()).refs).toEqual(seen.refs);
    expect(expectSuccess(await session.snapshot({ interactiveOnly: false })).refs).toEqual(seen.refs);
  });
});

describe('refs of a document that is left', () => {
  test('are stale after a navigation, though the new page looks the same', async () => {
    const { site, session, seen } = await openSite();
    const go = refOf(seen, 'button', 'Go');
    expectSuccess(await session.navigate({ url: site.url('/two') }));
    const result = expectFailure(await session.click({ ref: go }), 'stale_ref');
    expect(result.message).toContain('(button "Go")');
    expect(expectSuccess(await session.snapshot()).refs).not.toHaveProperty([go]);
  });

  test('are stale after a click on a link', async () => {
    const { session, seen } = await openSite();
    expectSuccess(await session.click({ ref: refOf(seen, 'link', 'Two') }));
    expectFailure(await session.click({ ref: refOf(seen, 'button', 'Go') }), 'stale_ref');
  });

  test('are stale after a reload', async () => {
    const { session, seen } = await openSite();
    expectSuccess(await session.history({ direction: 'reload' }));
    expectFailure(await session.click({ ref: refOf(seen, 'button', 'Go') }), 'stale_ref');
  });

  test('never stand for something else after going back and forward', async () => {
    const { session, seen } = await openSite();
    const go = refOf(seen, 'button', 'Go');
    expectSuccess(await session.click({ ref: refOf(seen, 'link', 'Two') }));
    const two = expectSuccess(await session.snapshot());
    expectSuccess(await session.history({ direction: 'back' }));
    expectFailure(await session.click({ ref: refOf(two, 'button', 'Go') }), 'stale_ref');
    const back = await session.click({ ref: go });
    if (back.success) expect(back.title).toBe('One');
    else expect(back.code).toBe('stale_ref');
    expectSuccess(await session.history({ direction: 'forward' }));
    const forward = await session.click({ ref: go });
    expectFailure(forward, 'stale_ref');
  });

  test('are stale when another tab is in front, and stand for the same when theirs comes back', async () => {
    const { site, session, seen } = await openSite();
    const go = refOf(seen, 'button', 'Go');
    expectSuccess(await session.tabs({ action: 'new', url: site.url('/two') }));
    expectSuccess(await session.snapshot());
    expectFailure(await session.click({ ref: go }), 'stale_ref');
    expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
    const back = expectSuccess(await session.snapshot());
    expect(refOf(back, 'button', 'Go')).toBe(go);
    expect(expectSuccess(await session.click({ ref: go })).title).toBe('One');
  });

  test('are given anew for an unchanged page whose refs were forgotten over thousands of others', async () => {
    const many = Array.from(
      { length: 6_000 },
      (_, index) => `<button onclick="this.disabled = true">${index}</button>`,
    ).join('');
    const list = '<h2>Line</h2>'.repeat(99);
    const { site, session, seen } = await openSite({ '/': PAGES['/'] + list, '/many': `<title>Many</title>${many}` });
    const { truncated } = expectSuccess(await session.snapshot({ maxTokens: 100 }));
    expectSuccess(await session.tabs({ action: 'new', url: site.url('/many') }));
    const others = expectSuccess(await session.snapshot({ maxTokens: 1_000_000 }));
    expectSuccess(await session.click({ ref: refOf(others, 'button', '7') }));
    expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
    expectFailure(await session.snapshot({ next: truncated?.next }), 'invalid_input');
    const again = expectSuccess(await session.snapshot());
    const go = refOf(again, 'button', 'Go');
    expect(go).not.toBe(refOf(seen, 'button', 'Go'));
    expect(again.tree).toContain(`button "Go" ${go}`);
    expect(expectSuccess(await session.click({ ref: go })).title).toBe('One');
  });

  test('go with the frame that they were in', async () => {
    const inner = '<!doctype html><title>In</title><button>Pay</button>';
    const { session, ref, poke } = await openPoked(
      `<iframe src="/inner"></iframe>
      <script>function change() { document.querySelector('iframe').remove(); }</script>`,
      { '/inner': inner },
    );
    const pay = ref('button', 'Pay');
    await poke();
    const result = expectFailure(await session.click({ ref: pay }), 'stale_ref');
    expect(result.message).toContain('(button "Pay")');
  });
});

describe('numbers of refs', () => {
  test('are never given twice, whatever comes and goes', async () => {
    const { session, poke } = await openPoked(`<div id="app"></div><script>
      let n = 0;
      function change() { app.innerHTML = [1, 2, 3].map(() => '<button>Button ' + n++ + '</button>').join(''); }
      change();
    </script>`);
    const names = new Map<string, string>();
    for (let i = 0; i < 6; i++) {
      const { refs = {} } = expectSuccess(await session.snapshot());
      for (const [ref, { name = '' }] of Object.entries(refs)) {
        expect(names.get(ref) ?? name).toBe(name);
        names.set(ref, name);
      }
      await poke();
    }
    expect(names.size).toBe(18);
  });

  test('go on after the session is closed and opened again', async () => {
    const { site, session, seen } = await openSite();
    const before = Object.keys(seen.refs ?? {});
    expectSuccess(await session.close());
    expectSuccess(await session.navigate({ url: site.url() }));
    const after = Object.keys(expectSuccess(await session.snapshot()).refs ?? {});
    expect(after.filter(ref => before.includes(ref))).toEqual([]);
    expectFailure(await session.click({ ref: before[0] as string }), 'stale_ref');
  });

  test('run through frames in the order of the page', async () => {
    const inner = '<!doctype html><button>Inner</button>';
    const { seen } = await openPoked('<button>Before</button><iframe src="/inner"></iframe><button>After</button>', {
      '/inner': inner,
    });
    const refs = Object.entries(seen.refs ?? {});
    expect(refs.map(([, { role, name }]) => [role, name])).toEqual([
      ['button', 'Before'],
      ['iframe', undefined],
      ['button', 'Inner'],
      ['button', 'After'],
    ]);
    const numbers = refs.map(([ref]) => Number(ref.slice('@e'.length)));
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });
});
