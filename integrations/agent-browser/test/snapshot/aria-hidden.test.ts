import { describe, expect, test } from 'vitest';
import { casePage } from '../case-page.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage, toolset } = pageOpener();
const page = casePage(toolset);

async function told(html: string): Promise<string> {
  return (await page.read(html, { interactiveOnly: false })).replaceAll(/ @e\d+/g, '');
}

describe('what a person sees is told, and marked, though it is aria-hidden', () => {
  test('the whole page, which a closed dialog has left hidden', async () => {
    const { session, ref, read } = await openPage(
      `<div id="app" aria-hidden="true"><h1>Orders</h1><button onclick="this.textContent = 'Paid'">Pay</button></div>`,
    );
    expect((await read()).replaceAll(/ @e\d+/g, '')).toContain(
      'group aria-hidden\n  heading "Orders" level=1\n  button "Pay"',
    );
    expect(expectSuccess(await session.click({ ref: ref('button', 'Pay') })).changes).toContain('"Paid"');
  });

  test('a part of it with a role of its own', async () => {
    expect(await told('<main aria-hidden="true"><a href="#a">First</a><p></p></main><a href="#b">Second</a>')).toBe(
      'main aria-hidden  link "First"\nlink "Second"',
    );
  });

  test('an article to read', async () => {
    const text = '<p style="height: 500px">Nothing here can be pressed.</p>';
    expect(await told(`<div aria-hidden="true"><h1>News</h1>${text}</div>`)).toBe(
      'group aria-hidden\n  heading "News" level=1\n  text "Nothing here can be pressed."',
    );
  });

  test('the body', async () => {
    const { read } = await openPage('<!doctype html><title>B</title><body aria-hidden="true"><button>Go on</button>');
    expect(await read()).toContain('button "Go on"');
  });
});

describe('an icon that is aria-hidden and takes presses has a ref', () => {
  test.each([
    [
      'by its own listener',
      `<i id="i" class="icon-filter" aria-hidden="true"></i><script>i.addEventListener('click', () => {})</script>`,
      'clickable [icon-filter] aria-hidden',
    ],
    [
      'by an attribute',
      '<span onclick="1" class="fa fa-close" aria-hidden="true"></span>',
      'clickable [fa-close] aria-hidden',
    ],
    [
      'by its cursor',
      '<svg aria-hidden="true" class="icon-zoom" style="cursor: pointer" width="20" height="20"></svg>',
      'img [icon-zoom] aria-hidden',
    ],
  ])('%s', async (_, html, line) => {
    expect(
      await told(`<style>i, span, svg, button { display: inline-block; width: 20px; height: 20px }</style>${html}`),
    ).toBe(line);
  });
});

describe('what is hidden with reason stays hidden', () => {
  test.each([
    [
      'a small part',
      '<div aria-hidden="true"><button>Copy</button></div><p>One</p><p>Two</p><button>Save</button>',
      'text "One"\ntext "Two"\nbutton "Save"',
    ],
    ['a button by itself', '<button aria-hidden="true">Copy</button><button>Save</button>', 'button "Save"'],
    [
      'an icon in a button',
      '<button><svg aria-hidden="true" width="9" height="9"></svg>Save</button>',
      'button "Save"',
    ],
    ['a decoration', '<i aria-hidden="true" class="fa fa-star">*</i><button>Save</button>', 'button "Save"'],
    [
      'a link that repeats another one',
      '<a href="/x" aria-hidden="true" tabindex="-1"><img src="/x.png" width="50" height="50"></a><a href="/x">Mug</a>',
      'link "Mug"',
    ],
    [
      'what lies behind a layer',
      '<div aria-hidden="true"><button>Behind</button></div><div style="position: fixed; inset: 0; background: #fff"><button>Front</button></div>',
      'button "Front"',
    ],
    [
      'what an open list box hides until it closes',
      '<div aria-hidden="true"><button>Other</button><p>1</p><p>2</p><p>3</p><p>4</p></div><input role="combobox" aria-label="City" aria-expanded="true" aria-controls="l"><div role="listbox" id="l"><div role="option">Rome</div></div>',
      'combobox "City" expanded\nlistbox  option "Rome"',
    ],
    [
      'a drawer outside of the window',
      '<div aria-hidden="true" style="position: fixed; left: -400px; width: 300px"><button>Menu</button></div><button>Save</button>',
      'button "Save"',
    ],
    [
      'the field of a widget',
      '<div><input aria-hidden="true" tabindex="-1" style="opacity: 0; position: absolute; inset: 0; pointer-events: none"><button>Save</button></div>',
      'button "Save"',
    ],
  ])('%s', async (_, html, line) => {
    expect(await told(html)).toBe(line);
  });
});
