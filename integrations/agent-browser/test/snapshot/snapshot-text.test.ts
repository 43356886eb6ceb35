import type { ServerResponse } from 'node:http';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectFailure, expectSuccess, type Route, refOf, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openSession } = pageOpener();

async function open(html: string, routes: Record<string, Route> = {}): Promise<BrowserSession> {
  const site = await servePages({
    ...routes,
    '/': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>${html}`,
  });
  return openSession(site.url());
}

const times = (many: number, make: (index: number) => string): string =>
  Array.from({ length: many }, (_, i) => make(i)).join('');

const LIST = `<h1>Orders</h1><ul aria-label="Orders">${times(60, i => `<li>Order ${i} <button onclick="document.title = 'Clicked ${i}'">Open order ${i}</button></li>`)}</ul><button>Last</button>`;

describe('a snapshot within its budget', () => {
  test('folds what repeats itself, and folded refs work', async () => {
    const session = await open(LIST);
    const { tree = '', refs = {} } = expectSuccess(await session.snapshot({ maxTokens: 200 }));
    const fold = /… (\d+) more like this \((@e\d+)-@e(\d+)\)/.exec(tree);
    expect(Number(fold?.[1])).toBeGreaterThan(40);
    const folded = `@e${Number(fold?.[3]) - 1}`;
    expect(refs).toHaveProperty([folded]);
    const { name } = refs[folded] as { name: string };
    const result = expectSuccess(await session.click({ ref: folded }));
    expect(result.element?.name).toBe(name);
    expect(result.title).toBe(name.replace('Open order', 'Clicked'));
  });

  test('says how to see all of a list that it folds', async () => {
    const session = await open(
      `${LIST}<main>${times(60, i => `<p>Line ${i} <a href="#${i}">Link ${i}</a></p>`)}</main>`,
    );
    const { tree = '', refs = {} } = expectSuccess(await session.snapshot({ maxTokens: 300 }));
    const [, ref = ''] = /more like this \(.*\): snapshot ref=(@e\d+)\n/.exec(tree) ?? [];
    expect(refs[ref]).toEqual({ role: 'list', name: 'Orders' });
    const whole = expectSuccess(await session.snapshot({ ref }));
    expect(whole.truncated).toBeUndefined();
    expect(whole.tree?.match(/"Open order \d+"/g)).toHaveLength(60);
    expect(whole.tree).not.toContain('Link');
  });

  test('names what holds a fold for reading alone, and not where a snapshot of that would say less', async () => {
    const session = await open(LIST);
    const { tree = '' } = expectSuccess(await session.snapshot({ maxTokens: 200 }));
    const [, ref = ''] = /: snapshot ref=(@e\d+)\n/.exec(tree) ?? [];
    const refused = expectFailure(await session.click({ ref }), 'invalid_ref');
    expect(refused.message).toBe(`${ref} (list "Orders") cannot be acted on itself; use a ref of something inside it.`);
    expect(refused.recoveryHint).toContain(`ref=${ref}`);
    for (const how of [{ interactiveOnly: false }, { maxDepth: 9 }, { scope: 'viewport' as const }]) {
      const other = expectSuccess(await session.snapshot({ maxTokens: 200, ...how })).tree;
      expect(other).toContain('more like this');
      expect(other).not.toContain('snapshot ref=');
    }
  });

  test('keeps to it, whatever the budget, and cuts no line', async () => {
    const session = await open(
      `${LIST}${times(100, i => `<h2>Chapter ${i}</h2><p>${'Some words of a text. '.repeat(i % 9)}</p><a href="#${i}">Go on to chapter ${i}</a>`)}`,
    );
    const whole = new Set(
      expectSuccess(await session.snapshot({ maxTokens: 1_000_000 }))
        .tree?.split('\n')
        .map(line => line.trim()),
    );
    for (const maxTokens of [100, 150, 300, 1000, 3000]) {
      const { tree = '', truncated } = expectSuccess(await session.snapshot({ maxTokens }));
      expect(countTokens(tree)).toBeLessThanOrEqual(maxTokens * 1.15);
      expect(truncated?.total).toBeGreaterThan(truncated?.shown ?? 0);
      for (const line of tree.split('\n').slice(1))
        if (!line.includes('more like this')) expect(whole).toContain(line.trim());
    }
  });

  test('can be paged through to its end: everything comes exactly once', async () => {
    const session = await open(LIST);
    let part = expectSuccess(await session.snapshot({ maxTokens: 150 }));
    const names = [...(part.tree ?? '').matchAll(/"(Open order \d+|Last)"/g)].map(([, name]) => name);
    for (let i = 0; part.truncated !== undefined && i < 100; i++) {
      part = expectSuccess(await session.snapshot({ next: part.truncated.next, maxTokens: 150 }));
      names.push(...[...(part.tree ?? '').matchAll(/"(Open order \d+|Last)"/g)].map(([, name]) => name));
    }
    expect(names).toHaveLength(61);
    expect(new Set(names).size).toBe(61);
    expect(part.truncated).toBeUndefined();
  });

  test('tells when a cursor is over', async () => {
    const session = await open(LIST);
    expectSuccess(await session.snapshot({ maxTokens: 150 }));
    expect(expectFailure(await session.snapshot({ next: 'n999' }), 'invalid_input').message).toContain('n999');
  });
});

const NESTED = `<main><section aria-label="Cart"><h2>Cart</h2><div role="group" aria-label="Mug"><button>Fewer</button><button>More</button></div></section>
  <section aria-label="Offers"><h2>Offers</h2><a href="#a">See all</a></section></main><div style="height:3000px"></div><footer><a href="#i">Imprint</a></footer>`;

describe('a part of a page', () => {
  test('is what the viewport shows, with the same refs', async () => {
    const session = await open(NESTED);
    const all = expectSuccess(await session.snapshot());
    const seen = expectSuccess(await session.snapshot({ scope: 'viewport' }));
    expect(Object.keys(all.refs ?? {})).toHaveLength(4);
    expect(seen.refs).toEqual(
      Object.fromEntries(Object.entries(all.refs ?? {}).filter(([, { name }]) => name !== 'Imprint')),
    );
    expectSuccess(await session.click({ ref: refOf(all, 'link', 'Imprint') }));
  });

  test('is a dialog, or there is none', async () => {
    const session = await open(
      '<button onclick="d.showModal()">Open</button><dialog id="d" aria-label="Sure?"><button>Yes</button></dialog>',
    );
    const before = expectSuccess(await session.snapshot());
    expectFailure(await session.snapshot({ scope: 'modal' }), 'element_not_found');
    expectSuccess(await session.click({ ref: refOf(before, 'button', 'Open') }));
    const { tree } = expectSuccess(await session.snapshot({ scope: 'modal' }));
    expect(tree).toContain('dialog "Sure?"');
    expect(tree).not.toContain('"Open"');
    expect(expectSuccess(await session.snapshot()).tree).not.toContain('"Open"');
  });

  test('is what is inside an element', async () => {
    const session = await open(
      `<div role="button" tabindex="0" aria-label="Card"><a href="#x">Inside</a></div><a href="#y">Outside</a>`,
    );
    const all = expectSuccess(await session.snapshot());
    const { tree, refs } = expectSuccess(await session.snapshot({ ref: refOf(all, 'button', 'Card') }));
    expect(Object.values(refs ?? {}).map(({ name }) => name)).toEqual(['Card', 'Inside']);
    expect(tree).not.toContain('Outside');
    expectFailure(await session.snapshot({ ref: '@e999999' }), 'invalid_ref');
  });

  test('goes as deep as is asked for, and says what is below', async () => {
    const session = await open(NESTED);
    const { tree } = expectSuccess(await session.snapshot({ maxDepth: 2 }));
    expect(tree).toContain('  region "Cart" … 3 below');
    expect(tree).not.toContain('Fewer');
  });
});

describe('the refs of a snapshot', () => {
  test('can be changed by whoever got them: the next snapshot has them all', async () => {
    const session = await open('<button>One</button><button>Two</button>');
    const { refs = {} } = expectSuccess(await session.snapshot());
    const before = { ...refs };
    for (const ref of Object.keys(refs)) delete refs[ref];
    expect(expectSuccess(await session.snapshot()).refs).toEqual(before);
  });
});

describe('changes', () => {
  test('of a page that stayed as it is are none', async () => {
    const session = await open('<button>Nothing</button>');
    const seen = expectSuccess(await session.snapshot());
    expect(expectSuccess(await session.snapshot({ diff: true })).tree).toBe('(no change seen)');
    expect(expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Nothing') }))).toMatchObject({
      changes: '(no change seen)',
      pageChanged: false,
    });
  });

  test.each([undefined, 100])('that are asked for have the budget that is asked for, and refs: %s', async maxTokens => {
    const held: ServerResponse[] = [];
    let isFilled = false;
    const session = await open(
      `<ul aria-label="Orders"></ul><script>fetch('/orders').then(() => {
      for (let i = 0; i < 60; i++) document.querySelector('ul').insertAdjacentHTML('beforeend', '<li><a href="#">Order number ' + i + '</a>');
      return fetch('/filled');
    })</script>`,
      {
        '/orders': (_, response) => void held.push(response),
        '/filled': (_, response) => {
          isFilled = true;
          response.end();
        },
      },
    );
    expect(expectSuccess(await session.snapshot()).elementCount).toBe(0);
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end();
    // No tool waits for it: each would tell of it.
    await expect.poll(() => isFilled).toBe(true);
    const { tree = '', refs = {}, elementCount } = expectSuccess(await session.snapshot({ diff: true, maxTokens }));
    const told = tree.split('\n').filter(line => line.startsWith('+') && line.includes('link'));
    expect(told.map(line => /@e\d+/.exec(line)?.[0])).toEqual(Object.keys(refs));
    expect(elementCount).toBe(told.length);
    if (maxTokens === undefined) expect(told).toHaveLength(60);
    else expect(countTokens(tree)).toBeLessThanOrEqual(maxTokens);
  });

  test('after an action take at most 200 tokens, tell the loudest and count the others', async () => {
    const session = await open(
      `<button onclick="out.innerHTML = '<p role=alert>Payment failed</p>' + '<p>A new line of text with <a href=#x>a link</a></p>'.repeat(200)">Pay</button><div id="out"></div>`,
    );
    const seen = expectSuccess(await session.snapshot());
    const { changes = '' } = expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Pay') }));
    expect(changes).toContain('Payment failed');
    expect(changes).toMatch(/… \d+ more changes.*\(browser_snapshot\)$/);
    expect(countTokens(changes)).toBeLessThanOrEqual(200);
  });

  test('of a page that is new are its beginning', async () => {
    const session = await open(
      '<h1>First</h1><script>if (!location.hash) setTimeout(() => {}, 0)</script><a href="/other">Other</a>',
    );
    const seen = expectSuccess(await session.snapshot());
    const { changes } = expectSuccess(await session.click({ ref: refOf(seen, 'link', 'Other') }));
    expect(changes).toContain('page "Not found"');
  });

  test('are those since the agent last read: what speaks up first, then what can be acted on', async () => {
    const session =
      await open(`<h1>Cart</h1><ul aria-label="Items"><li>Mug</li></ul><p role="status" id="sum">1 item</p>
      <button onclick="document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Pot <button>Remove</button></li>'); sum.textContent = '2 items'">Add</button>`);
    const seen = expectSuccess(await session.snapshot());
    const add = refOf(seen, 'button', 'Add');
    const { changes = '' } = expectSuccess(await session.click({ ref: add }));
    expect(changes.split('\n')).toEqual([
      '~ status "2 items"',
      '  list "Items"',
      '+   listitem',
      '+     text "Pot"',
      `+     button "Remove" @e${Number(add.slice(2)) + 1}`,
    ]);
  });
});

describe('a password', () => {
  test.each([
    ['a password field', '<input type="password" aria-label="Secret" value="hunter2">'],
    ['a field that draws dots', '<input aria-label="Secret" value="hunter2" style="-webkit-text-security: disc">'],
    [
      'one that was revealed and hidden again',
      '<input id="p" type="password" aria-label="Secret" value="hunter2"><script>p.type = "text"; p.type = "password"</script>',
    ],
  ])('in %s is masked, and its length is not told', async (_, html) => {
    const session = await open(html);
    const read = async (): Promise<string> =>
      JSON.stringify([
        await session.snapshot(),
        await session.snapshot({ interactiveOnly: false }),
        await session.find({ role: 'textbox' }),
      ]);
    expect(await read()).not.toContain('hunter2');
    const first = expectSuccess(await session.snapshot());
    const typed = await session.type({ ref: refOf(first, 'textbox', 'Secret'), text: 'a-very-long-secret-of-mine' });
    expect(JSON.stringify(expectSuccess(typed))).not.toContain('very-long');
    const masked = /value="(•+)"/.exec(first.tree ?? '')?.[1];
    expect(/value="(•+)"/.exec(expectSuccess(await session.snapshot()).tree ?? '')?.[1]).toBe(masked);
  });

  test('field that is empty reads as empty', async () => {
    const session = await open('<input type="password" aria-label="Secret">');
    const { tree } = expectSuccess(await session.snapshot());
    expect(tree).toMatch(/^textbox "Secret" @e\d+/m);
    expect(tree).not.toContain('value=');
  });
});
