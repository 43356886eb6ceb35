import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { type BrowserSession, BrowserToolset } from '../../src/index.js';
import { expectSuccess, pageOf, servePages } from '../fixtures.js';
import { button, RULE_OF_PAGE, SILENT_CHANGES } from './silent-changes.js';

declare function ruleOfPage(): CSSStyleRule;

const toolset = new BrowserToolset();
let count = 0;
afterAll(() => toolset.close());

/** A page that was read, and what was read. */
async function openAndRead(html: string, routes = {}): Promise<{ session: BrowserSession; page: Page; tree: string }> {
  const site = await servePages({
    '/': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>${RULE_OF_PAGE}${html}`,
    ...routes,
  });
  const threadId = `still-${++count}`;
  const session = toolset.session(threadId);
  expectSuccess(await session.navigate({ url: site.url() }));
  const tree = await read(session);
  return { session, page: await pageOf(toolset, threadId), tree };
}

async function read(session: BrowserSession): Promise<string> {
  return expectSuccess(await session.snapshot()).tree ?? '';
}

describe('a snapshot of a page whose tree has not changed tells', () => {
  test.each(SILENT_CHANGES)('%s', async (_, html, change: () => unknown, expectation: (tree: string) => void) => {
    const { session, page, tree } = await openAndRead(button + html);
    expect(tree).toContain('Stays');
    await page.evaluate(change);
    expectation(await read(session));
    await session.close();
  });

  test('what hovering shows', async () => {
    const { session, page, tree } = await openAndRead(
      '<style>nav button { display: none } nav:hover button { display: block }</style><nav style="width: 200px; height: 100px">Menu<button>Item</button></nav>',
    );
    expect(tree).not.toContain('Item');
    await page.mouse.move(20, 20);
    expect(await read(session)).toContain('button "Item"');
    await session.close();
  });

  test('a name that hovering makes', async () => {
    const { session, page, tree } = await openAndRead(
      '<style>a:hover::after { content: " (opens a window)" }</style><a href="#" style="position: fixed; left: 0; top: 50px">Help</a>',
    );
    expect(tree).toMatch(/link "Help" @/);
    await page.mouse.move(10, 60);
    expect(await read(session)).toContain('link "Help (opens a window)"');
    await session.close();
  });

  test('what an inner box was scrolled to', async () => {
    const items = Array.from({ length: 40 }, (_, i) => `<button style="display: block; height: 30px">B${i}</button>`);
    const { session, page } = await openAndRead(
      `${button}<div id="box" style="height: 90px; overflow: auto">${items.join('')}</div>`,
    );
    const inView = async () => expectSuccess(await session.snapshot({ scope: 'viewport' })).tree ?? '';
    expect(await inView()).toContain('"B0"');
    expect(await inView()).not.toContain('"B10"');
    await page.evaluate('box.scrollTo(0, 300)');
    expect(await inView()).toContain('"B10"');
    expect(await inView()).not.toContain('"B0"');
    await session.close();
  });

  test('what the page was scrolled to the side to', async () => {
    const { session, page } = await openAndRead(`${button}<button style="margin-left: 4000px">Far</button>`);
    const inView = async () => expectSuccess(await session.snapshot({ scope: 'viewport' })).tree ?? '';
    expect(await inView()).not.toContain('"Far"');
    await page.evaluate('scrollTo(4000, 0)');
    expect(await inView()).toContain('"Far"');
    await session.close();
  });

  test.each([
    [
      'a host of a shadow tree',
      (items: string) => `<div id="box"></div>
      <script>box.attachShadow({ mode: 'open' }).innerHTML = \`${items}\`</script>`,
    ],
    [
      'a slot',
      (items: string) => `<div id="host">${items}</div><script>
      const root = host.attachShadow({ mode: 'open' });
      root.innerHTML = '<slot style="display: block; height: 90px; overflow: auto"></slot>';
      window.box = root.firstChild;</script>`,
    ],
    [
      'the body beside its document',
      (items: string) => `<style>html, body { overflow: auto }</style>${items}
      <script>window.box = document.body</script>`,
    ],
  ])('what %s was scrolled to', async (_, html) => {
    const items = Array.from({ length: 40 }, (_, i) => `<button style="display: block; height: 30px">B${i}</button>`);
    const { session, page } = await openAndRead(
      `<style>#box, body { height: 90px; overflow: auto }</style>${button}${html(items.join(''))}`,
    );
    const inView = async () => expectSuccess(await session.snapshot({ scope: 'viewport' })).tree ?? '';
    const before = await inView();
    await page.evaluate('window.box.scrollTo(0, 600)');
    const after = await inView();
    expect(after).not.toBe(before);
    expect(after).toContain('"B20"');
    expect(after).not.toContain('"B1"');
    await session.close();
  });

  test('a menu that hangs out of the box that clips what is around it', async () => {
    const { session } = await openAndRead(
      `${button}<div style="height: 40px; overflow: hidden"><div style="position: absolute; top: 200px"><button>Out</button></div></div>`,
    );
    expect(expectSuccess(await session.snapshot({ scope: 'viewport' })).tree).toContain('"Out"');
    await session.close();
  });

  test('what changed in a frame alone', async () => {
    const { session, page, tree } = await openAndRead(`${button}<iframe src="/frame" title="Frame"></iframe>`, {
      '/frame': '<!doctype html><input aria-label="Name">',
    });
    expect(tree).toContain('textbox "Name"');
    await page.frames()[1]?.evaluate(() => {
      (document.querySelector('input') as HTMLInputElement).value = 'Ada';
    });
    const now = await read(session);
    expect(now).toContain('value="Ada"');
    expect(expectSuccess(await session.snapshot({ diff: true })).tree).toBe('(no change seen)');
    await session.close();
  });

  test('a rule that was edited in a frame alone', async () => {
    const { session, page, tree } = await openAndRead(`${button}<iframe src="/frame" title="Frame"></iframe>`, {
      '/frame': '<!doctype html><style>button { display: block }</style><button>Inside</button>',
    });
    expect(tree).toContain('button "Inside"');
    await page.frames()[1]?.evaluate(() => {
      const rule = document.styleSheets[0]?.cssRules[0];
      if (rule instanceof CSSStyleRule) rule.style.setProperty('display', 'none');
    });
    expect(await read(session)).not.toContain('"Inside"');
    await session.close();
  });

  test('what a page that is animated all the time shows', async () => {
    const { session, page } = await openAndRead(
      '<style>.go { display: block } i { position: absolute } i.turn { animation: turn 1s infinite linear } @keyframes turn { to { rotate: 1turn } }</style><button class="go">Go</button><i>o</i>',
    );
    await page.evaluate(() => document.querySelector('i')?.classList.add('turn'));
    for (let i = 0; i < 4; i++) expect(await read(session)).toContain('"Go"');
    await page.evaluate(() => ruleOfPage().style.setProperty('display', 'none'));
    expect(await read(session)).not.toContain('"Go"');
    await session.close();
  });

  test('nothing else than a look that reads all text anew', async () => {
    const { session, tree } = await openAndRead(`${button}<p>Some text</p>`);
    const full = expectSuccess(await session.snapshot({ interactiveOnly: false })).tree;
    expect(full).toContain('Some text');
    expect(await read(session)).toBe(tree);
    expect(expectSuccess(await session.snapshot({ interactiveOnly: false })).tree).toBe(full);
    await session.close();
  });
});
