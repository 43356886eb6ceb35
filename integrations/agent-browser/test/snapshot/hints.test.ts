import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asHint, descriptiveName, LONGEST_HINT } from '#page-engine/names/hint-words.js';
import { casePage } from '../case-page.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage, toolset } = pageOpener();
const page = casePage(
  toolset,
  '<style>button, a, i { display: inline-block; min-width: 20px; min-height: 20px }</style>',
);

/** The lines of a page with one thing in it, without refs. */
async function told(html: string): Promise<string> {
  return (await page.read(html)).replaceAll(/ @e\d+/g, '');
}

describe('a control without a name is told by', () => {
  test.each([
    [
      'the class of its icon',
      '<button class="btn p-2"><i class="fa fa-trash fa-lg"></i></button>',
      'button [fa-trash]',
    ],
    [
      'a class of its own',
      '<button class="ql-underline"><svg width="9" height="9"></svg></button>',
      'button [ql-underline]',
    ],
    [
      'the symbol of a drawing',
      '<button><svg width="9" height="9"><use href="/sprite.svg#icon-settings"/></svg></button>',
      'button [icon-settings]',
    ],
    ['the name of an icon', '<button><i data-lucide="x" data-icon="paperclip"></i></button>', 'button [paperclip]'],
    [
      'the file of its picture',
      '<a href="#"><img src="/img/shopping-cart.3f2a9c.png?v=2" alt="" width="20" height="20"></a>',
      'link [shopping-cart]',
    ],
    ['the way that its picture points', '<button><img src="/img/left.svg" alt=""></button>', 'button [left]'],
    ['its test id', '<button data-testid="remove-row"></button>', 'button [remove-row]'],
    [
      'the arrow of a calendar',
      '<a class="ui-datepicker-prev ui-corner-all" href="#"><span class="ui-icon ui-icon-circle-triangle-w"></span></a>',
      'link [ui-icon-circle-triangle-w]',
    ],
    [
      'the icon of a common word',
      '<button><span class="glyphicon glyphicon-bold"></span></button>',
      'button [glyphicon-bold]',
    ],
    [
      'the class of an icon that is a sign of its own',
      '<a href="#"><i class="fa fa-link">\uf0c1</i></a>',
      'link [fa-link]',
    ],
    ['its handler', '<a href="#" data-handler="previousMonth"></a>', 'link [previousMonth]'],
    ['its tooltip', '<button class="xyz" data-tooltip="Undo the last step"></button>', 'button [Undo the last step]'],
    ['where it leads', '<a href="/account/orders.html"></a>', 'link [orders]'],
    [
      'the element that it is all of',
      '<span class="calendar-prev-month"><svg width="20" height="20" tabindex="0"><path d="M5 8L9 1z"/></svg></span>',
      'img [calendar-prev-month]',
    ],
  ])('%s', async (_, html, line) => {
    expect(await told(html)).toBe(line);
  });

  test.each([
    '<button class="btn btn-primary p-2 d-flex css-1q2w3e sc-bdVaJa"></button>',
    '<button class="hover:bg-red-500 w-4 h-4"></button>',
    '<button id="a1b2c3d4"></button>',
    '<a href="#"></a>',
  ])('nothing that only says how it looks: %s', async html => {
    expect(await told(html)).toMatch(/^(button|link)$/);
  });
});

