import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { RenderCounts } from '../../src/browser/tab/render-counts.js';
import { type BrowserSession, BrowserToolset } from '../../src/index.js';
import { expectSuccess, servePages } from '../fixtures.js';

const toolset = new BrowserToolset();
let count = 0;
afterAll(() => toolset.close());

/** How often each look at the page counted styles and layouts. */
const counted = vi.spyOn(RenderCounts.prototype, 'during');
beforeEach(() => {
  counted.mockClear();
});

async function isAtRest(): Promise<boolean> {
  const [before, now] = await Promise.all(counted.mock.results.slice(-2).map(({ value }) => value));
  return now?.counts !== undefined && now.answer.atRest === true && now.counts === before?.counts;
}

/** A page that was read often enough for everything about it to be remembered, and for nothing of it to be looked at again. */
async function openAndRead(html: string, routes = {}): Promise<{ session: BrowserSession; page: Page; tree: string }> {
  const site = await servePages({
    '/': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>${RULE_OF_PAGE}${html}`,
    ...routes,
  });
  const threadId = `still-${++count}`;
  const session = toolset.session(threadId);
  expectSuccess(await session.navigate({ url: site.url() }));
  await expect.poll(() => session.snapshot().then(isAtRest)).toBe(true);
  const tree = await read(session);
  return { session, page: await pageOf(threadId), tree };
}

async function read(session: BrowserSession): Promise<string> {
  return expectSuccess(await session.snapshot()).tree ?? '';
}

/** The page itself, for what no tool does. */
async function pageOf(threadId: string): Promise<Page> {
  const { getActivePage } = toolset as unknown as { getActivePage(threadId: string): Promise<Page> };
  return getActivePage.call(toolset, threadId);
}

const button = '<button>Stays</button>';

/** The first rule of the page's first style sheet; it runs in the page. */
declare function ruleOfPage(): CSSStyleRule;
const RULE_OF_PAGE = '<script>function ruleOfPage() { return document.styleSheets[0].cssRules[0]; }</script>';

describe('a snapshot of a page whose tree has not changed tells', () => {
  test.each([
    [
      'a rule that was edited and hides a button',
      '<style>.go { color: red }</style><button class="go">Go</button>',
      () => ruleOfPage().style.setProperty('display', 'none'),
      (tree: string) => expect(tree).not.toContain('"Go"'),
    ],
    [
      'a rule that was edited and shows a button',
      '<style>.go { display: none }</style><button class="go">Go</button>',
      () => ruleOfPage().style.setProperty('display', 'block'),
      (tree: string) => expect(tree).toContain('button "Go"'),
    ],
    [
      'a rule that makes a button visible again',
      '<style>.go { visibility: hidden }</style><button class="go">Go</button>',
      () => ruleOfPage().style.setProperty('visibility', 'visible'),
      (tree: string) => expect(tree).toContain('button "Go"'),
    ],
    [
      'a button that has shrunk to nothing',
      '<style>.go { overflow: hidden; padding: 0; border: 0 }</style><button class="go">Go</button>',
      () => ruleOfPage().style.setProperty('height', '0'),
      (tree: string) => expect(tree).not.toContain('"Go"'),
    ],
    [
      'a box that a script checked',
      '<label><input type="checkbox">Agree</label>',
      () => {
        (document.querySelector('input') as HTMLInputElement).checked = true;
      },
      (tree: string) => expect(tree).toMatch(/checkbox "Agree" @e\d+ checked/),
    ],
    [
      'a value that a script set',
      '<input aria-label="Name">',
      () => {
        (document.querySelector('input') as HTMLInputElement).value = 'Ada';
      },
      (tree: string) => expect(tree).toContain('value="Ada"'),
    ],
    [
      'an option that a script selected',
      '<select aria-label="Size"><option>S<option>L</select>',
      () => {
        (document.querySelector('select') as HTMLSelectElement).selectedIndex = 1;
      },
      (tree: string) => expect(tree).toContain('value="L"'),
    ],
    [
      'a popover that opened',
      '<div popover><button>Inside</button></div>',
      () => (document.querySelector('[popover]') as HTMLElement).showPopover(),
      (tree: string) => expect(tree).toContain('button "Inside"'),
    ],
    [
      'a dialog that became modal',
      '<dialog aria-label="Sure?"><button>Yes</button></dialog>',
      () => (document.querySelector('dialog') as HTMLDialogElement).showModal(),
      (tree: string) => expect(tree).not.toContain('Stays'),
    ],
    [
      'the focus',
      '<input aria-label="Name">',
      () => (document.querySelector('input') as HTMLInputElement).focus(),
      (tree: string) => expect(tree).toMatch(/textbox "Name" @e\d+ focused/),
    ],
    [
      'how far the page is scrolled',
      '<div style="height: 5000px"></div>',
      () => window.scrollTo(0, 3000),
      (tree: string) => expect(tree).toMatch(/scrolled [1-9]\d*%/),
    ],
    [
      'a shadow tree that was attached to what had content',
      '<div id="host"><button>Light</button></div>',
      () => {
        const root = (document.querySelector('#host') as HTMLElement).attachShadow({ mode: 'open' });
        root.innerHTML = '<button>Shadow</button>';
      },
      (tree: string) => {
        expect(tree).toContain('button "Shadow"');
        expect(tree).not.toContain('Light');
      },
    ],
    [
      'a custom element that was defined with a closed shadow tree',
      '<x-late style="display: block; width: 100px; height: 30px"></x-late>',
      () => {
        class Late extends HTMLElement {
          constructor() {
            super();
            this.attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed</button>';
          }
        }
        customElements.define('x-late', Late);
      },
      (tree: string) => expect(tree).toContain('button "Closed"'),
    ],
    [
      'a title',
      '',
      () => {
        document.title = 'Another';
      },
      (tree: string) => expect(tree).toContain('page "Another"'),
    ],
    [
      'a route that a script went to',
      '',
      () => history.pushState(null, '', '/elsewhere'),
      (tree: string) => expect(tree).toContain('/elsewhere'),
    ],
    [
      'a drawer that slid out of reach',
      '<style>nav { position: absolute; left: 0; width: 200px }</style><nav><button>Inbox</button></nav>',
      () => ruleOfPage().style.setProperty('transform', 'translateX(-400px)'),
      (tree: string) => expect(tree).not.toContain('Inbox'),
    ],
    [
      'a drawer that slid in',
      '<style>nav { position: absolute; left: 0; width: 200px; transform: translateX(-400px) }</style><nav><button>Inbox</button></nav>',
      () => ruleOfPage().style.setProperty('transform', 'none'),
      (tree: string) => expect(tree).toContain('button "Inbox"'),
    ],
    [
      'a name that a style sheet makes of a state',
      '<style>input:checked ~ button::after { content: " on" }</style><input type="checkbox" aria-label="Box"><button>Light</button>',
      () => {
        (document.querySelector('input') as HTMLInputElement).checked = true;
      },
      (tree: string) => expect(tree).toContain('button "Light on"'),
    ],
    [
      'a name that a style sheet makes of what is inside',
      '<style>section:has(:checked) button::before { content: "Un" }</style><section><input type="checkbox" aria-label="Box"><button>lock</button></section>',
      () => {
        (document.querySelector('input') as HTMLInputElement).checked = true;
      },
      (tree: string) => expect(tree).toContain('button "Unlock"'),
    ],
    [
      'generated text that a script edited',
      '<style>button.go::after { content: " now" }</style><button class="go">Go</button>',
      () => ruleOfPage().style.setProperty('content', '" later"'),
      (tree: string) => expect(tree).toContain('button "Go later"'),
    ],
    [
      'generated text that a script gave to a rule that had none',
      `<style>button.go::after { color: red }</style><button class="go">Go</button>${'<a href="#">Link</a>'.repeat(60)}`,
      () => ruleOfPage().style.setProperty('content', '" later"'),
      (tree: string) => expect(tree).toContain('button "Go later"'),
    ],
    [
      'the value of a field that is part of a name',
      '<label><input type="checkbox">Repeat <input aria-label="" size="3" value="3"> times</label>',
      () => {
        (document.querySelector('[size]') as HTMLInputElement).value = '7';
      },
      (tree: string) => expect(tree).toContain('checkbox "Repeat 7 times"'),
    ],
    [
      'a part of a name that a style sheet hides',
      '<style>i { display: inline }</style><button>Buy <i>now</i></button>',
      () => ruleOfPage().style.setProperty('display', 'none'),
      (tree: string) => expect(tree).toMatch(/button "Buy" @/),
    ],
    [
      'what a script assigned to a slot',
      `<div id="host"><button>One</button><button>Two</button></div><script>
        host.attachShadow({ mode: 'open', slotAssignment: 'manual' }).innerHTML = '<slot></slot>';
        host.shadowRoot.firstChild.assign(host.children[0]);
      </script>`,
      () => {
        const host = document.querySelector('#host') as HTMLElement;
        host.shadowRoot?.querySelector('slot')?.assign(host.children[1] as Element);
      },
      (tree: string) => {
        expect(tree).toContain('button "Two"');
        expect(tree).not.toContain('"One"');
      },
    ],
    [
      'a cursor that says that something can be clicked',
      '<style>.card { width: 100px }</style><div class="card">Open me</div>',
      () => ruleOfPage().style.setProperty('cursor', 'pointer'),
      (tree: string) => expect(tree).toContain('clickable "Open me"'),
    ],
    [
      'a text that has faded in',
      '<style>p { opacity: 0 }</style><div role="status"><p>Saved</p></div>',
      () => ruleOfPage().style.setProperty('opacity', '1'),
      (tree: string) => expect(tree).toMatch(/status "Saved"$/m),
    ],
    [
      'a text that has faded out',
      '<style>p { opacity: 1 }</style><div role="status"><p>Saved</p></div>',
      () => ruleOfPage().style.setProperty('opacity', '0'),
      (tree: string) => expect(tree).toContain('text "Saved" hidden-text'),
    ],
    [
      'a name from a hidden tree in the shadow',
      `<button aria-labelledby="label"></button><div id="label" hidden></div><script>
        label.attachShadow({ mode: 'open' }).innerHTML = '<b>Alpha</b>';
      </script>`,
      () => {
        const told = document.querySelector('#label')?.shadowRoot?.firstChild;
        if (told) told.textContent = 'Beta';
      },
      (tree: string) => expect(tree).toContain('button "Beta"'),
    ],
    [
      'a box that a script left undecided',
      '<label><input type="checkbox">All</label>',
      () => {
        (document.querySelector('input') as HTMLInputElement).indeterminate = true;
      },
      (tree: string) => expect(tree).toMatch(/checkbox "All" @e\d+ mixed/),
    ],
    [
      'a rule for what is drawn once somebody comes near',
      '<div style="height: 5000px"></div><style>.go { display: block }</style><div style="content-visibility: auto"><button class="go">Go</button></div>',
      () => ruleOfPage().style.setProperty('display', 'none'),
      (tree: string) => expect(tree).not.toContain('"Go"'),
    ],
    [
      'a style sheet of the document that was written anew',
      '<button class="go">Go</button><script>const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet];</script>',
      () => document.adoptedStyleSheets[0]?.replaceSync('.go { visibility: hidden }'),
      (tree: string) => expect(tree).not.toContain('"Go"'),
    ],
    [
      'an animation that was set to another moment after its end',
      '<div class="go"><button>Go</button></div><script>const slide = document.querySelector(".go").animate({ transform: ["translateX(-4000px)", "none"] }, { duration: 1000, fill: "forwards" }); slide.finish();</script>',
      () => {
        const [slide] = document.getAnimations();
        slide?.pause();
        if (slide !== undefined) slide.currentTime = 1;
      },
      (tree: string) => expect(tree).not.toContain('"Go"'),
    ],
    [
      'a text whose colour was taken away',
      '<style>p { color: black }</style><div role="status"><p>Saved</p></div>',
      () => ruleOfPage().style.setProperty('color', 'transparent'),
      (tree: string) => expect(tree).toContain('text "Saved" hidden-text'),
    ],
  ])('%s', async (_, html, change: () => unknown, expectation: (tree: string) => void) => {
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
    expect(expectSuccess(await session.snapshot({ diff: true })).tree).toBe('(no change)');
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

  test('what a page that stamps all it does shows', async () => {
    const { session, page } = await openAndRead('<style>.go { display: block }</style><button class="go">Go</button>');
    await page.evaluate(() => {
      for (let i = 0; i < 1000; i++) console.timeStamp('');
    });
    for (let i = 0; i < 3; i++) expect(await read(session)).toContain('"Go"');
    await page.evaluate(() => ruleOfPage().style.setProperty('display', 'none'));
    expect(await read(session)).not.toContain('"Go"');
    expect((await counted.mock.results.at(-1)?.value)?.counts).toBeUndefined();
    await session.close();
  });

  test('nothing that a page says of its own counts', async () => {
    const { session, page } = await openAndRead(
      `<style>.go { display: block }</style><button class="go">Go</button><script>
        setInterval(() => { for (const title of ['', 'undefined', '1']) console.timeStamp(title); }, 1);
      </script>`,
    );
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
