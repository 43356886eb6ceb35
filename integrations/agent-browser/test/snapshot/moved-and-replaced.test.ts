import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { expectSuccess, refOf, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage, openSession } = pageOpener();

/** Clicks a control of a page. Resolves to the lines that say what changed. */
async function clickOn(body: string, role: string, name: string): Promise<string[]> {
  const site = await servePages({
    '/': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>${body}`,
  });
  const session = await openSession(site.url());
  const ref = refOf(expectSuccess(await session.snapshot()), role, name);
  return (expectSuccess(await session.click({ ref })).changes ?? '').split('\n');
}

describe('an item that moves to another list', () => {
  const transfer = (to: string): string =>
    `<ul><li draggable="true" id="item">Write</li><li draggable="true">Read</li></ul><button onclick="to.${to}(item)">Move</button>
    <ul id="to"><li draggable="true">Host</li><li draggable="true">Guest</li></ul>`;

  test('is told by its text, and behind what it is now', async () => {
    expect(await clickOn(transfer('append'), 'button', 'Move')).toEqual([
      expect.stringMatching(/^~ listitem "Write" @e\d+ moved after "Guest"$/),
    ]);
  });

  test('is told before what it is now, where it comes first', async () => {
    expect(await clickOn(transfer('prepend'), 'button', 'Move')).toEqual([
      expect.stringMatching(/^~ listitem "Write" @e\d+ moved before "Host"$/),
    ]);
  });

  test('is told where that was empty', async () => {
    const body = `<ul><li draggable="true" id="item">Write</li><li draggable="true">Read</li></ul>
      <ul id="to"></ul><button onclick="to.append(item)">Move</button>`;
    expect(await clickOn(body, 'button', 'Move')).toEqual([
      expect.stringMatching(/^~ listitem "Write" @e\d+ moved into an empty list$/),
    ]);
  });
});

describe('what only looks moved to whoever compares', () => {
  test('is a menu that its button has let go of, and that fades away', async () => {
    const { session, ref } =
      await openPage(`<button id="b" aria-haspopup="menu" aria-controls="m" aria-expanded="true">Open</button>
      <button>Other</button><div id="m" role="menu"><div role="menuitem" tabindex="-1" id="i">Settings</div></div>
      <script>i.onclick = () => { b.ariaExpanded = 'false'; b.removeAttribute('aria-controls'); };</script>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('menuitem', 'Settings') }));
    expect(changes).toMatch(/^~ button "Open" @e\d+ haspopup collapsed$/);
  });

  test('is a text that goes at one place and one that says the same and comes at another', async () => {
    const body = `<p id="first">Pick a colour</p><button>One</button><button id="go">Go</button><div id="end"></div><script>
      go.onclick = () => { first.remove(); end.innerHTML = '<p>Done</p><p>Pick a colour</p>'; };
    </script>`;
    expect((await clickOn(body, 'button', 'Go')).join('\n')).not.toContain('reordered');
  });
});

describe('a list whose items give way to others', () => {
  const pages = (
    rows: number,
  ): string => `<h1>Results</h1><ul id="list"></ul><button id="next">Next page</button><script>
    let first = 0;
    const show = () => {
      list.innerHTML = Array.from({ length: ${rows} }, (_, i) => '<li><h3><a href="#x">Item ' + String.fromCharCode(65 + first + i) + '</a></h3><span>$' + (first + i) + '</span> <button>Add</button></li>').join('');
    };
    show();
    next.onclick = () => { first += ${rows}; show(); };
  </script>`;

  test('has its new items listed and folded, and the old ones counted', async () => {
    const told = await clickOn(pages(12), 'button', 'Next page');
    expect(told.slice(0, 3)).toEqual([
      '+ listitem',
      expect.stringMatching(/^\+ {3}heading level=3 {2}link "Item M" @e\d+$/),
      expect.stringMatching(/^\+ {3}button "Add" @e\d+ "\$12"$/),
    ]);
    expect(told).toContain('- 12 listitems');
    expect(told.filter(line => /^\+ … \d+ more like this \(@e\d+-@e\d+\)$/.test(line))).toHaveLength(1);
    const left = 12 - told.filter(line => /button "Add" @e\d+ "\$\d+"$/.test(line)).length;
    expect(left).toBeGreaterThan(0);
    expect(told.at(-1)).toBe(`… ${left} more changes: ${left} texts (browser_snapshot)`);
  });

  test('is another thing than rows that count on', async () => {
    const body = `<ul id="list"></ul><button id="more">More</button><script>
      let mugs = 1;
      const show = () => {
        list.innerHTML = ['Mug', 'Pot', 'Cup', 'Jar'].map(name => '<li>' + name + ': ' + mugs + ' left <button>Add ' + name + '</button></li>').join('');
      };
      show();
      more.onclick = () => { mugs++; show(); };
    </script>`;
    const told = await clickOn(body, 'button', 'More');
    expect(told.filter(line => line.startsWith('-'))).toEqual([]);
    expect(told.filter(line => line.startsWith('~') && line.includes('2 left'))).toHaveLength(4);
  });
});

test('another view at another address of the same document has the room of a page', async () => {
  const names = 'Name Email Phone City Zip Country Language Timezone Currency Theme'.split(' ');
  const form = names.map(name => `<label>${name} <input></label>`).join('');
  const told = await clickOn(
    `<a href="#/settings">Settings</a><main id="view"><h1>Inbox</h1></main><script>
      onhashchange = () => { view.innerHTML = ${JSON.stringify(`<h1>Settings</h1><form>${form}<button>Save</button></form>`)}; };
    </script>`,
    'link',
    'Settings',
  );
  expect(told.flatMap(line => /textbox "(.*)"/.exec(line)?.[1] ?? [])).toEqual(names);
});

test('what has no room is named, if need be with fewer words', async () => {
  const controls = [
    '<button>Go on</button>',
    '<a href="#">Details</a>',
    '<input aria-label="Amount">',
    '<input type="checkbox">',
  ];
  const section = (index: number): string =>
    `<section aria-label="Part ${index} with a long name of its own"><h2>Heading ${index}</h2>${controls.filter((_, bit) => index & (2 ** bit)).join('')}</section>`;
  const sections = Array.from({ length: 15 }, (_, index) => section(index + 1)).join('');
  const told = await clickOn(
    `<button id="b">Show</button><div id="d"></div><script>b.onclick = () => { d.innerHTML = ${JSON.stringify(sections)}; }</script>`,
    'button',
    'Show',
  );
  expect(told.at(-1)).toMatch(/^… \d+ more changes: .*"Part \d.*, … \(browser_snapshot\)$/);
  expect(countTokens(told.join('\n'))).toBeLessThanOrEqual(200);
});
