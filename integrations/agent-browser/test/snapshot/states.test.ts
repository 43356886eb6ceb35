import { describe, expect, test } from 'vitest';
import { casePage } from '../case-page.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage, toolset } = pageOpener();
const page = casePage(toolset);

/** The text of the view of controls, without refs. */
async function textOf(html: string): Promise<string> {
  return (await page.read(html)).replace(/ @e\d+/g, '');
}

/** Its lines, without their indentation. */
async function linesOf(html: string): Promise<string[]> {
  return (await textOf(html)).split('\n').map(line => line.trim());
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
    [
      'what a panel holds',
      '<div><div class="tab-pane">A</div><div class="tab-pane active"><button>Pay now</button></div></div>',
    ],
    [
      'a slide',
      '<div><div class="carousel-item"><b>1</b></div><div class="carousel-item active"><a href="#">Two</a></div></div>',
    ],
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

test('a short list box lists its options, and says that it takes several', async () => {
  const many = Array.from({ length: 13 }, (_, i) => `<option>${i}`).join('');
  const html = `<select multiple aria-label="Toppings"><option selected>Ham<option>Cheese<option selected>Olives</select>
    <select size="4" aria-label="Sauce"><option>Red<option>White</select><select aria-label="Size"><option>S<option>L</select>
    <select size="4" aria-label="Many">${many}</select>
    <ul role="listbox" aria-label="Sides" aria-multiselectable="true"><li role="option">Salad</li></ul>`;
  expect(await linesOf(html)).toEqual([
    'listbox "Toppings" value="Ham, Olives" options="Ham | Cheese | Olives" multiselectable',
    'listbox "Sauce" options="Red | White"',
    'combobox "Size" value="S" options: "S", "L"',
    'listbox "Many" 13 options',
    'listbox "Sides" multiselectable',
    'option "Salad"',
  ]);
});

describe('a drop-down of the page', () => {
  const options = '<ul role="listbox"><li role="option">NOK</li><li role="option" aria-selected="true">EUR</li></ul>';
  test.each([
    [
      'a label',
      '<div role="combobox" tabindex="0" aria-label="Currency" aria-expanded="false">EUR</div>',
      'combobox "Currency" value="EUR" collapsed',
    ],
    [
      'a label elsewhere',
      '<b id="l">Currency</b><button role="combobox" aria-labelledby="l"><span>EUR</span><svg></svg></button>',
      'combobox "Currency" value="EUR"',
    ],
    ['no label', '<div><div role="combobox" tabindex="0">EUR</div></div>', 'combobox value="EUR"'],
    [
      'its list in it',
      `<div role="combobox" tabindex="0" aria-label="Currency">${options}</div>`,
      'combobox "Currency" value="EUR"',
    ],
    [
      'a field in it',
      '<div role="combobox" aria-label="Currency"><input aria-label="Filter" value="E"></div>',
      'combobox "Currency"',
    ],
  ])('shows what was chosen in it: %s', async (_, html, line) => {
    expect((await linesOf(html))[0]).toBe(line);
  });

  test('tells a choice once', async () => {
    const { session, ref } = await openPage(
      '<div role="combobox" tabindex="0" aria-label="Currency" onclick="textContent = \'USD\'">EUR</div>',
    );
    const { changes } = expectSuccess(await session.click({ ref: ref('combobox', 'Currency') }));
    expect(changes?.split('\n').filter(line => line.includes('USD'))).toEqual([
      expect.stringMatching(/^~ combobox "Currency" @e\d+ value="USD"/),
    ]);
  });
});

test('rows of a grid are all listed where one of them can have the focus or be selected', async () => {
  const grid = (rows: string[]) => `<div role="grid" aria-label="Mail">${rows.join('')}</div>`;
  const row = (attributes: string, text: string) =>
    `<div role="row" ${attributes}><div role="gridcell" tabindex="-1">${text}</div></div>`;
  expect(await linesOf(grid([row('tabindex="0"', 'Ann'), row('tabindex="-1"', 'Bob')]))).toEqual([
    'grid "Mail"',
    'row "Ann"',
    'row "Bob"',
  ]);
  expect(await linesOf(grid([row('aria-selected="true"', 'Ann'), row('aria-selected="false"', 'Bob')]))).toEqual([
    'grid "Mail"',
    'row "Ann" selected',
    'row "Bob"',
  ]);
  expect(await linesOf(grid([row('', 'Ann'), row('', 'Bob')]))).toEqual([
    '(no interactive elements; use interactiveOnly=false to see the text)',
  ]);
});

describe('what has opened', () => {
  const MENU = (id: string, items: string) => `<ul role="menu" id="${id}">${items}</ul>`;
  const item = (name: string, more = '') => `<div role="menuitem" tabindex="-1" ${more}>${name}</div>`;

  test('stands below the item that it opened from, beside it and elsewhere, on every level', async () => {
    const html = `<div role="menubar"><li role="none">${item('File', 'aria-haspopup="true" aria-expanded="true"')}${MENU('a', item('New') + item('Open'))}</li>
      <li role="none">${item('Edit', 'aria-haspopup="true" aria-expanded="true" aria-controls="c"')}</li>${item('Help')}</div>
      <p>Elsewhere</p>${MENU('b', item('Copy as'))}${MENU('c', item('Copy', 'aria-haspopup="menu" aria-expanded="true" aria-owns="b"'))}`;
    expect((await textOf(html)).split('\n')).toEqual([
      'menuitem "File" haspopup expanded',
      '  menuitem "New"',
      '  menuitem "Open"',
      'menuitem "Edit" haspopup expanded',
      '  menuitem "Copy" haspopup expanded',
      '    menuitem "Copy as"',
      'menuitem "Help"',
    ]);
  });

  test('is lost nowhere, whatever the page says of it', async () => {
    const html = `${MENU('a', item('One', 'aria-haspopup="true" aria-expanded="true" aria-controls="b"'))}
      ${MENU('b', item('Two', 'aria-haspopup="true" aria-expanded="true" aria-controls="a"'))}
      ${MENU('c', item('Three', 'aria-haspopup="true" aria-expanded="true" aria-controls="c none"'))}
      ${item('Four', 'aria-haspopup="true" aria-expanded="true" aria-controls="b"')}`;
    const lines = await linesOf(html);
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      expect(
        lines.filter(line => line.includes(`"${name}"`)),
        name,
      ).toHaveLength(1);
    }
  });

  test('is told where it is only text that a field offers', async () => {
    const offered = (role: string) => `<input role="combobox" aria-label="City" aria-expanded="true" aria-controls="l">
      <p>Some words</p><ul id="l" ${role}><li>Berlin</li><li>Bern <b>Switzerland</b></li></ul>`;
    expect(await linesOf(offered(''))).toEqual([
      'combobox "City" expanded',
      'list (2)',
      'listitem  text "Berlin"',
      'listitem  text "Bern Switzerland"',
    ]);
    expect(await linesOf(offered('hidden'))).toEqual(['combobox "City" expanded']);
    const panel = `<input role="searchbox" aria-label="Find" aria-controls="l"><div id="l"><div>Berlin</div><div>Bern</div></div>`;
    expect(await linesOf(panel)).toEqual(['searchbox "Find"', 'text "Berlin"', 'text "Bern"']);
    const table = `<input aria-label="Filter" aria-controls="l"><table id="l"><tr><td>Berlin</td><td>Bern</td></tr></table>`;
    expect(await linesOf(table)).toEqual(['textbox "Filter"']);
  });
});

