import { describe, expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

const REST = `<main><h1>Shop</h1><p>Mugs and pots</p><a href="#">Home</a> <button>Buy</button> <input aria-label="Mail">
  <label><input type="checkbox"> News</label><ul id="rows"><li>Mug</li></ul></main>`;

/** A page whose popup hides the rest of it in a way while it is open. */
function page(role: string, hides: string, { chosen = '', rest = REST } = {}): string {
  return `<div id="app"><button id="size" aria-label="Size">Choose</button>${rest}</div>
  <script>
    const open = () => {
      const popup = document.createElement('div');
      popup.innerHTML = '<div ${role} aria-label="Sizes" style="position:fixed;inset:0;background:white"><div ${role.includes('listbox') ? 'role="option"' : 'role="menuitem"'} tabindex="-1">Large</div></div>';
      document.body.append(popup);
      popup.querySelector('[tabindex]').onclick = () => { popup.remove(); hide(false); ${chosen} };
      hide(true);
    };
    const hide = on => { ${hides} };
    size.onclick = open;
  </script>`;
}

const WAYS = {
  'aria-hidden': `on ? app.setAttribute('aria-hidden', 'true') : app.removeAttribute('aria-hidden')`,
  inert: `app.inert = on`,
  'inert but for its button': `for (const part of app.children) if (part !== size) part.inert = on`,
};

describe.each(Object.entries(WAYS))('a popup that hides the rest of the page, %s, while it is open', (_way, hides) => {
  test.each(['role="menu"', 'role="listbox"', 'role="dialog"', ''])('is told alone: <div %s>', async role => {
    const { session, ref, read } = await openPage(page(role, hides));
    const opened = expectSuccess(await session.click({ ref: ref('button', 'Size') })).changes?.split('\n') ?? [];
    expect(opened.filter(line => line.startsWith('-'))).toEqual([]);
    expect(opened.join('\n')).toMatch(/^\+.*"Large"/m);
    await read();
    const item = role.includes('listbox') ? 'option' : 'menuitem';
    const closed = expectSuccess(await session.click({ ref: ref(item, 'Large') })).changes?.split('\n') ?? [];
    expect(closed).toEqual([expect.stringMatching(/^- .*(Sizes|Large)/)]);
  });
});

describe('the end of a popup that hid the rest of the page', () => {
  const choose = async (chosen: string, rest?: string): Promise<string[]> => {
    const { session, ref, read } = await openPage(page('role="menu"', WAYS['aria-hidden'], { chosen, rest }));
    expectSuccess(await session.click({ ref: ref('button', 'Size') }));
    await read();
    return expectSuccess(await session.click({ ref: ref('menuitem', 'Large') })).changes?.split('\n') ?? [];
  };

  test('tells what is other than before behind it', async () => {
    expect(
      await choose(
        `size.setAttribute('aria-label', 'Size: Large'); rows.insertAdjacentHTML('beforeend', '<li>Pot</li>'); document.querySelector('p').remove()`,
      ),
    ).toEqual([
      expect.stringMatching(/^~ button "Size: Large" @e\d+/),
      '+ listitem  text "Pot"',
      '- text "Mugs and pots"',
      '- menu "Sizes" (2 lines)',
    ]);
  });

  test('tells another page in place of the one behind', async () => {
    const told = await choose(`app.innerHTML = '<h1>Thanks</h1><button>Go on</button>'`);
    expect(told[0]).toBe('+ heading "Thanks" level=1');
    expect(told.at(-1)).toMatch(/^- \d+ lines: /);
  });
});

test('a dialog behind the menu that opened from it is not said to have closed', async () => {
  const { session, ref } =
    await openPage(`<div id="back"><div role="dialog" aria-label="Edit profile"><button id="b" aria-haspopup="menu">Role</button></div></div>
    <div id="m" role="menu" hidden><div role="menuitem" tabindex="-1" id="i">Admin</div></div>
    <script>
      b.onclick = () => { m.hidden = false; back.setAttribute('aria-hidden', 'true'); };
      i.onclick = () => { m.hidden = true; back.removeAttribute('aria-hidden'); };
    </script>`);
  const opened = expectSuccess(await session.click({ ref: ref('button', 'Role') }));
  expect(opened.changes).toMatch(/^\+ menu {2}menuitem "Admin" @e\d+$/);
  const [item = ''] = /@e\d+/.exec(opened.changes ?? '') ?? [];
  expect(expectSuccess(await session.click({ ref: item })).changes).toBe('- menu  menuitem "Admin"');
});

test.each([
  'one.hidden = true',
  `one.style.visibility = 'hidden'`,
  `one.style.cssText = 'position:absolute;left:-9999px'`,
])('what is taken away when something comes is told to be gone, be it in the document still: %s', async hide => {
  const { session, ref } = await openPage(`<button id="go">Go</button>
      <div id="one"><a href="#">A</a> <a href="#">B</a> <a href="#">C</a></div><div id="two" hidden><button>Other</button></div>
      <script>go.onclick = () => { two.hidden = false; ${hide}; };</script>`);
  const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Go') }));
  expect(changes).toMatch(/^- 3 lines: 3 links$/m);
});