describe('controls that have the same hint, or none, are told from each other by', () => {
  const swatch = (colour: string): string => `<button class="swatch" style="background-color: ${colour}"></button>`;

  test.each([
    [
      'their colours',
      `<div>${swatch('#e60000')}${swatch('rgb(0, 138, 0)')}</div>`,
      'button [#e60000]\nbutton [#008a00]',
    ],
    [
      'the colours in them',
      `<div><button><i style="background: #0066cc"></i></button><button><i style="background: #ffff00"></i></button></div>`,
      'button [#0066cc]\nbutton [#ffff00]',
    ],
    [
      'what they stand for',
      `<span><a href="#" class="picker-item" data-value="small"></a><a href="#" class="picker-item" data-value="huge"></a></span>`,
      'link [small]\nlink [huge]',
    ],
    [
      'their values',
      `<span><button class="ql-list" value="ordered"><svg width="9" height="9"><line class="ql-stroke"></line></svg></button><button class="ql-list" value="bullet"><svg width="9" height="9"><line class="ql-stroke"></line></svg></button></span>`,
      'button [ql-list ordered]\nbutton [ql-list bullet]',
    ],
    [
      'the picture behind them',
      `<style>.up { background: url('/img/arrow-up.png') } .down { background: url('/img/arrow-down.png') }</style><div><button class="x up"></button><button class="x down"></button></div>`,
      'button [arrow-up]\nbutton [arrow-down]',
    ],
    [
      'their place',
      '<div><button></button><button></button><button></button></div>',
      'button [1 of 3]\nbutton [2 of 3]\nbutton [3 of 3]',
    ],
    [
      'the values around them',
      `<div><span class="nav-action" data-action="prev"><svg width="20" height="20" tabindex="0"></svg></span><b>May</b><span class="nav-action" data-action="next"><svg width="20" height="20" tabindex="0"></svg></span></div>`,
      'img [nav-action prev]\nimg [nav-action next]',
    ],
    [
      'their place, with the hint that they share',
      '<div><i tabindex="0" class="fa-star"></i><i tabindex="0" class="fa-star"></i></div>',
      'clickable [fa-star 1 of 2]\nclickable [fa-star 2 of 2]',
    ],
  ])('%s', async (_, html, lines) => {
    expect(await told(html)).toBe(lines);
  });

  test.each([
    [
      'by the heading of a table',
      `<table><thead><tr><th>Name<th>Price</tr></thead><tr><td>Mug<td tabindex="0"></tr><tr><td tabindex="0"><td>7</tr></table>`,
    ],
    [
      'by a table without a head',
      `<table><tr><th>Name<th>Price</tr><tr><td>Mug<td tabindex="0"></tr><tr><td tabindex="0"><td>7</tr></table>`,
    ],
    [
      'by numbers of a grid',
      `<div role="grid"><div role="row"><i role="columnheader" aria-colindex="4">Name</i><i role="columnheader" aria-colindex="5">Price</i></div>
        <div role="row"><i role="gridcell" aria-colindex="4">Mug</i><i role="gridcell" aria-colindex="5" tabindex="0"></i></div>
        <div role="row"><i role="gridcell" aria-colindex="4" tabindex="0"></i><i role="gridcell" aria-colindex="5">7</i></div></div>`,
    ],
  ])('the columns of empty cells: %s', async (_, html) => {
    expect((await told(html)).match(/cell \[\w+\]/g)).toEqual(['cell [Price]', 'cell [Name]']);
  });

  test('nothing more, where they have hints of their own', async () => {
    const button = (name: string): string => `<button class="tool"><i class="fa fa-${name}"></i></button>`;
    expect(await told(`<div>${button('trash')}${button('play')}</div>`)).toBe('button [fa-trash]\nbutton [fa-play]');
  });

  test('a swatch alone by the colour that its markup gives it', async () => {
    expect(
      await told(
        '<p>Fill <span tabindex="0" style="display: inline-block; width: 20px; height: 20px; background: #e60000"></span></p>',
      ),
    ).toContain('[#e60000]');
  });
});

describe('controls side by side with the same label are told from each other by', () => {
  test.each([
    [
      'their colours',
      '<button aria-label="Paint" style="background:#a00000"></button><button aria-label="Paint" style="background:#0000a0"></button>',
      ['button "Paint" [#a00000]', 'button "Paint" [#0000a0]'],
    ],
    [
      'the colours that their style sheet draws in them',
      `<style>.dab::after { content: ''; display: block; height: 9px; background: var(--dab) }</style>
        <button class="dab" aria-label="Paint" style="--dab:#00a000"></button><button class="dab" aria-label="Paint" style="--dab:#a0a000"></button>`,
      ['button "Paint" [#00a000]', 'button "Paint" [#a0a000]'],
    ],
    [
      'their places',
      '<a href="#a" title="Star"></a><a href="#b" title="Star"></a><a href="#c" title="Star"></a>',
      ['link "Star" [1 of 3]', 'link "Star" [2 of 3]', 'link "Star" [3 of 3]'],
    ],
  ])('%s', async (_what, html, lines) => {
    const tree = await told(`<div>${html}</div>`);
    for (const line of lines) expect(tree).toContain(line);
  });

  test('nothing where their labels differ', async () => {
    expect(
      await told('<div><button aria-label="Cut"></button><button aria-label="Copy"></button></div>'),
    ).not.toContain('[');
  });
});