describe('the month of a calendar', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, i) => `<a href="#" class="d">${i + 1}</a>`).join(' ');
  const weekdays = '<div>Su</div><div>Mo</div><div>Tu</div><div>We</div><div>Th</div><div>Fr</div><div>Sa</div>';
  const captions = (lines: string[]) => lines.filter(line => /20\d\d/.test(line));

  test.each([
    [
      'a text between its arrows',
      `<a href="#">Prev</a><div>June 2026</div><a href="#">Next</a>${weekdays}${days(30)}`,
      ['caption "June 2026"'],
    ],
    [
      'days of the month before come first',
      `<div>June 2026</div><a href="#">30</a><a href="#">31</a>${days(30)}<a href="#">1</a>`,
      ['caption "June 2026"'],
    ],
    [
      'two months',
      `<div>June 2026</div>${days(30)}<div>July 2026</div>${days(31)}`,
      ['caption "June 2026"', 'caption "July 2026"'],
    ],
    [
      'a cell of the table',
      `<table><tr><th><a href="#">Prev</a><th colspan="5">2026年6月<th><a href="#">Next</a></tr><tr><td>${days(30).replaceAll('</a> ', '</a><td>')}</tr></table>`,
      ['caption "2026年6月"'],
    ],
    ['a heading says it once', `<h3>June 2026</h3>${days(30)}`, ['heading "June 2026" level=3']],
    [
      'the caption of a table',
      `<table><caption>June 2026</caption><tr><td>${days(30)}</td></tr></table>`,
      ['table "June 2026"'],
    ],
    ['pages of a list are no days', `<div>Since 2026</div>${days(12)}`, []],
    ['a text that is far above', `<div>June 2026</div>${'<p>word</p>'.repeat(50)}${days(30)}`, []],
  ])('%s', async (_what, html, expected) => {
    expect(captions(await linesOf(html))).toEqual(expected);
  });
});

