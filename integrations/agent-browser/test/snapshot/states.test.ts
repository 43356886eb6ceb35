import { describe, expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

/** The lines of the default view, without refs. */
async function linesOf(html: string): Promise<string[]> {
  const { session } = await openPage(`<!doctype html><title>States</title>${html}`);
  const { tree = '' } = expectSuccess(await session.snapshot());
  return tree
    .replace(/ @e\d+/g, '')
    .split('\n')
    .slice(1)
    .map(line => line.trim());
}

test('a sorted column says which way, with its button and without one', async () => {
  const html = `<table><tr><th aria-sort="ascending"><button>Name</button></th><th><button>Age</button></th></tr>
    <tr><td>Ann</td><td>7</td></tr></table>
    <div role="grid"><div role="row"><div role="columnheader" aria-sort="descending">Price</div></div></div>
    <table><tr><th tabindex="0" aria-sort="descending">City</th><th tabindex="0" aria-sort="none">Land</th></tr></table>`;
  expect(await linesOf(html)).toEqual([
    'columnheader sorted ascending  button "Name"',
    'button "Age"',
    'columnheader "Price" sorted descending',
    'columnheader "City" sorted descending',
    'columnheader "Land"',
  ]);
});

test('what opens something says what, where its role does not', async () => {
  const html = `<button aria-haspopup="true" aria-expanded="false">File</button><button aria-haspopup="menu">Edit</button>
    <button aria-haspopup="dialog">Date</button><button aria-haspopup="listbox">Colour</button>
    <button aria-haspopup="false">Plain</button><button aria-haspopup="nonsense">Odd</button>
    <input role="combobox" aria-label="City" aria-haspopup="listbox"><input role="combobox" aria-label="Place" aria-haspopup="tree">
    <div role="menubar"><div role="menuitem" tabindex="0" aria-haspopup="true">View</div></div>`;
  expect(await linesOf(html)).toEqual([
    'button "File" haspopup collapsed',
    'button "Edit" haspopup',
    'button "Date" haspopup=dialog',
    'button "Colour" haspopup=listbox',
    'button "Plain"',
    'button "Odd"',
    'combobox "City"',
    'combobox "Place" haspopup=tree',
    'menuitem "View" haspopup',
  ]);
});

describe('a class that alone says what is chosen', () => {
  const chosen = (lines: string[]) => lines.flatMap(line => (/"(.*)" .*selected/.exec(line)?.[1] ? [line] : []));

  test.each([
    [
      'a toolbar',
      '<div><button class="ql-bold ql-active">B</button><button class="ql-italic">I</button></div>',
      'button "B" selected',
    ],
    [
      'several of a toolbar',
      '<div><button class="x is-active">B</button><button class="x is-active">I</button><button class="x">U</button></div>',
      'button "B" selected',
    ],
    [
      'tabs',
      '<ul><li class="active"><a href="#a">One</a></li><li><a href="#b">Two</a></li></ul>',
      'link "One" selected',
    ],
    [
      'days',
      '<table><tr><td onclick="" class="day">1</td><td onclick="" class="day day--selected">2</td></tr></table>',
      'cell "2" selected',
    ],
    [
      'switches',
      '<div><span style="cursor:pointer">Off</span><span style="cursor:pointer" class="on">On</span></div>',
      'clickable "On" selected',
    ],
  ])('is told: %s', async (_what, html, line) => {
    expect(chosen(await linesOf(html))).toContain(line);
  });

  test.each([
    ['nothing beside it', '<div><button class="active">B</button></div>'],
    ['all of them have it', '<div><button class="active">B</button><button class="active">I</button></div>'],
    ['another kind beside it', '<div><button class="active">B</button><a href="#">I</a></div>'],
    [
      'an ARIA state that says more',
      '<div><button class="active" aria-pressed="false">B</button><button>I</button></div>',
    ],
    [
      'what is not active',
      '<div><a href="#" class="inactive">a</a><a href="#" class="is-not-active">b</a><a href="#" class="no-selected">c</a><a href="#">d</a></div>',
    ],
    ['utilities', '<div><a href="#" class="active:bg-red hover:on add-on interactive">a</a><a href="#">b</a></div>'],
    ['fields', '<div><input class="active" aria-label="a"><input aria-label="b"></div>'],
  ])('is not taken for one: %s', async (_what, html) => {
    expect(chosen(await linesOf(html))).toEqual([]);
  });

  test('is told as it changes', async () => {
    const { session } = await openPage(
      `<div><button onclick="this.classList.toggle('is-active')">Bold</button><button>Italic</button></div>`,
    );
    const { refs = {} } = expectSuccess(await session.snapshot());
    const ref = Object.keys(refs)[0] ?? '';
    expect(expectSuccess(await session.click({ ref })).changes).toMatch(/~ button "Bold" @e\d+ .*selected/);
  });
});
