import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { expectSuccess, pageOf, servePages, sharingToolset } from '../fixtures.js';
import { button, RULE_OF_PAGE, SILENT_CHANGES } from './silent-changes.js';

declare function ruleOfPage(): CSSStyleRule;

const toolset = sharingToolset();
const session = toolset.session();
afterAll(() => toolset.close());

/** A page that was read, and what was read. */
async function openAndRead(html: string, routes = {}): Promise<{ page: Page; tree: string }> {
  const site = await servePages({
    '/': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>${RULE_OF_PAGE}${html}`,
    ...routes,
  });
  expectSuccess(await session.navigate({ url: site.url() }));
  const tree = await read();
  return { page: await pageOf(toolset, session.threadId), tree };
}

async function read(): Promise<string> {
  return expectSuccess(await session.snapshot({ interactiveOnly: true })).tree ?? '';
}

describe('a snapshot of a page whose tree has not changed tells', () => {
  test.each(SILENT_CHANGES)('%s', async (_, html, change: () => unknown, expectation: (tree: string) => void) => {
    const { page, tree } = await openAndRead(button + html);
    expect(tree).toContain('Stays');
    expect(() => expectation(tree)).toThrow();
    await page.evaluate(change);
    expectation(await read());
  });

  test('what hovering shows', async () => {
    const { page } = await openAndRead(
      '<style>nav button { display: none } nav:hover button { display: block }</style><nav style="width: 200px; height: 100px">Menu<button>Item</button></nav>',
    );
    await page.mouse.move(400, 400);
    expect(await read()).not.toContain('Item');
    await page.mouse.move(20, 20);
    expect(await read()).toContain('button "Item"');
  });

  test('a name that hovering makes', async () => {
    const { page } = await openAndRead(
      '<style>a:hover::after { content: " (opens a window)" }</style><a href="#" style="position: fixed; left: 0; top: 50px">Help</a>',
    );
    await page.mouse.move(400, 400);
    expect(await read()).toMatch(/link "Help" @/);
    await page.mouse.move(10, 60);
    expect(await read()).toContain('link "Help (opens a window)"');
  });

  test('what an inner box was scrolled to', async () => {
    const items = Array.from({ length: 40 }, (_, i) => `<button style="display: block; height: 30px">B${i}</button>`);
    const { page } = await openAndRead(
      `${button}<div id="box" style="height: 90px; overflow: auto">${items.join('')}</div>`,
    );
    const inView = async () => expectSuccess(await session.snapshot({ scope: 'viewport' })).tree ?? '';
    expect(await inView()).toContain('"B0"');
    expect(await inView()).not.toContain('"B10"');
    await page.evaluate('box.scrollTo(0, 300)');
    expect(await inView()).toContain('"B10"');
    expect(await inView()).not.toContain('"B0"');
  });

  test('what the page was scrolled to the side to', async () => {
    const { page } = await openAndRead(`${button}<button style="margin-left: 4000px">Far</button>`);
    const inView = async () => expectSuccess(await session.snapshot({ scope: 'viewport' })).tree ?? '';
    expect(await inView()).not.toContain('"Far"');
    await page.evaluate('scrollTo(4000, 0)');
    expect(await inView()).toContain('"Far"');
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
    const { page } = await openAndRead(
      `<style>#box, body { height: 90px; overflow: auto }</style>${button}${html(items.join(''))}`,
    );
    const inView = async () => expectSuccess(await session.snapshot({ scope: 'viewport' })).tree ?? '';
    const before = await inView();
    await page.evaluate('window.box.scrollTo(0, 600)');
    const after = await inView();
    expect(after).not.toBe(before);
    expect(after).toContain('"B20"');
    expect(after).not.toContain('"B1"');
  });

  test('a menu that hangs out of the box that clips what is around it', async () => {
    await openAndRead(
      `${button}<div style="height: 40px; overflow: hidden"><div style="position: absolute; top: 200px"><button>Out</button></div></div>`,
    );
    expect(expectSuccess(await session.snapshot({ scope: 'viewport' })).tree).toContain('"Out"');
  });

  test('what changed in a frame alone', async () => {
    const { page, tree } = await openAndRead(`${button}<iframe src="/frame" title="Frame"></iframe>`, {
      '/frame': '<!doctype html><input aria-label="Name">',
    });
    expect(tree).toContain('textbox "Name"');
    await page.frames()[1]?.evaluate(() => {
      (document.querySelector('input') as HTMLInputElement).value = 'Ada';
    });
    const now = await read();
    expect(now).toContain('value="Ada"');
    expect(expectSuccess(await session.snapshot({ diff: true })).tree).toBe('(no change seen)');
  });

  test('a rule that was edited in a frame alone', async () => {
    const { page, tree } = await openAndRead(`${button}<iframe src="/frame" title="Frame"></iframe>`, {
      '/frame': '<!doctype html><style>button { display: block }</style><button>Inside</button>',
    });
    expect(tree).toContain('button "Inside"');
    await page.frames()[1]?.evaluate(() => {
      const rule = document.styleSheets[0]?.cssRules[0];
      if (rule instanceof CSSStyleRule) rule.style.setProperty('display', 'none');
    });
    expect(await read()).not.toContain('"Inside"');
  });

  test('what a page that is animated all the time shows', async () => {
    const { page } = await openAndRead(
      '<style>.go { display: block } i { position: absolute } i.turn { animation: turn 1s infinite linear } @keyframes turn { to { rotate: 1turn } }</style><button class="go">Go</button><i>o</i>',
    );
    await page.evaluate(() => document.querySelector('i')?.classList.add('turn'));
    for (let i = 0; i < 4; i++) expect(await read()).toContain('"Go"');
    await page.evaluate(() => ruleOfPage().style.setProperty('display', 'none'));
    expect(await read()).not.toContain('"Go"');
  });

  test('nothing else than a look that reads all text anew', async () => {
    const { tree } = await openAndRead(`${button}<p>Some text</p>`);
    const full = expectSuccess(await session.snapshot({ interactiveOnly: false })).tree;
    expect(full).toContain('Some text');
    expect(await read()).toBe(tree);
    expect(expectSuccess(await session.snapshot({ interactiveOnly: false })).tree).toBe(full);
  });
});