test.each([
  ['an editable combobox', 'role="combobox" aria-expanded="true" aria-controls="l"'],
  ['a search field', 'type="search" aria-controls="l"'],
  ['a field with a list of its own', 'aria-autocomplete="list" aria-owns="l"'],
])('the suggestion that keys have reached is highlighted and not selected: %s', async (_, attributes) => {
  const html = `<input aria-label="City" ${attributes} aria-activedescendant="o2"><div role="listbox" id="l"><div role="option" id="o1" aria-selected="false">Rome</div>
    <div role="option" id="o2" aria-selected="true">Riga</div></div><script>document.querySelector('input').focus()</script>`;
  const lines = await linesOf(html);
  expect(lines).toContain('option "Riga" highlighted');
});

test.each([
  ['active', 'of a typeahead'],
  ['tt-cursor', 'of another one'],
  ['option--highlighted', 'by a word that says it'],
  ['selected', 'though the class says more'],
])('the suggestion that only a class marks while a person types is highlighted: %s, %s', async name => {
  const html = `<input aria-label="City" role="combobox" aria-expanded="true" aria-controls="l"><ul role="listbox" id="l"><li role="option">Rome
    <li role="option" class="${name}">Riga</ul><script>document.querySelector('input').focus()</script>`;
  expect(await linesOf(html)).toContain('option "Riga" highlighted');
});

test('items that keys reach are highlighted by their class; buttons that have the focus, and items that are all alike, are not', async () => {
  const html = `<style>div[onclick]{cursor:pointer}</style><div tabindex="0">${['New', 'Open', 'Save']
    .map((name, index) => `<div onclick="0" class="item${index === 1 ? ' k-focus' : ''}">${name}</div>`)
    .join('')}</div>
    <button class="btn focus">Yes</button><button class="btn">No</button>
    <ul><li onclick="0" class="hover">One<li onclick="0" class="hover">Two</ul>`;
  const lines = (await linesOf(html)).filter(line => line.includes('highlighted'));
  expect(lines).toEqual(['clickable "Open" highlighted']);
});

test('the choice of a drop-down that takes no text stays selected where the keys are', async () => {
  const html = `<div role="combobox" tabindex="0" id="c" aria-label="City" aria-expanded="true" aria-controls="l" aria-activedescendant="o1">Rome</div>
    <div role="listbox" id="l"><div role="option" id="o1" aria-selected="true">Rome</div><div role="option" id="o2">Riga</div></div><script>c.focus()</script>`;
  expect(await linesOf(html)).toContain('option "Rome" selected');
});

test.each([
  [
    'of a grid, whose rows have the same label',
    (name: string) =>
      `<div role="row" aria-label="Press SPACE to select this row."><span role="gridcell"><input type="checkbox" aria-label="Select"></span><span role="gridcell">${name}</span></div>`,
    'grid',
  ],
  [
    'of a list, whose items begin alike',
    (name: string) => `<div>Sponsored offer, free cancellation. <b>${name}</b> <button>Book</button></div>`,
    'list',
  ],
  [
    'of a table',
    (name: string) =>
      `<p><span>Press Space to toggle row selection (unchecked)</span> <i>${name}</i> <button>Open</button></p>`,
    'none',
  ],
  [
    'of a grid, whose rows begin with their toggles',
    (name: string, index: number) =>
      `<div role="row" aria-selected="${index === 1}"><span role="gridcell"><input type="checkbox" aria-label="Press Space to toggle row selection (${index === 1 ? 'checked' : 'unchecked'})"> ${name}</span><span role="gridcell">Oslo</span></div>`,
    'grid',
  ],
])('equal controls are told by where their rows differ: %s', async (_, row, role) => {
  const text = await textOf(
    `<div role="${role}">${['Toyota Celica', 'Ford Mondeo', 'Porsche Boxter'].map(row).join('')}</div>`,
  );
  for (const name of ['Toyota', 'Ford', 'Porsche']) expect(text).toMatch(new RegExp(`row "…?${name}`));
});