describe('a field without a label is told by', () => {
  test.each([
    ['the text before it', 'Username: <input>', 'textbox [Username]'],
    [
      'the text before it in a row of a table',
      '<table><tr><td>City *</td><td><input></td></tr></table>',
      'textbox [City]',
    ],
    [
      'the text before what it is in',
      '<div><p>Password</p><div><input type="password" value="x"></div></div>',
      'textbox [Password] password value="••••••••"',
    ],
    [
      'the text behind a box to tick',
      '<input type="checkbox"> I agree <input type="checkbox"> Send me news',
      'checkbox [I agree]\ncheckbox [Send me news]',
    ],
    ['the text before a slider', '<div>Contrast <input type="range" value="4"></div>', 'slider [Contrast] value="4"'],
    [
      'the text before a slider of the page',
      '<div>Brightness <div role="slider" tabindex="0" id="sl1" aria-valuenow="3">|</div></div>',
      'slider [Brightness] value="3"',
    ],
    [
      'the text before a drop-down of the page',
      '<p>Country <span role="combobox" tabindex="0" id="cbx"><svg width="9" height="9"></svg></span></p>',
      'combobox [Country]',
    ],
  ])('%s', async (_, html, line) => {
    expect(await told(html)).toBe(line);
  });

  test('its own id where that alone says what a number is of', async () => {
    expect(await told('<input type="range" id="volume" value="4">')).toBe('slider [volume] value="4"');
  });

  test.each([
    [
      'the label of the native control that it stands for',
      `<label for="s">State</label><select id="s" style="position: absolute; width: 1px; height: 1px; overflow: hidden; border: 0; padding: 0"><option>Alaska</option></select>
       <span><span><span role="combobox" tabindex="0" aria-labelledby="c"><span id="c">Alaska</span></span></span></span>`,
      'combobox "Alaska" [State] value="Alaska"',
    ],
    [
      'the text beside it, where only its choice names it',
      '<p>Currency <span role="combobox" tabindex="0" aria-labelledby="d"><b id="d">EUR</b></span></p>',
      'combobox "EUR" [Currency] value="EUR"',
    ],
  ])('%s', async (_, html, line) => {
    const lines = await told(html);
    expect(lines.split('\n').map(each => each.trim())).toContain(line);
  });

  test('the label of a hidden native control is there to read', async () => {
    const html = `<label for="s">State</label><select id="s" style="position: absolute; width: 1px; height: 1px; border: 0; padding: 0"></select><div tabindex="0">Alaska</div>`;
    expect(await page.read(html, { interactiveOnly: false })).toContain('text "State"');
  });

  test.each([
    ['a task above it', '<p>Order two pizzas to room five.</p><input>'],
    ['a long text above it', '<p>Please enter the code that we have just sent to you</p><div><input></div>'],
    ['the title of the page', '<h1>Contact us</h1><form><input></form>'],
  ])('no sentence: %s', async (_, html) => {
    expect(await told(html)).toMatch(/^textbox$/m);
  });

  test('nothing that belongs to another field', async () => {
    expect(await told('Name <input> <input>')).toBe('textbox [Name]\ntextbox');
  });
});

test('a picture that leads where the words beside it lead has no hint', async () => {
  const picture = '<a href="/cat"><img src="/grey-cat.jpg" alt="" width="30" height="30"></a>';
  expect(await told(`<div><div>${picture}</div><p><a href="/cat">A grey cat</a></p></div>`)).toBe(
    'link\nlink "A grey cat"',
  );
  expect(await told(`<div>${picture}<a href="/dog">A dog</a></div>`)).toBe('link [grey-cat]\nlink "A dog"');
});

test('a field says what it takes, and in which form', async () => {
  expect(
    await told(
      '<input type="date" aria-label="Day"><input type="time" aria-label="Hour" value="10:30"><input type="email" aria-label="Login"><input aria-label="Any">',
    ),
  ).toBe(
    'textbox "Day" date YYYY-MM-DD\ntextbox "Hour" time HH:MM value="10:30"\ntextbox "Login" email\ntextbox "Any"',
  );
});

test('a control whose name hides the text on it shows that too', async () => {
  expect(await told('<button aria-label="Delivery slot">Saturday 10-12</button>')).toBe(
    'button "Delivery slot" text="Saturday 10-12"',
  );
  expect(await told('<button aria-label="Cart, 3 items">3</button><button aria-label="Close">×</button>')).toBe(
    'button "Cart, 3 items"\nbutton "Close"',
  );
});

test('names that are joined of several elements keep a space between them', async () => {
  expect(
    await told(
      '<ul><li tabindex="0"><div>Jerald</div><div>Juan</div></li></ul><div tabindex="0"><b>Un</b>believable<span style="display:inline-block">offer</span></div>',
    ),
  ).toBe('listitem "Jerald Juan"\nclickable "Unbelievable offer"');
});

test('a hint is no part of what a ref stands for', async () => {
  const { session, ref, read } = await openPage(
    '<button id="b" onclick="document.title = \'pressed\'"><i class="icon-play">\u200b</i></button><script>onmouseover = () => { document.querySelector("i").className = "icon-pause" }</script>',
  );
  expect(await read()).toContain('[icon-play]');
  expect(expectSuccess(await session.click({ ref: ref('button', '') })).title).toBe('pressed');
  expect(await read()).toContain('[icon-pause]');
});

test('a click says by which hint its element was known', async () => {
  const { session, ref } = await openPage(
    '<button onclick="this.firstChild.className = \'icon-pause\'"><i class="icon-play">\u200b</i></button>',
  );
  const result = expectSuccess(await session.click({ ref: ref('button', '') }));
  expect(result.element).toMatchObject({ name: '', hint: 'icon-play' });
  expect(await toolset.tools.browser_click?.toModelOutput?.(result)).toMatchObject({
    value: expect.stringContaining('Clicked button [icon-play]'),
  });
});

describe('hints', () => {
  test('are one line, of few characters, without what refs and names are written with', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
        for (const hint of [asHint(text), descriptiveName(text)]) {
          expect(hint.length).toBeLessThanOrEqual(LONGEST_HINT);
          expect(hint).not.toMatch(/[[\]"@\n\r\u2028]/);
        }
      }),
    );
  });

  test.each([
    ['btn btn-sm icon-only fa-user', 'fa-user'],
    ['styles__wrapper--3xK9a close-dialog', 'close-dialog'],
    ['fa fa-info fa-fw', 'fa-info'],
    ['btn-icon-link', ''],
    ['MuiSvgIcon-root', ''],
    ['material-icons', ''],
    ['jss284 jss312', ''],
  ])('of %s: %s', (names, hint) => {
    expect(descriptiveName(names)).toBe(hint);
  });
});

test('a space between the words of what listens is no control', async () => {
  const { session } = await openPage(`<div id="title"><span>What did you see?</span><span>&nbsp;</span>
    <span aria-hidden="true">*</span></div><script>title.addEventListener('click', () => undefined);</script>`);
  expect(expectSuccess(await session.snapshot()).tree).not.toMatch(/clickable @e\d+$/m);
});

test('the shapes of an icon that listens are one control, those of a drawing are many', async () => {
  const shapes = [0, 1, 2, 3].map(at => `<circle class="shape" cx="${6 + 5 * at}" cy="8" r="2" />`).join('');
  const drawn = async (width: number): Promise<number> => {
    const { session } =
      await openPage(`<p>Plan</p><svg id="drawing" viewBox="0 0 28 16" width="${width}">${shapes}</svg>
      <script>drawing.addEventListener('click', () => undefined);</script>`);
    return Object.keys(expectSuccess(await session.snapshot()).refs ?? {}).length;
  };
  expect(await drawn(28)).toBe(1);
  expect(await drawn(280)).toBe(4);
});
